"""SVG pictures of boards. `Board.svg` is the way in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from .pieces import Piece
from .values import Move, Side, Square

__all__ = ["board"]

_TILE = 40
_MARGIN = 20
_FILL = {Side.RED: "#c0392b", Side.BLUE: "#2c5f9e"}


def _corner(square: Square, below: Side) -> tuple[int, int]:
    """The upper left corner of a square, in units of the picture."""
    file, row = (square.file, 9 - square.row) if below is Side.RED else (9 - square.file, square.row)
    return _MARGIN + _TILE * file, _MARGIN + _TILE * row


def _text(x: float, y: float, text: str, size: int, fill: str = "#333", weight: str = "normal") -> str:
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" font-weight="{weight}" '
        f'text-anchor="middle">{escape(text)}</text>'
    )


def _rect(square: Square, below: Side, inset: int, look: str) -> str:
    x, y = _corner(square, below)
    edge = _TILE - 2 * inset
    return f'<rect x="{x + inset}" y="{y + inset}" width="{edge}" height="{edge}" rx="{inset}" {look}/>'


def _ground(square: Square, below: Side) -> str:
    fill = "#8fb7d9" if square.lake else "#efe6d0" if (square.file + square.row) % 2 else "#e6dabd"
    return _rect(square, below, 0, f'fill="{fill}" stroke="#cbbd98"')


def _warmth(square: Square, below: Side, warmth: float) -> str:
    """A value from 0 to 1 in percent, on a ground that is the darker the higher it is."""
    x, y = _corner(square, below)
    shade = min(1.0, max(0.0, warmth)) ** 0.5
    label = _text(x + _TILE / 2, y + 25, f"{100 * warmth:.0f}", 14, "#111111", "bold")
    ground = _rect(square, below, 5, 'fill="#ffffff"')
    return ground + _rect(square, below, 5, f'fill="#e67e22" fill-opacity="{shade:.3f}"') + label


def _piece(piece: Piece, square: Square, below: Side) -> str:
    """A tile with its rank. A dot in the corner: it has moved. A white frame: the enemy knows its rank."""
    x, y = _corner(square, below)
    frame = 'stroke="#ffffff" stroke-width="2"' if piece.known else 'stroke="#222222"'
    tile = _rect(square, below, 4, f'fill="{_FILL[piece.side]}" {frame}')
    label = _text(x + _TILE / 2, y + 26, piece.label, 18, "#ffffff", "bold")
    dot = f'<circle cx="{x + _TILE - 9}" cy="{y + 9}" r="2.5" fill="#ffffff"/>' if piece.moved else ""
    return tile + label + dot


def _arrow(move: Move, below: Side) -> str:
    ends = [_corner(square, below) for square in (move.origin, move.target)]
    (x1, y1), (x2, y2) = ((x + _TILE / 2, y + _TILE / 2) for x, y in ends)
    line = f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#1e8449" stroke-width="4" stroke-opacity="0.7"/>'
    return f'{line}<circle cx="{x2}" cy="{y2}" r="6" fill="#1e8449" fill-opacity="0.7"/>'


def _edges(below: Side) -> Iterable[str]:
    end = _MARGIN + 10 * _TILE
    for index in range(10):
        x, _ = _corner(Square(0, index), below)
        _, y = _corner(Square(index, 0), below)
        for edge in (14, end + 14):
            yield _text(x + _TILE / 2, edge, "abcdefghij"[index], 11)
            yield _text(edge - 4, y + _TILE / 2 + 4, str(index + 1), 11)


def board(
    pieces: Mapping[Square, Piece],
    size: int,
    below: Side,
    heat: Mapping[Square, float],
    arrows: Iterable[Move],
    title: str,
    *,
    label: str,
) -> str:
    """The picture that `Board.svg` describes; `label` is what a screen reader says of it."""
    edge = 2 * _MARGIN + 10 * _TILE
    height = edge + 24 if title else edge
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {edge} {height}" width="{size}" '
        f'height="{round(size * height / edge)}" font-family="sans-serif" role="img" '
        f"aria-label={quoteattr(label)}>",
        f'<rect width="{edge}" height="{height}" fill="#ffffff"/>',
    ]
    parts += [_ground(square, below) for square in Square.all()]
    for square in Square.all():
        piece = pieces.get(square)
        if square in heat:
            parts.append(_warmth(square, below, heat[square]))
        elif piece is not None:
            parts.append(_piece(piece, square, below))
    parts += [_arrow(move, below) for move in arrows]
    parts += _edges(below)
    if title:
        parts.append(_text(edge / 2, edge + 14, title, 14))
    return "\n".join([*parts, "</svg>"])

