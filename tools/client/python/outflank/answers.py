"""What an engine is asked and what it answers, as objects: limits, reports, options, status, explanations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .errors import ProtocolError
from .values import Move, Ply, Rank, Side

__all__ = ["Explanation", "Info", "Limit", "Option", "PlayResult", "RepetitionWarning", "Rules", "Status"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What ends a search; the first limit reached. Without any limit the engine thinks for one second.

    All times are seconds. `time` is for this move; `red_clock` and `blue_clock` are what the players have left, and
    `red_increment` and `blue_increment` what each action adds. `nodes` and `depth` count. `infinite` overrides times
    and searches until it is stopped; use it with `analyse`.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    red_clock: float | None = None
    blue_clock: float | None = None
    red_increment: float | None = None
    blue_increment: float | None = None
    infinite: bool = False

    @classmethod
    def of(cls, limit: Limit | float | None) -> Limit:
        """A limit as it is, or of so many seconds; without one, none. `TypeError` if it is anything else."""
        if isinstance(limit, Limit):
            return limit
        if limit is None:
            return cls()
        if isinstance(limit, (int, float)) and not isinstance(limit, bool):
            return cls(time=limit)
        raise TypeError(f"a limit is a Limit, as in Limit(nodes=1000), or a number of seconds, not {limit!r}")

    def words(self) -> str:
        """The words for `go`, as in `movetime 100 nodes 2000`; empty without a limit."""
        times = [
            ("movetime", self.time),
            ("rtime", self.red_clock),
            ("btime", self.blue_clock),
            ("rinc", self.red_increment),
            ("binc", self.blue_increment),
        ]
        words = [f"{name} {round(1000 * seconds)}" for name, seconds in times if seconds is not None]
        words += [f"{name} {n}" for name, n in (("nodes", self.nodes), ("depth", self.depth)) if n is not None]
        return " ".join(words + ["infinite"] * self.infinite)

    def longest(self, side: Side | None = None) -> float | None:
        """The seconds that a search may take by its times; `None` if only nodes, depth or `stop` end it.

        `side` is who thinks, if known; otherwise the longer clock counts.
        """
        if self.infinite:
            return None
        clocks = {Side.RED: self.red_clock, Side.BLUE: self.blue_clock}
        asked = clocks.values() if side is None else [clocks[side]]
        left = [seconds for seconds in asked if seconds is not None]
        if self.time is not None:
            return self.time
        if left:
            return max(0.0, *left)
        return 1.0 if self.nodes is None and self.depth is None else None


def _integer(word: str, line: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ProtocolError(f"{word!r} is no number in {line!r}") from None


@dataclass(frozen=True, slots=True)
class Info:
    """A report of a running search. Figures that a report lacks are `None`.

    `time` is in seconds. `wdl` are the chances to win, draw and lose of the side to move, in thousandths. `worlds`
    appears when so few enemy armies are possible that the search considers each. `multipv` numbers the lines from 1
    if several are reported. `text` holds what an `info string` says.
    """

    depth: int | None = None
    multipv: int | None = None
    time: float | None = None
    nodes: int | None = None
    nps: int | None = None
    wdl: tuple[int, int, int] | None = None
    worlds: int | None = None
    pv: tuple[Move, ...] = ()
    text: str | None = None

    @property
    def score(self) -> float | None:
        """The expected points of the side to move, from 0 to 1; a draw is worth a half."""
        return None if self.wdl is None else (self.wdl[0] + self.wdl[1] / 2) / 1000

    @classmethod
    def parse(cls, line: str) -> Info:
        """The report of an `info` line; words that nobody knows are skipped."""
        words = line.split()[1:]
        if words[:1] == ["string"]:
            return cls(text=line.split("string ", 1)[-1])
        numbers: dict[str, int] = {}
        wdl: tuple[int, int, int] | None = None
        pv: tuple[Move, ...] = ()
        at = 0
        while at < len(words):
            word, rest = words[at], words[at + 1 :]
            if word == "pv":
                pv = tuple(map(_move, rest))
                break
            if word == "wdl" and len(rest) >= 3:
                win, draw, loss = (_integer(figure, line) for figure in rest[:3])
                wdl = (win, draw, loss)
                at += 3
            elif word in ("depth", "multipv", "time", "nodes", "nps", "worlds") and rest:
                numbers[word] = _integer(rest[0], line)
                at += 1
            at += 1
        milliseconds = numbers.get("time")
        return cls(
            depth=numbers.get("depth"),
            multipv=numbers.get("multipv"),
            time=None if milliseconds is None else milliseconds / 1000,
            nodes=numbers.get("nodes"),
            nps=numbers.get("nps"),
            wdl=wdl,
            worlds=numbers.get("worlds"),
            pv=pv,
        )


def _move(text: str) -> Move:
    try:
        return Move.parse(text)
    except ValueError as error:
        raise ProtocolError(str(error)) from None


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What a search chose: a move; or none, if there is none or the engine resigns. `info` is its last report."""

    move: Move | None
    resigned: bool = False
    info: Info | None = None

    @classmethod
    def parse(cls, line: str, info: Info | None = None) -> PlayResult:
        """The choice of a `bestmove` line."""
        word = line.split()[1] if len(line.split()) > 1 else "none"
        move = None if word in ("none", "resign") else _move(word)
        return cls(move, word == "resign", info)


