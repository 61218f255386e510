"""One engine process: its lines out and in, and which answer belongs to which question. Callers use `Engine`."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sysconfig
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path

from .answers import Info
from .errors import EngineTerminatedError, EngineTimeoutError, ProtocolError

__all__ = ["Command", "Search", "Wire", "find_program"]

_log = logging.getLogger("outflank")

Command = str | os.PathLike[str] | Sequence[str]
"""A program: its path, or a sequence of the path and arguments. A text is never split into words."""

# Bounds on what an engine may say: a line, and all lines and their bytes until what was asked is answered. Answers have
# 10,000 lines at most, and far less than these bytes.
_LONGEST_LINE = 4 << 20
_MOST_LINES = 100_000
_MOST_BYTES = 32 << 20
_LAST_ERRORS = 20
_LONGEST_ERROR = 1000
# Seconds between the end of a process's output and its own.
_GRACE = 1.0


def find_program(name: str, variable: str) -> str:
    """The path of a program: what the environment variable names, else beside this Python, else on PATH.

    `FileNotFoundError` says where it was looked for.
    """
    given = os.environ.get(variable)
    if given:
        return given
    beside = shutil.which(name, path=sysconfig.get_path("scripts"))
    found = beside or shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"there is no {name}: not in this environment, not on PATH, and {variable} is not set")
    return found


def argv(command: Command | None) -> list[str]:
    """The words that start a program; without a command those of the engine of this package."""
    if command is None:
        return [find_program("outflank", "OUTFLANK_ENGINE")]
    if isinstance(command, (str, os.PathLike)):
        return [os.fspath(command)]
    return [os.fspath(word) for word in command]


class Search:
    """A running search: its reports as they come, and the line that ends it."""

    def __init__(self) -> None:
        self._reports: asyncio.Queue[Info | None] = asyncio.Queue()
        self._failure: Exception | None = None
        self.done = asyncio.Event()
        self.best = ""

    def report(self, line: str) -> None:
        """Takes an `info` line. `ProtocolError` if too many wait to be read."""
        if self._reports.qsize() >= _MOST_LINES:
            raise ProtocolError(f"more than {_MOST_LINES} reports that nobody has taken")
        try:
            self._reports.put_nowait(Info.parse(line))
        except ProtocolError as error:
            self.fail(error)

    def finish(self, line: str) -> None:
        """Takes the `bestmove` line."""
        self.best = line
        self.done.set()
        self._reports.put_nowait(None)

    def fail(self, failure: Exception) -> None:
        """The search ends without an answer."""
        if not self.done.is_set():
            self._failure = failure
            self.finish("")

    @property
    def ready(self) -> bool:
        """Whether `next` has something without waiting."""
        return not self._reports.empty()

    async def next(self) -> Info | None:
        """The next report; `None` once the search has ended."""
        report = await self._reports.get()
        if report is None:
            self._reports.put_nowait(None)
            if self._failure is not None:
                raise self._failure
        return report


class _Question:
    """Lines that wait for their answers: all lines up to the `count`-th that begins with `until`."""

    def __init__(self, until: tuple[str, ...], count: int) -> None:
        self._until = until
        self._count = count
        self._lines: list[str] = []
        self._bytes = 0
        self.answer: asyncio.Future[list[str]] = asyncio.get_running_loop().create_future()

    def take(self, line: str) -> None:
        """Takes a line of the answer. `ProtocolError` if it is more than any answer has."""
        self._bytes += len(line)
        if len(self._lines) >= _MOST_LINES or self._bytes > _MOST_BYTES:
            self._lines.clear()
            raise ProtocolError(f"no end of the answer after {_MOST_LINES} lines or {_MOST_BYTES} bytes")
        self._lines.append(line)
        self._count -= line.split(" ", 1)[0] in self._until
        if self._count == 0 and not self.answer.done():
            self.answer.set_result(self._lines)


class Wire:
    """A process that speaks SEI. One question is open at a time; a search may run beside it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._question: _Question | None = None
        self._errors: deque[str] = deque(maxlen=_LAST_ERRORS)
        self._failure: Exception | None = None
        self.search: Search | None = None
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._read_errors())]

    @classmethod
    async def start(cls, words: Sequence[str], env: Mapping[str, str] | None, cwd: str | Path | None) -> Wire:
        """Starts the program. `OSError` if it cannot be started."""
        pipe = asyncio.subprocess.PIPE
        # In a session of its own, so that Ctrl-C interrupts the caller and not the engine.
        apart = os.name == "posix"
        process = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, stderr=pipe, env=env, cwd=cwd, limit=_LONGEST_LINE, start_new_session=apart
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it has not ended, as far as is known."""
        return self._failure is None and self._process.returncode is None

    async def _read(self) -> None:
        failure: Exception | None = None
        try:
            assert self._process.stdout is not None
            while line := await self._process.stdout.readline():
                text = line.decode("utf-8", "replace").rstrip()
                _log.debug("%d < %s", self.pid, text)
                if text:
                    self._take(text)
        except ValueError:
            failure = ProtocolError(f"a line of more than {_LONGEST_LINE} bytes")
        except ProtocolError as error:
            failure = error
        if failure is not None:
            self.kill()
        try:
            returncode = await asyncio.wait_for(self._process.wait(), _GRACE)
        except asyncio.TimeoutError:  # Nothing more can be heard from it.
            self.kill()
            returncode = await self._process.wait()
        said = "".join(f"\n  {line}" for line in self._errors)
        ended = EngineTerminatedError(f"the engine has ended with status {returncode}{said}", returncode)
        self._failure = failure or ended
        if self.search is not None:
            self.search.fail(self._failure)
            self.search = None
        if self._question is not None and not self._question.answer.done():
            self._question.answer.set_exception(self._failure)

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        try:
            while line := await self._process.stderr.readline():
                self._errors.append(line[:_LONGEST_ERROR].decode("utf-8", "replace").rstrip())
        except ValueError:
            while await self._process.stderr.read(_LONGEST_LINE):
                pass

    def _take(self, line: str) -> None:
        word = line.split(" ", 1)[0]
        if self.search is not None and word == "info":
            self.search.report(line)
        elif self.search is not None and word == "bestmove":
            search, self.search = self.search, None
            search.finish(line)
        elif self._question is not None:
            self._question.take(line)
        else:
            _log.warning("nobody asked for: %s", line)

    def _write(self, lines: Sequence[str]) -> None:
        """The one place where lines are written. `ValueError` if one of them would be two: nothing is written then."""
        for line in lines:
            if "\n" in line or "\r" in line:
                raise ValueError(f"there is a line break in {line!r}")
        if self._failure is not None:
            raise self._failure
        assert self._process.stdin is not None
        for line in lines:
            _log.debug("%d > %s", self.pid, line)
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        except (BrokenPipeError, ConnectionResetError):
            pass  # The reader notices the end, and tells whoever waits.

    async def ask(
        self,
        lines: Sequence[str],
        until: tuple[str, ...],
        count: int,
        timeout: float | None,
        search: Search | None = None,
    ) -> list[str]:
        """Writes lines and returns their answers, up to the `count`-th line whose first word is in `until`. The lines
        begin `search`, if it is given.

        `EngineTimeoutError` if that takes longer than `timeout` seconds: then the process is killed.
        """
        question = self._question = _Question(until, count)
        try:
            self._write(lines)
            if search is not None:
                self.search = search
            return await asyncio.wait_for(question.answer, timeout)
        except asyncio.TimeoutError:
            self.kill()
            raise EngineTimeoutError(f"no answer to {lines[0]!r} in {timeout} s") from None
        except asyncio.CancelledError:
            self.kill()  # Half an answer is still to come, and nobody will take it.
            raise
        finally:
            self._question = None

    async def end_search(self, timeout: float | None) -> None:
        """Stops the search, if one runs, and waits for its `bestmove`, `timeout` seconds at most."""
        search = self.search
        if search is None:
            return
        try:
            self._write(["stop"])
            await asyncio.wait_for(search.done.wait(), timeout)
        except asyncio.TimeoutError:
            self.kill()
            raise EngineTimeoutError(f"no bestmove {timeout} s after stop") from None

    def kill(self) -> None:
        """Ends the process at once."""
        if self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                pass

    async def quit(self, timeout: float) -> int | None:
        """Asks the process to end, and kills it if it has not after `timeout` seconds; returns its exit status."""
        if self.alive:
            self._write(["quit"])
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), timeout)
        except asyncio.TimeoutError:
            self.kill()
        await asyncio.wait(self._tasks, timeout=timeout)
        for task in self._tasks:
            task.cancel()
        return self._process.returncode
