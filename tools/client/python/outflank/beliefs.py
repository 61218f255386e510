"""Rank probabilities of hidden pieces, as objects, as nested lists, and for numpy where the caller has it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload
from xml.sax.saxutils import escape

from .errors import NoBeliefError, ProtocolError
from .values import Rank, Square

if TYPE_CHECKING:
    import numpy

__all__ = ["Belief", "PieceBelief"]


def _percent(ppm: int) -> str:
    """Parts per million in percent: `<1` below a half, nothing for what is impossible."""
    return "" if ppm == 0 else "<1" if ppm < 5000 else f"{ppm / 1e4:.0f}"


def _table(pieces: Iterable[PieceBelief]) -> str:
    """A heat map in HTML. The page's own ground shines through, so that its text stays readable, light or dark."""
    heads = "".join(f'<th scope="col">{rank}</th>' for rank in Rank)
    rows = []
    for piece in pieces:
        cells = "".join(
            f'<td style="background:rgba(230,126,34,{0.6 * piece[rank] ** 0.5:.2f})">'
            f"{escape(_percent(piece.ppm[rank]))}</td>"
            for rank in Rank
        )
        state = "moved" if piece.moved else "still"
        rows.append(f'<tr><th scope="row">{escape(str(piece.place))}</th><td>{state}</td>{cells}</tr>')
    return f"<table><thead><tr><th></th><th></th>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True, slots=True)
class PieceBelief:
    """What is believed about one piece.

    `place` is its square, or a text such as `dead1` for a captured piece of unknown rank. `ppm` has all twelve ranks,
    in parts per million that sum to 1000000; a rank that is possible is never 0.
    """

    place: Square | str
    moved: bool
    ppm: Mapping[Rank, int] = field(hash=False)

    @classmethod
    def parse(cls, line: str) -> PieceBelief:
        """The belief of a `belief <square> <moved|still> F <n> ...` line."""
        words = line.split()
        try:
            ppm = {Rank.parse(rank): int(n) for rank, n in zip(words[3::2], words[4::2])}
            if len(ppm) != len(Rank) or words[2] not in ("moved", "still"):
                raise ValueError
            place = Square.parse(words[1]) if re.fullmatch(r"[a-j]\d+", words[1]) else words[1]
            return cls(place, words[2] == "moved", ppm)
        except (IndexError, ValueError):
            raise ProtocolError(f"this is no belief: {line!r}") from None

    def __getitem__(self, rank: Rank | str) -> float:
        """The probability of a rank, from 0 to 1."""
        return self.ppm[Rank.parse(rank)] / 1e6

    @property
    def likeliest(self) -> Rank:
        """The rank with the highest probability."""
        return max(Rank, key=lambda rank: self.ppm[rank])

    @property
    def possible(self) -> frozenset[Rank]:
        """The ranks that it may have."""
        return frozenset(rank for rank in Rank if self.ppm[rank])

    def probabilities(self) -> list[float]:
        """Twelve probabilities from 0 to 1, in the order F S 2 3 4 5 6 7 8 9 M B."""
        return [self.ppm[rank] / 1e6 for rank in Rank]

    def __str__(self) -> str:
        """Its ranks in percent, the likeliest first: `a6, moved: 4 31%, 5 22%, ...`."""
        ranks = sorted(self.possible, key=lambda rank: (-self.ppm[rank], rank))
        chances = ", ".join(f"{rank} {_percent(self.ppm[rank])}%" for rank in ranks)
        return f"{self.place}, {'moved' if self.moved else 'still'}: {chances}"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table with this piece alone."""
        return _table((self,))


@dataclass(frozen=True, slots=True)
class Belief(Sequence[PieceBelief]):
    """The beliefs about several pieces, in the order of the engine: Red's back row first, then the unknown dead."""

    pieces: tuple[PieceBelief, ...]

    @classmethod
    def parse(cls, lines: Iterable[str]) -> Belief:
        """The belief of several `belief` lines."""
        return cls(tuple(PieceBelief.parse(line) for line in lines))

    def __len__(self) -> int:
        return len(self.pieces)

    def __iter__(self) -> Iterator[PieceBelief]:
        return iter(self.pieces)

    @overload
    def __getitem__(self, index: int) -> PieceBelief: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[PieceBelief]: ...

    @overload
    def __getitem__(self, index: Square | str) -> PieceBelief: ...

    def __getitem__(self, index: int | slice | Square | str) -> PieceBelief | Sequence[PieceBelief]:
        """The belief of this number, or `at` a place."""
        return self.at(index) if isinstance(index, (Square, str)) else self.pieces[index]

    def __str__(self) -> str:
        """A table in text: a line for each piece, its ranks in percent, `.` where a rank is impossible."""
        lines = [" ".join([f"{'':12}", *(f"{rank.letter:>3}" for rank in Rank)])]
        for piece in self.pieces:
            cells = [f"{_percent(piece.ppm[rank]) or '.':>3}" for rank in Rank]
            lines.append(" ".join([f"{piece.place!s:6}{'moved' if piece.moved else 'still':6}", *cells]))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What a notebook shows: the same table, the darker the likelier."""
        return _table(self.pieces)

    def at(self, place: Square | str) -> PieceBelief:
        """The belief about the piece on a square, or about `dead1`; `NoBeliefError` if it has none."""
        for piece in self.pieces:
            if str(piece.place) == str(place):
                return piece
        raise NoBeliefError(place)

    def ranks(self, rank: Rank | str) -> dict[Square, float]:
        """For each square with a piece of this belief the probability of that rank, from 0 to 1."""
        return {piece.place: piece[rank] for piece in self.pieces if isinstance(piece.place, Square)}

    def lists(self) -> list[list[list[float]]]:
        """Probabilities as plain nested lists, 10 x 10 x 12: row (0 is Red's back row), file, rank as `Rank` iterates.

        Squares without a piece of this belief hold zeros. The dead are left out.
        """
        board = [[[0.0] * len(Rank) for _ in range(10)] for _ in range(10)]
        for piece in self.pieces:
            if isinstance(piece.place, Square):
                board[piece.place.row][piece.place.file] = piece.probabilities()
        return board

    def array(self) -> numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float64]]:
        """`lists()` as a numpy array of shape (10, 10, 12). `ImportError` without numpy, which nothing else needs."""
        import numpy

        return numpy.array(self.lists(), dtype=numpy.float64)
