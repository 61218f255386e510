"""What runs on a worker: the program that plays one shard, with its records handed over as games end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from outflank.wire import find_program

from . import guard

__all__ = ["Ended", "Message", "Played", "Share", "Started", "find", "play_share"]

PROGRAM = ("outflank-arena", "OUTFLANK_ARENA")
# How often the file is looked at, and how long a program may take to end when it is asked to, in seconds.
LOOK, PATIENCE = 0.2, 5.0
# What is kept of the program's complaints, in characters.
COMPLAINTS = 4000
FOLDERS = "outflank-cluster"


@dataclass(frozen=True, slots=True)
class Share:
    """A shard to be played. `known` are the records of its games that need not be played again."""

    program: str | None
    words: tuple[str, ...]
    known: tuple[str, ...]
    directory: str


@dataclass(frozen=True, slots=True)
class Started:
    """The program runs, as this process of that machine."""

    host: str
    pid: int


@dataclass(frozen=True, slots=True)
class Played:
    """Games are over: a line for each."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The program has ended with this status, and what it said on stderr."""

    host: str
    status: int
    complaints: str


Message = Started | Played | Ended


def find(told: str | None) -> str:
    """The program that plays: the one told, or as `outflank` finds its programs. `FileNotFoundError` without one."""
    return told or find_program(*PROGRAM)


def play_share(share: Share) -> Iterator[Message]:
    """Plays a shard. Whatever ends the iteration ends the program, and the program its engines."""
    sweep()
    host = socket.gethostname()
    with tempfile.TemporaryDirectory(prefix=f"{FOLDERS}-{host}-{os.getpid()}-") as folder:
        records, complaints = Path(folder) / "shard.jsonl", Path(folder) / "complaints"
        records.write_text("".join(share.known), encoding="utf-8", newline="\n")
        tail = Tail(records)
        with complaints.open("wb") as errors:
            process = start(share, records, errors.fileno())
        try:
            yield Started(host, process.pid)
            over = False
            while not over:
                over = process.poll() is not None  # Asked first: what is read then is all there is.
                if lines := tail.lines():
                    yield Played(lines)
                with suppress(subprocess.TimeoutExpired):
                    process.wait(LOOK)
        finally:
            end(process)
        yield Ended(host, process.returncode, complaints.read_text(encoding="utf-8", errors="replace")[-COMPLAINTS:])


def start(share: Share, records: Path, errors: int) -> subprocess.Popen[bytes]:
    """The program, in a process group of its own, so that nothing meant for the worker reaches it."""
    words = [find(share.program), *share.words, f"--out={records}", "--resume"]
    # The programs of this environment are found by their names alone.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    # Relative paths mean what they meant where the command was given, if that directory is here too.
    directory = share.directory if os.path.isdir(share.directory) else str(records.parent)
    return subprocess.Popen(
        [sys.executable, "-I", "-S", guard.__file__, str(os.getpid()), *words], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=errors, cwd=directory, env=os.environ | {"PATH": path},
        start_new_session=True,
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """Asks the program to end its engines and itself, and insists."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def sweep() -> None:
    """Removes the folders of workers of this machine that were killed."""
    prefix = f"{FOLDERS}-{socket.gethostname()}-"
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        pid = folder.name.removeprefix(prefix).partition("-")[0]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, OSError):
            pass  # Not one of ours, or of another user.


class Tail:
    """The whole lines that a file grows by."""

    def __init__(self, path: Path) -> None:
        self.path, self.place = path, path.stat().st_size

    def lines(self) -> tuple[str, ...]:
        """Those since the last call."""
        with self.path.open("rb") as file:
            file.seek(self.place)
            whole, newline, _ = file.read().rpartition(b"\n")
        self.place += len(whole) + len(newline)
        return tuple(line for line in whole.decode().split("\n") if line)
