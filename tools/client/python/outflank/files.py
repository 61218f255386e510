"""Files of records that are resumed, and files that appear whole. Callers use `Record`."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Iterable
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]

__all__ = ["add", "lock", "mend", "write_whole"]

_BEGINNING = b'{"game":'
_BOM = b"\xef\xbb\xbf"


def mend(file: int, path: Path, look: Callable[[bytes, int, int], None]) -> tuple[int, Path | None]:
    """Looks at every line of an open file of records, and lets it end with a whole line.

    `look` gets each line that is not empty, the place at which it begins and its number; it raises `ValueError` if the
    line is none of ours, and then nothing changes. A last record that lacks only its end gets it; the beginning of one,
    which a kill left, is put into a new file beside it. Returns the length of the file and the path of that new one.
    """
    length, tail = 0, b""
    os.lseek(file, 0, os.SEEK_SET)
    with open(file, "rb", closefd=False) as lines:
        for number, line in enumerate(lines, 1):
            start = length + len(_BOM) * (number == 1 and line.startswith(_BOM))
            text = line[start - length :]
            if not line.endswith(b"\n") and _is_torn(text):
                tail = line
                break
            if text.strip():
                look(text, start, number)
            length += len(line)
            tail = b"" if line.endswith(b"\n") else b"\n"
    if tail == b"\n":
        return length + os.write(file, tail), None
    if not tail:
        return length, None
    aside = _set_aside(path, tail)
    os.ftruncate(file, length)
    return length, aside


def _is_torn(line: bytes) -> bool:
    """Whether a line is the beginning of a record, or NULs after it, and no whole one: somebody else's text is not."""
    kept = line.rstrip(b"\0")
    if not line or not (kept.startswith(_BEGINNING) or _BEGINNING.startswith(kept)):
        return False
    if kept != line:
        # What a power cut leaves.
        return True
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _set_aside(path: Path, text: bytes) -> Path:
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.torn-{number}")
        try:
            with open(aside, "xb") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            return aside
        except FileExistsError:
            number += 1


def lock(file: int, path: Path) -> None:
    """Keeps others that do the same, a running match among them, from an open file until it is closed.

    `BlockingIOError` if another process has it. Windows has no such lock.
    """
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BlockingIOError(error.errno, "another process is writing to it", str(path)) from None


def add(file: int, text: bytes) -> None:
    """Writes behind an open file all of a text, or nothing: after an error the file is as long as before."""
    length, left = os.lseek(file, 0, os.SEEK_END), memoryview(text)
    try:
        while left:
            left = left[os.write(file, left) :]
    except BaseException:
        os.ftruncate(file, length)
        raise


def write_whole(path: str | os.PathLike[str], parts: Iterable[str]) -> None:
    """Writes a file of these parts: it appears at once, in the place of one that may be there, or not at all."""
    place = Path(os.path.realpath(path))
    if place.exists() and not place.is_file():
        # A pipe or a device, which nothing can take the place of.
        with open(place, "w", encoding="utf-8", newline="\n") as special:
            special.writelines(parts)
        return
    beside = place.with_name(f".{place.name}-{secrets.token_hex(8)}")
    try:
        with open(beside, "x", encoding="utf-8", newline="\n") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            os.chmod(beside, place.stat().st_mode & 0o7777)
        os.replace(beside, place)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
