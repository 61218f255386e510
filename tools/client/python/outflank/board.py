"""A position as one player knows it, with its text (SPN) and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from . import drawing
from .beliefs import Belief
from .pieces import LETTERED, Piece
from .values import Move, Rank, Side, Square

__all__ = ["Board", "Piece"]

_PIECE = re.compile(r"(?P<letter>[A-Za-z0-9?])(?P<moved>\+?)(?P<rescuer>\*?)(?:\[(?P<ranks>[FS2-9MBfsmb]+)\])?")


def _piece(
    found: re.Match[str], side: Side, rank: Rank | None, known: bool, square: Square | None = None
) -> Piece:
    ranks = frozenset(map(Rank.parse, found["ranks"])) if found["ranks"] else None
    moved = bool(found["moved"]) or _must_have_moved(square, side, ranks if rank is None else {rank})
    return Piece(side, rank, known, moved, bool(found["rescuer"]), ranks)


def _must_have_moved(square: Square | None, side: Side, ranks: Iterable[Rank] | None) -> bool:
    """Whether what stands there, outside its army's rows, must have moved. A bomb or flag there belongs to a study."""
    away = square is not None and not square.at_home(side)
    return away and (ranks is None or any(rank.mobile for rank in ranks))


def _row(text: str, row: int, unknown: Side | None) -> Iterator[tuple[Square, Piece]]:
    bad = ValueError(f"row {row + 1} of the board cannot be read: {text!r}")
    at = file = 0
    while at < len(text):
        if file > 9:
            raise bad
        if number := re.compile(r"\d+").match(text, at):
            squares = [Square(row, file + step) for step in range(min(int(number[0]), 10 - file))]
            if not squares or len(squares) < int(number[0]) or any(square.lake for square in squares):
                raise bad
            file, at = file + len(squares), number.end()
            continue
        here = Square(row, file)
        found = _PIECE.match(text, at)
        if text[at] == "_" and here.lake:
            at += 1
        elif found and not here.lake:
            letter = found["letter"]
            place = ord(letter.upper()) - ord("B")
            if letter == "?" and unknown is not None:
                yield here, _piece(found, unknown, None, False, here)
            elif letter != "?" and 0 <= place < 24:
                side = Side.RED if place < 12 else Side.BLUE
                yield here, _piece(found, side, Rank.parse(LETTERED[place % 12]), letter.islower(), here)
            else:
                raise bad
            at = found.end()
        else:
            raise bad
        file += 1
    if file != 10:
        raise bad


def _captured(text: str, side: Side) -> tuple[Piece, ...]:
    dead, at = [], 0
    while text != "-" and at < len(text):
        found = _PIECE.match(text, at)
        if not found:
            raise ValueError(f"the captured pieces cannot be read: {text!r}")
        rank = None if found["letter"] == "?" else Rank.parse(found["letter"])
        dead.append(_piece(found, side, rank, rank is not None and not found["ranks"]))
        at = found.end()
    return tuple(dead)


