"""Pieces as the holder of a position knows them."""

from __future__ import annotations

from dataclasses import dataclass

from .values import Rank, Side

__all__ = ["LETTERED", "Piece"]

# The letters of a board: Red's `B` to `M` in this order, Blue's twelve letters further on.
LETTERED = "BS23456789MF"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as the holder of a position knows it, on the board or captured.

    `rank` is `None` where the viewer does not know it. `known` says whether the other side knows the rank. `moved` and
    `rescuer` say whether it has moved and made a rescue. `ranks` is the set in brackets, if there is one: what an
    unknown piece may still be, or what the other side cannot exclude for a piece whose rank the viewer knows.
    """

    side: Side
    rank: Rank | None
    known: bool = False
    moved: bool = False
    rescuer: bool = False
    ranks: frozenset[Rank] | None = None

    @property
    def label(self) -> str:
        """The letter of its rank, or `?`."""
        return "?" if self.rank is None else self.rank.letter

    def _marks(self) -> str:
        ranks = "" if self.ranks is None else f"[{''.join(rank.letter for rank in sorted(self.ranks))}]"
        return "+" * self.moved + "*" * self.rescuer + ranks

    def _on_board(self) -> str:
        if self.rank is None:
            return "?" + self._marks()
        letter = chr(ord("B") + LETTERED.index(self.rank.letter) + 12 * (self.side is Side.BLUE))
        return (letter.lower() if self.known else letter) + self._marks()
