"""What one ply changes of a position: pieces, turn, and what the repetition rules remember."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .ground import BESIDE, LINES
from .outcome import GameOutcome
from .values import Ply, Rank, Side, Square

__all__ = ["EMPTY", "Man", "SQUARES", "State", "Went"]

EMPTY = -1
SQUARES = Square.all()


class Man(NamedTuple):
    """A piece. `rank` is `None` where nobody knows it; `known` says whether the other side was shown it."""

    side: Side
    rank: Rank | None
    moved: bool = False
    known: bool = False

    @property
    def fixed(self) -> bool:
        """Whether it is known that it cannot move."""
        return self.rank is not None and not self.rank.mobile


class Went(NamedTuple):
    """An action of a side: which of its pieces went where."""

    man: int
    origin: int
    target: int


@dataclass(slots=True)
class State:
    """A position with its past as far as rules ask for it.

    `places` has the number of the piece on each square, `men` each piece by its number, `dead` the numbers of those
    that fell. `went` are the last actions of each side, the latest last; `chase` the counters of *more squares*;
    `rescuers` who made a rescue; `ply` what led here.
    """

    places: list[int]
    men: list[Man]
    turn: Side = Side.RED
    dead: tuple[int, ...] = ()
    quiet: int = 0
    went: dict[Side, tuple[Went, ...]] = field(default_factory=lambda: {side: () for side in Side})
    chase: dict[Side, int] = field(default_factory=lambda: {side: 0 for side in Side})
    rescuers: tuple[int, ...] = ()
    ply: Ply | None = None
    outcome: GameOutcome | None = None

    def next(self) -> State:
        """A copy that a ply may change."""
        places, men = self.places.copy(), self.men.copy()
        return replace(self, places=places, men=men, went=dict(self.went), chase=dict(self.chase))

    def man(self, square: int) -> Man | None:
        """The piece on a square."""
        number = self.places[square]
        return None if number == EMPTY else self.men[number]

    def enemy_beside(self, square: int, side: Side) -> bool:
        """Whether a piece of the other side stands next to a square."""
        beside = (self.places[next] for next in BESIDE[square])
        return any(number != EMPTY and self.men[number].side is not side for number in beside)

    def reach(self, origin: int, far_strikes: bool) -> Iterator[int]:
        """Where the piece on a square could go if no rule forbade repetitions. One of unknown rank goes one step."""
        man = self.man(origin)
        if man is None or man.fixed:
            return
        longest = 9 if man.rank is Rank.SCOUT else 1
        for line in LINES[origin]:
            for steps, target in enumerate(line[:longest]):
                other = self.man(target)
                if other is None or (other.side is not man.side and (steps == 0 or far_strikes)):
                    yield target
                if other is not None:
                    break

    def origins(self, side: Side) -> list[int]:
        """The squares of a side's pieces, Red's back row first."""
        return [at for at, number in enumerate(self.places) if number != EMPTY and self.men[number].side is side]