@dataclass(frozen=True, slots=True)
class Board:
    """A position as one player knows it. It has no rules: a `Position` or an engine has.

    `viewer` is whose knowledge it is, `None` where both armies are known. `captured` has the dead of each side,
    `quiet` the plies since the last strike, `ply` the plies since the game began. `keys` are the rules as the text
    has them, and `rescues` if there were any.
    """

    pieces: Mapping[Square, Piece] = field(hash=False)
    turn: Side = Side.RED
    viewer: Side | None = Side.RED
    captured: Mapping[Side, tuple[Piece, ...]] = field(default_factory=dict, hash=False)
    quiet: int = 0
    ply: int = 0
    keys: Mapping[str, str] = field(default_factory=dict, hash=False)

    @classmethod
    def parse(cls, text: str) -> Board:
        """The board of a position text. `ValueError` if it cannot be read; whether it can be, an engine says."""
        words = text.split()
        if len(words) < 6:
            raise ValueError("a position has six fields: board turn viewer captured quiet ply")
        rows, turn, viewer, captured, quiet, ply, *keys = words
        sides: dict[str, Side | None] = {"r": Side.RED, "b": Side.BLUE, "-": None}
        mover = sides.get(turn)
        if mover is None or viewer not in sides:
            raise ValueError(f"turn {turn!r} or viewer {viewer!r} cannot be read")
        holder = sides[viewer]
        if rows.count("/") != 9:
            raise ValueError("the board needs ten rows with / between")
        if captured.count(",") != 1 or not (quiet + ply).isdigit() or not all("=" in key for key in keys):
            raise ValueError(f"the fields after the board cannot be read: {' '.join(words[3:])}")
        pieces: dict[Square, Piece] = {}
        for row, text in zip(range(9, -1, -1), rows.split("/")):
            pieces.update(_row(text, row, holder.other if holder else None))
        dead = {side: _captured(ranks, side) for side, ranks in zip(Side, captured.split(","))}
        values = {key: value for key, _, value in (word.partition("=") for word in keys)}
        return cls(pieces, mover, holder, dead, int(quiet), int(ply), values)

    def spn(self) -> str:
        """The position text, as `parse` and the engine read it."""
        rows = []
        for row in range(9, -1, -1):
            text = "".join(self._place(Square(row, file)) for file in range(10))
            rows.append(re.sub(r" +", lambda empty: str(len(empty[0])), text))
        captured = ",".join(self._dead(side) or "-" for side in Side)
        viewer = "-" if self.viewer is None else self.viewer.letter
        fields = ["/".join(rows), self.turn.letter, viewer, captured, str(self.quiet), str(self.ply)]
        return " ".join(fields + [f"{key}={value}" for key, value in self.keys.items()])

    def _place(self, square: Square) -> str:
        piece = self.pieces.get(square)
        return ("_" if square.lake else " ") if piece is None else piece._on_board()

    def _dead(self, side: Side) -> str:
        return "".join(piece.label + piece._marks() for piece in self.captured.get(side, ()))

    def __getitem__(self, square: Square | str) -> Piece | None:
        """The piece on a square, `None` on an empty one."""
        return self.pieces.get(Square.parse(square))

    def side(self, side: Side) -> dict[Square, Piece]:
        """The living pieces of a side."""
        return {square: piece for square, piece in self.pieces.items() if piece.side is side}

    def hidden(self) -> tuple[Square, ...]:
        """The squares of enemy pieces whose rank the viewer does not know."""
        return tuple(sorted(square for square, piece in self.pieces.items() if piece.rank is None))

    def svg(
        self,
        size: int = 480,
        *,
        below: Side | str | None = None,
        heat: Mapping[Square, float] | None = None,
        arrows: Iterable[Move] = (),
        title: str = "",
    ) -> str:
        """The position as an SVG picture, `size` pixels wide.

        `below` is the side that sits at the lower edge, the viewer's if it is not given. `heat` shades squares by a
        value from 0 to 1 and prints it in percent; `arrows` are drawn from a move's origin to its target.
        """
        side = Side.parse(below or self.viewer or Side.RED)
        return drawing.board(self.pieces, size, side, heat or {}, tuple(arrows), title, label=title or self.spn())

    def heat_svg(self, rank: Rank | str, belief: Belief, size: int = 480, *, below: Side | str | None = None) -> str:
        """A heat map as an SVG picture: the probability, in percent, that each piece of `belief` has the rank."""
        rank = Rank.parse(rank)
        return self.svg(size, below=below, heat=belief.ranks(rank), title=f"Where a {rank.name.lower()} may be")

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def __str__(self) -> str:
        """A drawing in text: Red's pieces plain, Blue's in brackets, unknown ranks as `?`, Red below."""
        lines = []
        for row in range(9, -1, -1):
            cells = []
            for file in range(10):
                square = Square(row, file)
                piece = self.pieces.get(square)
                if piece is None:
                    cells.append("~~~" if square.lake else " . ")
                else:
                    cells.append(f"[{piece.label}]" if piece.side is Side.BLUE else f" {piece.label} ")
            lines.append(f"{row + 1:>2} {' '.join(cells)}".rstrip())
        return "\n".join([*lines, "    " + "   ".join("abcdefghij")])
