"""Value types of the protocol: sides, ranks, squares, moves and plies. Each parses its text and prints it again."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass, field, replace

__all__ = ["LAKES", "Move", "Outcome", "Ply", "Rank", "Rescue", "Result", "Side", "Square"]


class Side(enum.Enum):
    """A player. Red moves first and begins on rows 1 to 4."""

    RED = "red"
    BLUE = "blue"

    @classmethod
    def parse(cls, text: str | Side) -> Side:
        """The side of `red`, `blue`, `r` or `b`, in either case; `ValueError` for any other text."""
        if isinstance(text, Side):
            return text
        for side in cls:
            if text.lower() in (side.value, side.letter):
                return side
        raise ValueError(f"{text!r} is no side: red or blue")

    @property
    def letter(self) -> str:
        """`r` or `b`, as in a position text."""
        return self.value[0]

    @property
    def other(self) -> Side:
        """The enemy."""
        return Side.BLUE if self is Side.RED else Side.RED

    def __str__(self) -> str:
        return self.value


class Rank(enum.Enum):
    """A rank. The higher number wins; iteration gives the protocol's order F S 2 3 4 5 6 7 8 9 M B."""

    FLAG = "F"
    SPY = "S"
    SCOUT = "2"
    MINER = "3"
    SERGEANT = "4"
    LIEUTENANT = "5"
    CAPTAIN = "6"
    MAJOR = "7"
    COLONEL = "8"
    GENERAL = "9"
    MARSHAL = "M"
    BOMB = "B"

    @classmethod
    def parse(cls, text: str | int | Rank) -> Rank:
        """The rank of a letter or number in either case (`M`, `9`, 9) or of an English name; else `ValueError`."""
        if isinstance(text, Rank):
            return text
        word = str(text).upper()
        for rank in cls:
            if word in (rank.value, rank.name):
                return rank
        raise ValueError(f"{text!r} is no rank: one of F S 2 3 4 5 6 7 8 9 M B")

    @property
    def letter(self) -> str:
        """The letter of the protocol."""
        return self.value

    @property
    def index(self) -> int:
        """Its place in the protocol's order, from 0 (flag) to 11 (bomb)."""
        return "FS23456789MB".index(self.value)

    @property
    def mobile(self) -> bool:
        """Whether pieces of this rank can move: all but flag and bomb."""
        return self not in (Rank.FLAG, Rank.BOMB)

    def __str__(self) -> str:
        return self.value

    def __lt__(self, other: Rank) -> bool:
        return self.index < other.index


@dataclass(frozen=True, order=True, slots=True, repr=False)
class Square:
    """A square of the board: `row` 0 is Red's back row, `file` 0 is Red's left. It prints as `a1` to `j10`."""

    row: int
    file: int

    def __post_init__(self) -> None:
        if not (0 <= self.row < 10 and 0 <= self.file < 10):
            raise ValueError(f"file {self.file} and row {self.row} are not on the board")

    @classmethod
    def parse(cls, text: str | Square) -> Square:
        """The square of a text such as `e4`; `k` means the tenth file too. Any other text is a `ValueError`."""
        if isinstance(text, Square):
            return text
        found = re.fullmatch(r"([a-k])([1-9]|10)", text.lower())
        if not found:
            raise ValueError(f"{text!r} is no square: a1 to j10")
        return cls(int(found[2]) - 1, min("abcdefghijk".index(found[1]), 9))

    @classmethod
    def all(cls) -> tuple[Square, ...]:
        """All hundred squares, lakes among them, Red's back row first."""
        return tuple(cls(row, file) for row in range(10) for file in range(10))

    @property
    def index(self) -> int:
        """10 x row + file: a1 is 0, j1 is 9, j10 is 99."""
        return 10 * self.row + self.file

    @property
    def lake(self) -> bool:
        """Whether it is part of a lake, where no piece can stand."""
        return self.row in (4, 5) and self.file in (2, 3, 6, 7)

    def at_home(self, side: Side) -> bool:
        """Whether it is in the four rows where a side sets up its army."""
        return self.row < 4 if side is Side.RED else self.row > 5

    def __str__(self) -> str:
        return f"{'abcdefghij'[self.file]}{self.row + 1}"

    def __repr__(self) -> str:
        return f"Square.parse({str(self)!r})"