@dataclass(frozen=True, slots=True)
class Option:
    """An option that an engine has. `kind` is `string`, `spin`, `check` or `combo`, with its bounds and choices."""

    name: str
    kind: str
    default: str
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option:
        """The option of an `option name ...` line."""
        words = line.split()[1:]
        values: dict[str, list[str]] = {}
        for key, value in zip(words[::2], words[1::2]):
            values.setdefault(key, []).append(value)
        try:
            least, most = (int(values[key][0]) if key in values else None for key in ("min", "max"))
            default = values.get("default", [""])[0]
            return cls(values["name"][0], values["type"][0], default, least, most, tuple(values.get("var", ())))
        except (KeyError, ValueError):
            raise ProtocolError(f"this is no option: {line!r}") from None


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force: `preset` and the value of every key of `protocol.md`. It prints as `rules` takes it."""

    preset: str
    keys: Mapping[str, str] = field(hash=False)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """The rules of a text such as `preset=isf scout=on ...`; a word without `=` is a preset's name."""
        preset, keys = "", {}
        for word in text.split():
            key, equals, value = word.partition("=")
            if not equals or key == "preset":
                preset = value or key
            else:
                keys[key] = value
        return cls(preset, keys)

    def on(self, key: str) -> bool:
        """Whether a key that takes `on` and `off` is on; `False` for a key that is not there."""
        return self.keys.get(key) == "on"

    def __str__(self) -> str:
        words = [f"{key}={value}" for key, value in self.keys.items()]
        return " ".join(([f"preset={self.preset}"] if self.preset else []) + words)


@dataclass(frozen=True, slots=True)
class Status:
    """Where an engine stands. `ours` is a side, `both` (a study) or `none`.

    `winner` and `reason` tell how the game ended, as far as our player can know: a side, `draw` or `told` (only the
    host said so); both are `None` while it goes on.
    """

    thinking: bool
    ply: int
    turn: Side
    ours: Side | str
    desync: bool
    seed: str
    winner: Side | str | None = None
    reason: str | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.winner is not None

    @classmethod
    def parse(cls, line: str) -> Status:
        """The state of a `status` line."""
        words = line.split()
        values = dict(zip(words[2:-1:2], words[3::2]))
        try:
            ending = words[words.index("ending") + 1 :]
            sides = {side.value: side for side in Side}
            over = ending[:1] != ["none"]
            return cls(
                thinking=words[1] == "thinking",
                ply=int(values["ply"]),
                turn=sides[values["turn"]],
                ours=sides.get(values["ours"], values["ours"]),
                desync=values["desync"] == "on",
                seed=values["seed"],
                winner=sides.get(ending[0], ending[0]) if over else None,
                reason=ending[1] if over and len(ending) > 1 else None,
            )
        except (IndexError, KeyError, ValueError):
            raise ProtocolError(f"this is no status: {line!r}") from None


