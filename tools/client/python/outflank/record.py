"""Records of whole games, with the truth about both armies: one JSON object on one line (`docs/records.md`)."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .answers import Rules
from .errors import RecordError
from .files import add, lock, mend, write_whole
from .outcome import GameOutcome
from .position import Position
from .values import Ply, Side

__all__ = ["Player", "Record"]

_log = logging.getLogger("outflank")


def _look(line: bytes, path: Path, number: int) -> None:
    try:
        Record.parse(line.decode())
    except ValueError as error:
        raise RecordError(f"{path}, line {number}: {error}") from error


@dataclass(frozen=True, slots=True)
class Player:
    """Who played a side: the name in the match, its kind (`engine`, `sei`, `human`, ...), and all that is recorded of it."""

    name: str
    kind: str
    told: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A recorded game. `data` is the JSON object as it is, unknown keys and their order included."""

    data: dict[str, Any] = field(hash=False)

    @classmethod
    def parse(cls, line: str) -> Record:
        """The record of a line. `RecordError` if it is no record."""
        try:
            # Some editors put a byte order mark before the first line.
            record = cls(json.loads(line.removeprefix("\ufeff")))
            record._check()
        except RecordError:
            raise
        except KeyError as error:
            raise RecordError(f"no record: it lacks {error}") from error
        except RecursionError:
            raise RecordError("no record: it is nested too deeply") from None
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
            raise RecordError(f"no record: {error}") from error
        return record

    def _check(self) -> None:
        """Raises one of many exceptions if something cannot be what it should be."""
        if not isinstance(self.data, dict):
            raise RecordError("a record is a JSON object")
        lacking = [key for key in ("game", "rules", "players", "setups", "moves", "outcome") if key not in self.data]
        if lacking:
            raise RecordError(f"the record lacks {', '.join(lacking)}")
        _ = self.game, self.rules, self.players, self.setups, self.moves, self.outcome, self.plies
        _ = self.nodes, self.clocks

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Iterator[Record]:
        """The records of a file, one after the other. Empty lines are passed over. `RecordError` at a line that is none."""
        with open(path, encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    try:
                        yield cls.parse(line)
                    except RecordError as error:
                        raise RecordError(f"{os.fspath(path)}, line {number}: {error}") from error

    @staticmethod
    def write(path: str | os.PathLike[str], records: Iterable[Record], append: bool = False) -> None:
        """Writes records to a file, one on each line: the whole file at once, or with `append` behind those that it has.

        `RecordError` if a file to append to has a line that is no record, `BlockingIOError` if another process, such as a
        running match, is writing to it; then it stays as it is. A last line that was cut short is put into a new file
        beside it, and a warning logged that names it.
        """
        lines = (f"{record}\n" for record in records)
        if not append:
            return write_whole(path, lines)
        # They may come from the same file.
        place, text = Path(path), "".join(lines).encode()
        if place.exists() and not place.is_file():
            # A pipe or a device, which has no lines to mend.
            place.write_bytes(text)
            return
        with open(place, "a+b", buffering=0) as file:
            lock(file.fileno(), place)
            _, aside = mend(file.fileno(), place, lambda line, _, number: _look(line, place, number))
            if aside is not None:
                _log.warning("%s: its last line was cut short; it is in %s now", place, aside)
            add(file.fileno(), text)

    def __str__(self) -> str:
        """The record on one line."""
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))

    @property
    def game(self) -> int:
        """The game's number in its match, from 0."""
        return int(self.data["game"])

    @property
    def rules(self) -> Rules:
        """The rules it was played under."""
        return Rules.parse(self.data["rules"])

    @property
    def players(self) -> dict[Side, Player]:
        """Who played each side."""
        players = zip(Side, self.data["players"], strict=True)
        return {side: Player(recorded["name"], recorded["player"], recorded) for side, recorded in players}

    @property
    def setups(self) -> dict[Side, str]:
        """Both setups as their owners see them, back row first."""
        return dict(zip(Side, self.data["setups"], strict=True))

    @property
    def moves(self) -> tuple[Ply, ...]:
        """The plies in order, strikes with their whole result."""
        return tuple(Ply.parse(move) for move in self.data["moves"])

    def __iter__(self) -> Iterator[Position]:
        """The positions of the game, both armies known: before the first ply, then after each.

        `ValueError` at a ply that the rules do not allow.
        """
        position = Position(self.rules, self.setups[Side.RED], self.setups[Side.BLUE])
        yield position.copy()
        for ply in self.moves:
            position.push(ply)
            yield position.copy()

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes searched for each ply; empty if they were not recorded."""
        return tuple(self.data.get("nodes", ()))

    @property
    def clocks(self) -> tuple[float, ...]:
        """Seconds taken for each ply; empty if they were not recorded."""
        return tuple(milliseconds / 1000 for milliseconds in self.data.get("clocks", ()))

    @property
    def outcome(self) -> GameOutcome:
        """How it ended."""
        outcome = self.data["outcome"]
        winner = None if outcome["winner"] in ("draw", "none") else Side.parse(outcome["winner"])
        return GameOutcome(winner, outcome["reason"], outcome.get("fault"))

    @property
    def plies(self) -> int:
        """How many plies were played."""
        return int(self.data.get("plies", len(self.data["moves"])))

    def points(self, name: str) -> float:
        """The points of the player of that name: 1, 0.5 or 0. `KeyError` if nobody has the name, `ValueError` if the
        game is unfinished."""
        if self.outcome.reason == "unfinished":
            raise ValueError("the game is unfinished")
        for side, player in self.players.items():
            if player.name == name:
                return 0.5 if self.outcome.winner is None else float(self.outcome.winner is side)
        raise KeyError(name)