LAKES: frozenset[Square] = frozenset(square for square in Square.all() if square.lake)
"""The eight squares of the two lakes."""


class Outcome(enum.Enum):
    """How a strike ended for the striker."""

    WON = "W"
    LOST = "L"
    TIED = "T"

    def __str__(self) -> str:
        return self.value


def _rank_or_unknown(text: str) -> Rank | None:
    return None if text == "?" else Rank.parse(text)


def _letter(rank: Rank | None) -> str:
    return "?" if rank is None else rank.letter


@dataclass(frozen=True, slots=True)
class Rescue:
    """A captured piece that a move brings back: its rank (`None` where it is not shown) and its square."""

    rank: Rank | None
    square: Square

    def __str__(self) -> str:
        return f"+{_letter(self.rank)}@{self.square}"


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What is shown of a strike: its outcome for the striker and both ranks, `None` for a rank that is not shown."""

    outcome: Outcome
    striker: Rank | None
    defender: Rank | None

    @classmethod
    def parse(cls, text: str | Result) -> Result:
        """The result of a text such as `W95` or `L6?`; any other text is a `ValueError`."""
        if isinstance(text, Result):
            return text
        found = re.fullmatch(r"=?([WLT])([?FS2-9MB])([?FS2-9MB])", text.upper())
        if not found:
            raise ValueError(f"{text!r} is no result of a strike, such as W95 or L6?")
        return cls(Outcome(found[1]), _rank_or_unknown(found[2]), _rank_or_unknown(found[3]))

    def __str__(self) -> str:
        return f"{self.outcome}{_letter(self.striker)}{_letter(self.defender)}"

    def __repr__(self) -> str:
        return f"Result.parse({str(self)!r})"


_MOVE = re.compile(
    r"(?P<origin>[a-k](?:10|[1-9]))(?P<strike>x?)(?P<target>[a-k](?:10|[1-9]))"
    r"(?:\+(?P<rank>[?fs2-9mb])@(?P<place>[a-k](?:10|[1-9])))?(?:=(?P<result>[wlt][?fs2-9mb]{2}))?",
)


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """Where a piece goes: `a4a5`, the strike `e4xe5`, or with a rescue `b9b10+5@c2`.

    `strike` says whether the text has an `x`. The protocol takes a move with or without it, so it does not count
    when two moves are compared.
    """

    origin: Square
    target: Square
    strike: bool = field(default=False, compare=False)
    rescue: Rescue | None = None

    @classmethod
    def parse(cls, text: str | Move) -> Move:
        """The move of a text without a result; any other text is a `ValueError`."""
        if isinstance(text, Move):
            return text
        ply = Ply.parse(text)
        if ply.result is not None:
            raise ValueError(f"{text!r} tells a result: it is a ply, not a move")
        return ply.move

    def with_result(self, result: str | Result) -> Ply:
        """This move as a strike that has happened: `move.with_result("W95")`."""
        return Ply(replace(self, strike=True), Result.parse(result))

    def __str__(self) -> str:
        return f"{self.origin}{'x' if self.strike else ''}{self.target}{self.rescue or ''}"

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"


@dataclass(frozen=True, slots=True, repr=False)
class Ply:
    """One action of one side as it is reported to an engine: a move, and the result if it was a strike."""

    move: Move
    result: Result | None = None

    @classmethod
    def parse(cls, text: str | Move | Ply) -> Ply:
        """The ply of a text such as `a4a5` or `e4xe5=W95`; any other text is a `ValueError`."""
        if isinstance(text, Ply):
            return text
        if isinstance(text, Move):
            return cls(text)
        found = _MOVE.fullmatch(text.lower())
        if not found:
            raise ValueError(f"{text!r} is no move")
        result = Result.parse(found["result"]) if found["result"] else None
        rescue = None
        if found["rank"]:
            rescue = Rescue(_rank_or_unknown(found["rank"]), Square.parse(found["place"]))
        strike = bool(found["strike"]) or result is not None
        return cls(Move(Square.parse(found["origin"]), Square.parse(found["target"]), strike, rescue), result)

    def __str__(self) -> str:
        return f"{self.move}{'=' if self.result else ''}{self.result or ''}"

    def __repr__(self) -> str:
        return f"Ply.parse({str(self)!r})"
