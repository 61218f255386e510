"""The asynchronous engine: `engine = await outflank.popen()`."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from .answers import Explanation, Info, Limit, Option, PlayResult, RepetitionWarning, Rules, Status
from .beliefs import Belief, PieceBelief
from .board import Board
from .errors import EngineError, EngineTerminatedError, EngineTimeoutError, ProtocolError, replied
from .game import Game
from .rulesystem import RuleSystem
from .values import Move, Ply, Rank, Side, Square
from .wire import Command, Search, Wire, argv

__all__ = ["Analysis", "Engine", "popen"]

_FOR_EVER = 1e9

Moves = Iterable[Move | str]
"""Moves as objects or as texts."""


async def popen(
    command: Command | None = None,
    *,
    timeout: float | None = 10.0,
    restart: bool = False,
    options: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
) -> Engine:
    """Starts an engine and shakes hands with it.

    `command` is the program's path, or a sequence of the path and arguments; without it, the engine of this package
    (or the one that the environment variable `OUTFLANK_ENGINE` names). `timeout` is how many seconds an answer may
    take, and how many a search may take beyond its time; `None` waits for ever. With `restart` an engine that dies is
    started again, gets the options and the game, and is asked again. `options` are set at once. `env` and `cwd`
    are the environment and working folder of the process.

    Raises `OSError` if the program cannot be started, `ProtocolError` if it does not speak SEI 1, and what
    `Engine.configure` raises.
    """
    engine = Engine(argv(command), timeout=timeout, restart=restart, env=env, cwd=None if cwd is None else Path(cwd))
    try:
        await engine._start()
        if options:
            await engine.configure(options)
    except BaseException:
        await engine.close()
        raise
    return engine


class Analysis:
    """A search whose reports come one by one: `async for info in engine.analyse(limit)`.

    It begins with the first report asked for, or with `async with`, whose end stops it. Leaving a bare loop early does
    not stop the search; the next call that changes the engine's state does.
    """

    def __init__(self, engine: Engine, limit: Limit, moves: Sequence[Move], timeout: float | None) -> None:
        self._engine = engine
        self._limit = limit
        self._moves = moves
        self._timeout = timeout
        self._deadline: float | None = None
        self._search: Search | None = None
        self._retries = int(engine.restart)
        self.last: Info | None = None
        """The latest report of a line, `None` before the first."""
        self.result: PlayResult | None = None
        """What the search chose, once it has ended."""

    async def _begin(self) -> None:
        self._search = await self._engine._begin_search(self._limit, self._moves)
        allowed = self._timeout
        if allowed is None and self._engine.timeout is not None:
            longest = self._limit.longest()
            allowed = None if longest is None else longest + self._engine.timeout
        self._deadline = None if allowed is None else time.monotonic() + allowed

    async def _next(self) -> Info | None:
        while True:
            if self._search is None:
                await self._begin()
            assert self._search is not None
            left = None
            if self._deadline is not None and not self._search.ready:
                left = max(0.0, self._deadline - time.monotonic())
            try:
                return await asyncio.wait_for(self._search.next(), left)
            except asyncio.TimeoutError:
                self._engine._kill()
                raise EngineTimeoutError("no bestmove in time") from None
            except EngineTerminatedError:
                if self._retries == 0:
                    raise
                self._retries, self._search = self._retries - 1, None

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        """The next report. Raises what `Engine.play` raises."""
        info = None if self.result else await self._next()
        if info is None:
            if self.result is None:
                assert self._search is not None
                self.result = PlayResult.parse(self._search.best, self.last)
            raise StopAsyncIteration
        if info.text is None:
            self.last = info
        return info

    async def wait(self) -> PlayResult:
        """Waits for the end of the search, and returns what it chose."""
        async for _ in self:
            pass
        assert self.result is not None
        return self.result

    async def stop(self) -> PlayResult:
        """Stops the search, and returns what it chose."""
        if self._search is not None and not self._search.done.is_set():
            await self._engine.stop()
        return await self.wait()

    async def __aenter__(self) -> Analysis:
        if self._search is None:
            await self._begin()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.result is None and not isinstance(error, EngineError):
            await self.stop()


class Engine:
    """An engine that speaks SEI 1, for asyncio. `outflank.popen` starts one; use it in `async with`, or `close` it.

    Every method may raise the exception of an `error` answer (a `RepliedError`), `EngineTerminatedError` if the engine
    dies, `EngineTimeoutError` if it does not answer in time, and `ProtocolError` if its answer cannot be read.

    A method that changes the game, and `play`, `analyse`, `explain` and `perft`, first end a running search. Questions
    (`belief`, `legal`, `board`, `evaluate`, `history`, `status`, `ping`) leave it running.

    A call that is cancelled before its answer has come, as by `asyncio.wait_for`, kills the engine: the rest of the
    answer would be taken for that to the next line. With `restart` the next call starts another one. The search of a
    cancelled `play` or `analyse` is stopped, and the engine lives. To end a search early, use `stop`. A text that would
    be two lines is a `ValueError`, and nothing is said.
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        timeout: float | None,
        restart: bool,
        env: Mapping[str, str] | None,
        cwd: Path | None,
    ) -> None:
        self._words = words
        self._env = env
        self._cwd = cwd
        self._wire: Wire | None = None
        self._closed = False
        self._lock = asyncio.Lock()
        self._game = Game()
        self._chosen: dict[str, str] = {}
        self.timeout = timeout
        """How many seconds an answer may take; `None` waits for ever."""
        self.restart = restart
        """Whether an engine that dies is started again and shown the game."""
        self.restarts = 0
        """How often it was started again."""
        self.id: dict[str, str] = {}
        """How it names itself: `name` and `version`."""
        self.options: dict[str, Option] = {}
        """The options that it has, by name."""

    # Starting and ending

    @property
    def pid(self) -> int | None:
        """The number of its process; `None` before the start."""
        return None if self._wire is None else self._wire.pid

    @property
    def alive(self) -> bool:
        """Whether its process runs, as far as is known."""
        return self._wire is not None and self._wire.alive

    async def _start(self) -> None:
        self._wire = wire = await Wire.start(self._words, self._env, self._cwd)
        protocol = ""
        for line in await wire.ask(["sei"], ("seiok",), 1, self.timeout):
            word, _, rest = line.partition(" ")
            if word == "id":
                key, _, self.id[key] = rest.partition(" ")
            elif word == "protocol":
                protocol = rest
            elif word == "option":
                option = Option.parse(line)
                self.options[option.name] = option
        if protocol != "1":
            wire.kill()
            raise ProtocolError(f"the engine does not say that it speaks protocol 1, but {protocol!r}")

    async def _living(self) -> Wire:
        if self._closed or self._wire is None:
            raise EngineTerminatedError("the engine is closed")
        if not self._wire.alive and self.restart:
            await self._wire.quit(0.0)
            self.restarts += 1
            await self._start()
            options = [f"setoption name {name} value {value}" for name, value in self._chosen.items()]
            answers = await self._wire.ask([*options, *self._game.lines(), "isready"], ("readyok",), 1, self.timeout)
            _raise_first_error(answers)
            if self._game.desynced:
                # No ply: what failed in the former process fails in this one.
                await self._wire.ask(["play ?", "isready"], ("readyok",), 1, self.timeout)
        return self._wire

    async def _ask(
        self,
        *lines: str,
        fence: str = "isready",
        until: tuple[str, ...] = ("readyok",),
        interrupts: bool = True,
        timeout: float | None = None,
    ) -> list[str]:
        """Says lines and a fence; returns the answers without that of the fence, or raises the first error."""
        async with self._lock:
            for retry in (self.restart, False):
                try:
                    wire = await self._living()
                    if interrupts:
                        await wire.end_search(self.timeout)
                    elif wire.search is not None and fence == "isready":
                        # While the engine thinks, readyok may come before the answers to earlier lines.
                        fence, until = "history", ("history",)
                    said = [*lines, *([fence] if fence else [])]
                    count = 1 + sum(line == "history" for line in lines) * (fence == "history")
                    answers = await wire.ask(said, until, count, timeout or self.timeout)
                    break
                except EngineTerminatedError:
                    if not retry:
                        raise
        _raise_first_error(answers)
        return answers[:-1] if fence else answers

    async def _begin_search(self, limit: Limit, moves: Sequence[Move]) -> Search:
        line = " ".join(filter(None, ["go", limit.words(), "searchmoves" * bool(moves), *map(str, moves)]))
        async with self._lock:
            for retry in (self.restart, False):
                try:
                    wire = await self._living()
                    await wire.end_search(self.timeout)
                    search = Search()
                    answers = await wire.ask([line, "isready"], ("readyok",), 1, self.timeout, search)
                    break
                except EngineTerminatedError:
                    if not retry:
                        raise
        _raise_first_error(answers)
        return search

    def _kill(self) -> None:
        if self._wire is not None:
            self._wire.kill()

    async def close(self) -> None:
        """Asks the engine to end, and kills it after two seconds. To close twice does no harm."""
        self._closed = True
        if self._wire is not None:
            await self._wire.quit(2.0)

    async def quit(self) -> None:
        """The same as `close`."""
        await self.close()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def ping(self) -> float:
        """Waits until every earlier line is answered (while it thinks: not at all); returns the seconds that took."""
        begun = time.perf_counter()
        await self._ask("isready", fence="", until=("readyok",), interrupts=False)
        return time.perf_counter() - begun

    async def command(self, line: str) -> list[str]:
        """Says any line that is answered at once, and returns the answers. The game that a restart replays does not
        notice it, so use it for questions that have no method, such as `d 9`."""
        return await self._ask(line)

    # The game

    async def configure(self, options: Mapping[str, object] | None = None, **more: object) -> None:
        """Sets options: `configure({"Hash": 64})` or `configure(Hash=64, Ponder=True)`.

        `OptionError` if the engine has no such option, `OptionValueError` if it does not take the value.
        """
        for name, value in {**(options or {}), **more}.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            await self._ask(f"setoption name {name} value {text}")
            self._chosen[name] = text

    async def rules(self, rules: Rules | RuleSystem | str | None = None) -> Rules:
        """The rules in force; with an argument (`"gravon silent=on"`) these are set, before the first ply only."""
        answers = await self._ask("rules" if rules is None else f"rules {rules}")
        answer = _one(answers, "rules")
        if rules is not None:
            self._game.rules = answer
        return Rules.parse(answer)

    async def new_game(self, rules: Rules | RuleSystem | str | None = None, side: Side | str | None = None) -> None:
        """Clears the game. `side` is ours; without it, the side whose ranks are given. Rules stay if none are given."""
        words = ["newgame", str(Side.parse(side)) if side else "", f"rules {rules}" if rules else ""]
        line = " ".join(filter(None, words))
        answer = _one(await self._ask(line, "rules"), "rules")
        self._game = Game(rules=answer, newgame=" ".join(filter(None, words[:2])))

    async def setup(self, side: Side | str, army: str = "?") -> str:
        """Tells the army of a side: 40 characters as its owner sees them, back row first, or `?` for forty unknown.

        With `auto` the engine chooses one, as `propose_setup` does. Returns the army that was set up.
        """
        if army == "auto":
            army = await self.propose_setup()
        line = f"setup {Side.parse(side)} {army}"
        await self._ask(line)
        self._game.setups.append(line)
        return army

    async def propose_setup(self, timeout: float | None = None) -> str:
        """An army that the engine chooses under the rules in force, as 40 characters. It tells nobody: `setup` does."""
        return _one(await self._ask("go setup", fence="", until=("bestsetup",), timeout=timeout), "bestsetup")

    async def position(self, board: Board | str, plies: Iterable[Ply | Move | str] = ()) -> None:
        """Sets up what one player knows: a board or its text (SPN), and the plies made since."""
        spn = board.spn() if isinstance(board, Board) else board
        texts = [str(Ply.parse(ply)) for ply in plies]
        with self._desyncing():
            await self._ask(f"position {spn}" + (f" moves {' '.join(texts)}" if texts else ""))
        self._game = Game(self._game.rules, self._game.newgame, [], f"position {spn}", texts)

    async def observe(self, *plies: Ply | Move | str) -> tuple[RepetitionWarning, ...]:
        """Tells plies that were made, of either side, its own moves too; strikes with their result (`e4xe5=W95`).

        All of them are made or none. After an error the engine refuses to search (`DesyncedError`) until `undo(0)`
        confirms that the game is right as it is. Returns warnings about enemy moves that break a repetition rule.
        """
        texts = [str(ply) if isinstance(ply, (Ply, Move)) else ply for ply in plies]
        if not texts:
            return ()
        with self._desyncing():
            answers = await self._ask(f"play {' '.join(texts)}")
        # As the engine reads it: behind # stands a comment.
        self._game.plies += " ".join(texts).partition("#")[0].split()
        self._game.over = ""
        return tuple(RepetitionWarning.parse(line) for line in answers if line.startswith("warning "))

    @contextmanager
    def _desyncing(self) -> Iterator[None]:
        """What fails in here may have happened in the game all the same: another process has to hear that, too."""
        try:
            yield
        except (EngineError, asyncio.CancelledError):
            self._game.desynced = True
            raise

    async def undo(self, plies: int = 1) -> None:
        """Takes plies back. `undo(0)` says that the game is as it should be; any undo takes a `game_over` back."""
        await self._ask(f"undo {plies}")
        self._game.undo(plies)

    async def game_over(self, winner: Side | str | None, reveal: Board | str | None = None) -> tuple[str, ...]:
        """Tells how the game ended: the winner, or `None` for a draw. With `reveal`, the whole board with every rank,
        the engine scores its belief; the texts that it reports are returned."""
        line = f"gameover {'draw' if winner in (None, 'draw') else Side.parse(winner)}"
        spn = reveal.spn() if isinstance(reveal, Board) else reveal
        answers = await self._ask(line + (f" reveal {spn.split()[0]}" if spn else ""))
        self._game.over = line
        return tuple(answer.split("string ", 1)[-1] for answer in answers)

    # Thinking

    async def play(
        self, limit: Limit | float | None = None, *, searchmoves: Moves = (), timeout: float | None = None
    ) -> PlayResult:
        """Searches for a move. Nothing is played: tell the engine the move with `observe`, with its result.

        `limit` may be a number of seconds. `searchmoves` are the only moves considered, if any. `timeout` are the
        seconds that the whole search may take, instead of the limit's time and the engine's `timeout`. Raises
        `NotOurTurnError`, `NoSetupError`, `GameOverError` or `DesyncedError` where there is nothing to search.
        """
        return await self.analyse(limit, searchmoves=searchmoves, timeout=timeout).wait()

    def analyse(
        self, limit: Limit | float | None = None, *, searchmoves: Moves = (), timeout: float | None = None
    ) -> Analysis:
        """A search whose reports can be followed; arguments and errors as for `play`. See `Analysis`."""
        return Analysis(self, Limit.of(limit), [Move.parse(move) for move in searchmoves], timeout)

    async def stop(self) -> None:
        """Ends a running search; whoever waits for it gets its result."""
        async with self._lock:
            if self._wire is not None:
                await self._wire.end_search(self.timeout)

    async def perft(self, depth: int, timeout: float | None = None) -> int:
        """The number of sequences of `depth` legal plies. Both armies must be known (`HiddenError`).

        `timeout` are the seconds that counting may take; without it, as long as it takes.
        """
        allowed = _FOR_EVER if timeout is None else timeout
        line = _one(await self._ask(f"perft {depth}", fence="", until=("perft", "error"), timeout=allowed), "perft")
        return int(line.split()[2])

    # Questions

    async def legal(self) -> list[Move]:
        """The legal moves of the side to move, none once the game is over. `HiddenError` if its ranks are hidden."""
        return [Move.parse(move) for move in _one(await self._ask("legal", interrupts=False), "legal").split()]

    async def belief(self, which: Square | str = "all") -> Belief:
        """Rank probabilities of hidden pieces: of the enemy (`all`), of `ours` as the enemy may judge them, of the
        unknown `dead`, or of the piece on one square (`EmptySquareError` if there is none)."""
        return Belief.parse(await self._ask(f"belief {which}", interrupts=False))

    async def belief_at(self, square: Square | str) -> PieceBelief:
        """Rank probabilities of the piece on a square, ours or theirs; a known rank has probability 1."""
        return (await self.belief(Square.parse(square)))[0]

    async def sample(self, armies: int = 1) -> list[dict[Square | str, Rank]]:
        """Whole armies drawn from the belief, 1 to 10000: the rank of every hidden piece by square, or by `dead1`."""
        drawn = []
        for line in await self._ask(f"belief sample {armies}", interrupts=False):
            places = (word.partition("=") for word in line.split()[1:])
            drawn.append({_place(place): Rank.parse(rank) for place, _, rank in places})
        return drawn

    async def board(self) -> Board:
        """The position as our player knows it; in a study with both armies."""
        return Board.parse(_one(await self._ask("d", interrupts=False), "spn"))

    async def history(self) -> list[Ply]:
        """The plies made since the start or the position, with the results of strikes."""
        return [Ply.parse(ply) for ply in _one(await self._ask("history", interrupts=False), "history").split()]

    async def status(self) -> Status:
        """Where the engine stands: whether it thinks, ply, turn, ending."""
        return Status.parse((await self._ask("status", fence="", until=("status",), interrupts=False))[-1])

    async def evaluate(self) -> dict[str, int]:
        """The parts of the static evaluation and their `total`, in points, of which a captain is worth 80; positive
        is good for our side (in a study: for the side to move)."""
        lines = [line.split() for line in await self._ask("eval", interrupts=False)]
        return {words[1]: int(words[2]) for words in lines if words[0] == "eval"}

    async def explain(self, what: Square | Move | str) -> Explanation:
        """Where the belief about the piece on a square comes from, or what speaks for a legal move."""
        return Explanation.parse(await self._ask(f"why {what}", fence="rules", until=("rules",)))


def _raise_first_error(answers: Iterable[str]) -> None:
    for line in answers:
        if line.split(" ", 1)[0] == "error":
            raise replied(line)


def _one(answers: Iterable[str], word: str) -> str:
    """What stands behind the first word of the one line that begins with it."""
    for line in answers:
        first, _, rest = line.partition(" ")
        if first == word:
            return rest
    raise ProtocolError(f"there was no line {word!r} among the answers")


def _place(text: str) -> Square | str:
    try:
        return Square.parse(text)
    except ValueError:
        return text
