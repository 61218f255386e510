"""The engine without asyncio: `with outflank.SimpleEngine.popen() as engine:`."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
from collections.abc import Coroutine, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, TypeVar

from .answers import Explanation, Info, Limit, Option, PlayResult, RepetitionWarning, Rules, Status
from .beliefs import Belief, PieceBelief
from .board import Board
from .engine import Analysis, Engine, Moves, popen
from .errors import EngineTerminatedError
from .rulesystem import RuleSystem
from .values import Move, Ply, Rank, Side, Square
from .wire import Command

__all__ = ["SimpleAnalysis", "SimpleEngine"]

_T = TypeVar("_T")


class _Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="outflank", daemon=True)
        self._lock = threading.Lock()
        self._closed = False
        self._thread.start()

    def run(self, task: Coroutine[Any, Any, _T]) -> _T:
        """Runs a coroutine there and waits for it. `EngineTerminatedError` if the loop is closed before it ends."""
        with self._lock:
            # Whatever is begun before the end is among the tasks that are cancelled there.
            if self._closed:
                task.close()
                raise EngineTerminatedError("the engine is closed")
            future = asyncio.run_coroutine_threadsafe(task, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine is closed") from None
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the thread, and all that other threads wait for."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _cancel(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class SimpleAnalysis:
    """A search whose reports come one by one: `for info in engine.analyse(limit)`.

    It begins with the first report asked for, or with `with`, whose end stops it. Leaving a bare loop early does not
    stop the search; the next call that changes the engine's state does.
    """

    def __init__(self, loop: _Loop, analysis: Analysis) -> None:
        self._loop = loop
        self._analysis = analysis

    @property
    def last(self) -> Info | None:
        """The latest report of a line, `None` before the first."""
        return self._analysis.last

    @property
    def result(self) -> PlayResult | None:
        """What the search chose, once it has ended."""
        return self._analysis.result

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        """The next report. Raises what `SimpleEngine.play` raises."""
        info = self._loop.run(self._following())
        if info is None:
            raise StopIteration
        return info

    async def _following(self) -> Info | None:
        try:
            return await self._analysis.__anext__()
        except StopAsyncIteration:
            return None

    def wait(self) -> PlayResult:
        """Waits for the end of the search, and returns what it chose."""
        return self._loop.run(self._analysis.wait())

    def stop(self) -> PlayResult:
        """Stops the search, and returns what it chose. Another thread may call it."""
        return self._loop.run(self._analysis.stop())

    def __enter__(self) -> SimpleAnalysis:
        self._loop.run(self._analysis.__aenter__())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.run(self._analysis.__aexit__(kind, error, trace))


class SimpleEngine:
    """An engine that speaks SEI 1. `SimpleEngine.popen` starts one; use it in `with`, or `close` it.

    The methods are those of `Engine`, which says more about each; they wait for the answer and return it. All of them
    raise what those raise: a `RepliedError` for an `error` answer, `EngineTerminatedError`, `EngineTimeoutError`,
    `ProtocolError`. Several threads may use one engine.
    """

    def __init__(self, loop: _Loop, engine: Engine) -> None:
        self._loop = loop
        self.engine = engine
        """The asynchronous engine that does the work; it lives in a thread of its own."""

    @classmethod
    def popen(
        cls,
        command: Command | None = None,
        *,
        timeout: float | None = 10.0,
        restart: bool = False,
        options: Mapping[str, object] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
    ) -> SimpleEngine:
        """Starts an engine; arguments (times in seconds) and errors as for `outflank.popen`."""
        loop = _Loop()
        try:
            starting = popen(command, timeout=timeout, restart=restart, options=options, env=env, cwd=cwd)
            return cls(loop, loop.run(starting))
        except BaseException:
            loop.close()
            raise

    @property
    def id(self) -> dict[str, str]:
        """How the engine names itself: `name` and `version`."""
        return self.engine.id

    @property
    def options(self) -> dict[str, Option]:
        """The options that it has, by name."""
        return self.engine.options

    @property
    def pid(self) -> int | None:
        """The number of its process."""
        return self.engine.pid

    @property
    def alive(self) -> bool:
        """Whether its process runs, as far as is known."""
        return self.engine.alive

    @property
    def restarts(self) -> int:
        """How often it was started again."""
        return self.engine.restarts

    def close(self) -> None:
        """Asks the engine to end, and kills it after two seconds. To close twice does no harm."""
        try:
            self._loop.run(self.engine.close())
        except EngineTerminatedError:
            pass
        self._loop.close()

    def quit(self) -> None:
        """The same as `close`."""
        self.close()

    def __enter__(self) -> SimpleEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ping(self) -> float:
        """Waits until every earlier line is answered; returns the seconds that took."""
        return self._loop.run(self.engine.ping())

    def command(self, line: str) -> list[str]:
        """Says any line that is answered at once, and returns the answers; for questions that have no method."""
        return self._loop.run(self.engine.command(line))

    def configure(self, options: Mapping[str, object] | None = None, **more: object) -> None:
        """Sets options: `configure({"Hash": 64})` or `configure(Hash=64)`. `OptionError`, `OptionValueError`."""
        self._loop.run(self.engine.configure(options, **more))

    def rules(self, rules: Rules | RuleSystem | str | None = None) -> Rules:
        """The rules in force; with an argument these are set first, before the first ply only."""
        return self._loop.run(self.engine.rules(rules))

    def new_game(self, rules: Rules | RuleSystem | str | None = None, side: Side | str | None = None) -> None:
        """Clears the game. `side` is ours; without it, the side whose ranks are given. Rules stay if none are given."""
        self._loop.run(self.engine.new_game(rules, side))

    def setup(self, side: Side | str, army: str = "?") -> str:
        """Tells the army of a side: 40 characters as its owner sees them, back row first, `?` for forty unknown, or
        `auto` for one of the engine's choice. Returns the army that was set up."""
        return self._loop.run(self.engine.setup(side, army))

    def propose_setup(self, timeout: float | None = None) -> str:
        """An army that the engine chooses under the rules in force, as 40 characters."""
        return self._loop.run(self.engine.propose_setup(timeout))

    def position(self, board: Board | str, plies: Iterable[Ply | Move | str] = ()) -> None:
        """Sets up what one player knows: a board or its text (SPN), and the plies made since."""
        self._loop.run(self.engine.position(board, plies))

    def observe(self, *plies: Ply | Move | str) -> tuple[RepetitionWarning, ...]:
        """Tells plies that were made, of either side, its own moves too; strikes with their result (`e4xe5=W95`)."""
        return self._loop.run(self.engine.observe(*plies))

    def undo(self, plies: int = 1) -> None:
        """Takes plies back. `undo(0)` says that the game is as it should be; any undo takes a `game_over` back."""
        self._loop.run(self.engine.undo(plies))

    def game_over(self, winner: Side | str | None, reveal: Board | str | None = None) -> tuple[str, ...]:
        """Tells how the game ended (`None`: a draw); with the whole board, returns how good the belief was."""
        return self._loop.run(self.engine.game_over(winner, reveal))

    def play(
        self, limit: Limit | float | None = None, *, searchmoves: Moves = (), timeout: float | None = None
    ) -> PlayResult:
        """Searches for a move. Nothing is played: tell the engine the move with `observe`, with its result."""
        return self._loop.run(self.engine.play(limit, searchmoves=searchmoves, timeout=timeout))

    def analyse(
        self, limit: Limit | float | None = None, *, searchmoves: Moves = (), timeout: float | None = None
    ) -> SimpleAnalysis:
        """A search whose reports can be followed; arguments and errors as for `play`. See `SimpleAnalysis`."""
        analysis = self.engine.analyse(limit, searchmoves=searchmoves, timeout=timeout)
        return SimpleAnalysis(self._loop, analysis)

    def stop(self) -> None:
        """Ends a running search; whoever waits for it gets its result. Another thread may call it."""
        self._loop.run(self.engine.stop())

    def perft(self, depth: int, timeout: float | None = None) -> int:
        """The number of sequences of `depth` legal plies. Both armies must be known (`HiddenError`)."""
        return self._loop.run(self.engine.perft(depth, timeout))

    def legal(self) -> list[Move]:
        """The legal moves of the side to move, none once the game is over. `HiddenError` if its ranks are hidden."""
        return self._loop.run(self.engine.legal())

    def belief(self, which: Square | str = "all") -> Belief:
        """Rank probabilities of hidden pieces: `all` of the enemy, `ours`, the unknown `dead`, or one square's."""
        return self._loop.run(self.engine.belief(which))

    def belief_at(self, square: Square | str) -> PieceBelief:
        """Rank probabilities of the piece on a square, ours or theirs; `EmptySquareError` if there is none."""
        return self._loop.run(self.engine.belief_at(square))

    def sample(self, armies: int = 1) -> list[dict[Square | str, Rank]]:
        """Whole armies drawn from the belief, 1 to 10000: the rank of every hidden piece by its place."""
        return self._loop.run(self.engine.sample(armies))

    def board(self) -> Board:
        """The position as our player knows it; in a study with both armies."""
        return self._loop.run(self.engine.board())

    def history(self) -> list[Ply]:
        """The plies made since the start or the position, with the results of strikes."""
        return self._loop.run(self.engine.history())

    def status(self) -> Status:
        """Where the engine stands: whether it thinks, ply, turn, ending."""
        return self._loop.run(self.engine.status())

    def evaluate(self) -> dict[str, int]:
        """The parts of the static evaluation and their `total`, in points; positive is good for our side."""
        return self._loop.run(self.engine.evaluate())

    def explain(self, what: Square | Move | str) -> Explanation:
        """Where the belief about the piece on a square comes from, or what speaks for a legal move."""
        return self._loop.run(self.engine.explain(what))