@dataclass(frozen=True, slots=True)
class RepetitionWarning:
    """An enemy move that breaks a repetition rule, and the rule's key. The host is the judge, so it stands."""

    move: Move
    key: str

    @classmethod
    def parse(cls, line: str) -> RepetitionWarning:
        """The warning of a `warning repetition <mv> breaks the rule <key>` line."""
        words = line.split()
        try:
            return cls(Ply.parse(words[2]).move, words[-1])
        except (IndexError, ValueError):
            raise ProtocolError(f"this warning is not known: {line!r}") from None


def _ranks(words: list[str]) -> dict[Rank, int]:
    return {Rank.parse(rank): int(n) for rank, n in zip(words[::2], words[1::2])}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What `why` says about a square or a legal move.

    About both: `lines`, everything as it was said, and `notes`, the sentences among it. `str()` gives it for people.

    About a square: `likelihoods`, for each source what it says of each rank (thousandths; only proportions matter),
    `trust` by source and kind (exponents in thousandths, 1000 is in full), and `believed`, the likeliest ranks with
    their probabilities from 0 to 1. About a strike `believed` is about its target.

    About a move: `chances`, the probabilities of `win`, `loss` and `tie` of a strike; `evaluation`, in points, of
    `now` and after each outcome (`after` for a move); `searched`, the chances to win, draw and lose in thousandths
    after `this` move and after the `best` one, with the best move in `best`.
    """

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    likelihoods: Mapping[str, Mapping[Rank, int]] = field(default_factory=dict, hash=False)
    trust: Mapping[str, Mapping[str, int]] = field(default_factory=dict, hash=False)
    believed: Mapping[Rank, float] = field(default_factory=dict, hash=False)
    chances: Mapping[str, float] = field(default_factory=dict, hash=False)
    evaluation: Mapping[str, int] = field(default_factory=dict, hash=False)
    searched: Mapping[str, tuple[int, int, int]] = field(default_factory=dict, hash=False)
    best: Move | None = None

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Explanation:
        """The explanation of the lines that answer one `why`."""
        lines = tuple(lines)
        notes: list[str] = []
        likelihoods: dict[str, Mapping[Rank, int]] = {}
        trust: dict[str, Mapping[str, int]] = {}
        believed: dict[Rank, float] = {}
        chances: dict[str, float] = {}
        evaluation: dict[str, int] = {}
        searched: dict[str, tuple[int, int, int]] = {}
        best: Move | None = None
        for line in lines:
            words = line.split()
            if line.startswith("  ") or words[:1] != ["why"] or len(words) < 3:
                continue
            topic, rest = words[1], words[2:]
            if topic in ("piece", "strike", "move", "target"):
                notes.append(line[len("why ") :])
            elif topic == "trust":
                named = rest[1:] if len(rest) % 2 else ["all", *rest[1:]]
                trust[rest[0]] = dict(zip(named[::2], map(int, named[1::2])))
            elif topic == "believed":
                believed = {rank: n / 1e6 for rank, n in _ranks(rest[1:]).items()}
            elif topic == "chances":
                chances = dict(zip(rest[::2], (int(n) / 1e6 for n in rest[1::2])))
            elif topic == "eval":
                evaluation[rest[0]] = int(rest[1])
            elif topic == "search":
                searched[rest[0]] = (int(rest[2]), int(rest[3]), int(rest[4]))
                best = _move(rest[5]) if rest[0] == "best" and len(rest) > 5 else best
            elif re.fullmatch(r"[a-j]\d+", rest[0]):
                likelihoods[topic] = _ranks(rest[1:])
        return cls(lines, tuple(notes), likelihoods, trust, believed, chances, evaluation, searched, best)

    def __str__(self) -> str:
        return "\n".join(self.lines)
