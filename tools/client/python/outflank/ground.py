"""The geometry of the board and the table of strikes, on squares as numbers from 0 (a1) to 99 (j10)."""

from __future__ import annotations

from .values import Outcome, Rank, Square

__all__ = ["BESIDE", "LINES", "borders", "strike"]


def _line(square: Square, up: int, aside: int) -> tuple[int, ...]:
    """The squares from one onwards in a direction, up to the edge or a lake."""
    squares = []
    row, file = square.row + up, square.file + aside
    while 0 <= row < 10 and 0 <= file < 10 and not Square(row, file).lake:
        squares.append(10 * row + file)
        row, file = row + up, file + aside
    return tuple(squares)


_WAYS = ((1, 0), (-1, 0), (0, 1), (0, -1))
LINES = tuple(tuple(line for way in _WAYS if (line := _line(square, *way))) for square in Square.all())
"""For each square the lines of open ground that lead away from it, the nearest square first."""

BESIDE = tuple(tuple(line[0] for line in lines) for lines in LINES)
"""For each square those one step away."""


def borders(origin: int, target: int) -> range:
    """The borders that a straight way crosses, each as the lower square with the direction in its sign."""
    low, high = min(origin, target), max(origin, target)
    if high - low < 10:
        return range(low, high)
    # The sign says whether a border is between rows or between files.
    return range(-low - 1, -high - 1, -10)


def strike(striker: Rank, defender: Rank, aggressor: bool) -> Outcome:
    """How a strike ends for the striker."""
    if defender is Rank.FLAG or (striker is Rank.SPY and defender is Rank.MARSHAL):
        return Outcome.WON
    if defender is Rank.BOMB:
        return Outcome.WON if striker is Rank.MINER else Outcome.LOST
    if striker is defender:
        return Outcome.WON if aggressor else Outcome.TIED
    return Outcome.WON if defender < striker else Outcome.LOST
