"""The one file that all records come into, each once."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from outflank.files import add, lock, mend

__all__ = ["RecordFile", "RecordFileError"]


# What every record has; the arena's own reader looks closer.
KEYS = ("game", "rules", "players", "setups", "moves", "outcome")


class RecordFileError(Exception):
    """The file is in use, or holds what it should not."""


class RecordFile:
    """A file of records that is only appended to, and locked as the arena locks it: neither writes to the other's.

    What is in it is gone on with; a last line cut short is put into a new file beside it, which a line on stderr names.
    Lines stay on the disk: only their places are remembered.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if self.path.exists() and not self.path.is_file():
            raise RecordFileError(f"{self.path} is no regular file")
        self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._places: dict[int, tuple[int, int]] = {}
        self._length = 0
        try:
            self._lock()
            self._look_through()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            lock(self._file, self.path)
        except BlockingIOError:
            raise RecordFileError(f"{self.path}: another process is writing to it") from None

    def _look_through(self) -> None:
        self._length, aside = mend(self._file, self.path, self._note)
        if aside is not None:
            print(f"{self.path}: its last line was cut short; it is in {aside} now", file=sys.stderr, flush=True)

    def _note(self, line: bytes, start: int, number: int) -> None:
        place = f"{self.path}, line {number}"
        try:
            record = json.loads(line)
            lacking = [key for key in KEYS if key not in record]
            if lacking:
                raise ValueError(f"it lacks {', '.join(lacking)}")
            game = int(record["game"])
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise RecordFileError(f"{place}: no record ({error})") from error
        if game in self._places:
            raise RecordFileError(f"{place}: game {game} is there twice")
        self._places[game] = (start, len(line))

    def _is_there(self) -> bool:
        """Whether the path still leads to this file, and no line of it is missing."""
        try:
            found, own = os.stat(self.path), os.fstat(self._file)
        except FileNotFoundError:
            return False
        return os.path.samestat(found, own) and own.st_size >= self._length

    def close(self) -> None:
        """Lets others write to it."""
        os.close(self._file)

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, game: object) -> bool:
        return game in self._places

    def lines(self, games: Iterable[int]) -> list[str]:
        """The records of those of the games that are here, without the shard they were played in."""
        places = (self._places[game] for game in games if game in self._places)
        return [plain(json.loads(os.pread(self._file, length, start))) for start, length in places]

    def sample(self, most: int) -> list[str]:
        """The records of at most so many games, evenly from the first on."""
        games = sorted(self._places)
        return self.lines(games[:: -(-len(games) // most) or 1])

    def add(self, records: Iterable[dict[str, Any]]) -> int:
        """Appends the records of games that are not here yet, and returns how many these were.

        They are on the disk when it returns. If they cannot be written, no part of them stays.
        """
        fresh: dict[int, bytes] = {}
        for record in records:
            if record["game"] not in self._places:
                fresh.setdefault(record["game"], plain(record).encode())
        if not fresh:
            return 0
        text = b"".join(fresh.values())
        if not self._is_there():
            raise RecordFileError(f"{self.path}: it was removed, replaced or cut short meanwhile")
        try:
            add(self._file, text)
            os.fsync(self._file)
        except BaseException:
            # Also where all was written and only the disk refused it.
            os.ftruncate(self._file, self._length)
            raise
        for game, line in fresh.items():
            self._places[game] = (self._length, len(line))
            self._length += len(line)
        return len(fresh)


def plain(record: dict[str, Any]) -> str:
    """The line of a record in a whole match: as the arena writes it, without a shard."""
    whole = {key: value for key, value in record.items() if key != "shard"}
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n"
