"""Matches between engines. The judge is the program `outflank-arena`: it starts the engines, owns the rules and the
truth, and writes the records that are returned here."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .answers import Limit, Rules
from .record import Record
from .rulesystem import RuleSystem
from .wire import Command, argv, find_program

__all__ = ["ArenaError", "Contender", "MatchResult", "find_arena", "match", "play_game"]


class ArenaError(Exception):
    """The arena refused the match or failed; the text is what it said."""


@dataclass(frozen=True, slots=True)
class Contender:
    """An engine as the arena starts it.

    `command` is the program's path, or a sequence of the path and arguments; `None` is the engine of this package.
    `limit` ends each of its searches: `time`, `nodes`, `depth`, or a clock as `red_clock` with `red_increment`
    (seconds); without one it has 100 ms for each action. `options` are engine options. With `restart` every game gets
    a new process. `protocol` is `sei`, or `strategoevaluator` for a bot of that public arena.
    """

    command: Command | None = None
    name: str = ""
    limit: Limit = Limit()
    options: Mapping[str, object] = field(default_factory=dict, hash=False)
    restart: bool = False
    protocol: str = "sei"

    def words(self) -> list[str]:
        """The words that describe it to `outflank-arena match --engine`."""
        program, *arguments = argv(self.command)
        words = [f"cmd={program}"]
        if arguments:
            words.append(f"args={shlex.join(arguments)}")
        if self.name:
            words.append(f"name={self.name}")
        limit = self.limit
        if limit.red_clock is not None:
            words.append(f"tc={limit.red_clock:g}+{limit.red_increment or 0:g}")
        if limit.time is not None:
            words.append(f"movetime={round(1000 * limit.time)}")
        words += [f"{name}={n}" for name, n in (("nodes", limit.nodes), ("depth", limit.depth)) if n is not None]
        for name, value in self.options.items():
            words.append(f"option.{name}={str(value).lower() if isinstance(value, bool) else value}")
        if self.restart:
            words.append("restart=on")
        if self.protocol != "sei":
            words.append(f"protocol={self.protocol}")
        return words


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that was played: its records, and the table that the arena printed."""

    records: tuple[Record, ...]
    table: str

    def points(self, name: str) -> float:
        """All points of the player of that name; a draw is worth a half. Games that were broken off count nowhere."""
        ended = (record for record in self.records if record.outcome.reason != "unfinished")
        return sum(record.points(name) for record in ended if name in _names(record))

    def faults(self) -> tuple[str, ...]:
        """What went wrong, one text for each game that a fault ended."""
        return tuple(record.outcome.fault for record in self.records if record.outcome.fault)


def _names(record: Record) -> list[str]:
    return [player.name for player in record.players.values()]


def find_arena() -> str:
    """The path of `outflank-arena`: what `OUTFLANK_ARENA` names, else beside this Python, else on PATH."""
    return find_program("outflank-arena", "OUTFLANK_ARENA")


def match(
    contenders: Sequence[Contender],
    *,
    games: int = 2,
    rules: Rules | RuleSystem | str = "isf",
    seed: int = 1,
    pairs: bool = True,
    own_setups: bool = False,
    max_plies: int | None = None,
    concurrency: int | None = None,
    gauntlet: bool = False,
    margin: float | None = None,
    patience: float | None = None,
    adjudicate: int | None = None,
    book: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
    more: Sequence[str] = (),
) -> MatchResult:
    """Plays a match between two or more engines and returns its records.

    `games` is the number of games of each two; with `pairs` it is even, and every two games have the same setups with
    colours swapped. With `own_setups` the engines choose their setups, and there are no pairs. `margin` and `patience`
    are seconds; `adjudicate` is in thousandths of the points. `out` keeps the records in a file, which must not exist.
    `timeout` ends the arena after so many seconds. `more` are further arguments of `outflank-arena match`, such as
    `["--resume"]`.

    `ArenaError` if the arena fails, `subprocess.TimeoutExpired` if it takes too long, `FileNotFoundError` without one.
    """
    words = [find_arena(), "match", "--games", str(games), "--rules", str(rules), "--seed", str(seed)]
    for contender in contenders:
        words += ["--engine", *contender.words()]
    flags = {"--gauntlet": gauntlet, "--own-setups": own_setups, "--no-pairs": not pairs and not own_setups}
    words += [flag for flag, wanted in flags.items() if wanted]
    numbers = {
        "--max-plies": max_plies,
        "--concurrency": concurrency,
        "--margin": None if margin is None else round(1000 * margin),
        "--patience": None if patience is None else round(1000 * patience),
        "--adjudicate": adjudicate,
        "--book": None if book is None else os.fspath(book),
    }
    for option, value in numbers.items():
        if value is not None:
            words += [option, str(value)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(out) if out is not None else Path(folder) / "match.jsonl"
        table = _run([*words, "--out", os.fspath(path), *more], timeout)
        return MatchResult(tuple(sorted(Record.read(path), key=lambda record: record.game)), table)


def _run(words: Sequence[str], timeout: float | None) -> str:
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    with process:
        try:
            output, errors = process.communicate(timeout=timeout)
        except BaseException:
            process.terminate()  # The arena ends its engines.
            raise
    if process.returncode:
        raise ArenaError(errors.strip() or f"outflank-arena has ended with status {process.returncode}")
    return output


def play_game(
    red: Contender,
    blue: Contender,
    rules: Rules | RuleSystem | str = "isf",
    *,
    seed: int = 1,
    own_setups: bool = False,
    max_plies: int | None = None,
    timeout: float | None = None,
) -> Record:
    """Plays one game and returns its record. The arguments are those of `match`; errors too."""
    played = match(
        [red, blue], games=1, rules=rules, seed=seed, pairs=False, own_setups=own_setups, max_plies=max_plies,
        concurrency=1, timeout=timeout,
    )
    if not played.records:
        raise ArenaError("the arena has recorded no game")
    return played.records[0]
