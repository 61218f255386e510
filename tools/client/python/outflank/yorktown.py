"""The rules of Yorktown, OpenSpiel's Stratego, in plain Python: its texts, its action numbers, its positions.

This module needs no OpenSpiel and no engine; `outflank.openspiel` makes a game of it.
"""

from __future__ import annotations

from .values import LAKES, Move, Outcome, Rank, Result, Side, Square

__all__ = [
    "ACTIONS",
    "LAST_PLY",
    "PLANES",
    "RULES",
    "START",
    "YorktownPosition",
    "action_number",
    "move_of",
    "read_letter",
    "start",
    "strike",
]

LAST_PLY = 3001
"""The ply after which a game is drawn."""

RULES = f"isf twosquares=0 moresquares=off stuck=loses plies={LAST_PLY}"
"""Yorktown's rules as keys of the engine: no repetition rule, a side that cannot move loses, 3001 plies are a draw."""

ACTIONS = 3600
"""How many action numbers there are: 36 for each square, of which a move takes nine in each direction."""

PLANES = 28
"""Planes of ten rows by ten files that `YorktownPosition.planes` has."""

_SIDES = (Side.RED, Side.BLUE)
_RANKS = "BS23456789MF"
_LETTERS = {Side.RED: "BCDEFGHIJKLM", Side.BLUE: "NOPQRSTUVWXY"}
_PIECES = {letter: (side, Rank.parse(rank)) for side in _SIDES for letter, rank in zip(_LETTERS[side], _RANKS)}
_EMPTY, _LAKE = "a", "_"
_LAKES = frozenset(square.index for square in LAKES)
_STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0))


def read_letter(letter: str) -> tuple[Side, Rank] | None:
    """The piece that a letter of a text stands for, in either case; `None` for an empty square and a lake."""
    return _PIECES.get(letter.upper())


def _letter(side: Side, rank: Rank) -> str:
    return _LETTERS[side][_RANKS.index(rank.letter)]


def strike(striker: Rank, defender: Rank) -> Result:
    """The result of a strike, the same under Yorktown's rules and the engine's."""
    if striker is defender:
        outcome = Outcome.TIED
    elif (striker, defender) in ((Rank.SPY, Rank.MARSHAL), (Rank.MINER, Rank.BOMB)) or striker.index > defender.index:
        outcome = Outcome.WON
    else:
        outcome = Outcome.LOST
    return Result(outcome, striker, defender)


def action_number(move: Move, player: int) -> int:
    """The number of a move of the player (0 is Red). Rows count from the player's own back row, files from a."""
    turn = 1 if player == 0 else -1
    row = move.origin.row if player == 0 else 9 - move.origin.row
    upright, level = turn * (move.target.row - move.origin.row), move.target.file - move.origin.file
    if (upright == 0) == (level == 0):
        raise ValueError(f"{move} is not along a row or a file")
    way = upright or level
    return 36 * (10 * move.origin.file + row) + (0 if upright else 18) + way + 9 - (way > 0)


def move_of(action: int, player: int) -> Move:
    """The move that an action number of the player stands for; `ValueError` if it leads off the board."""
    place, way = divmod(action, 36)
    file, row = divmod(place, 10)
    axis, way = divmod(way, 18)
    way -= 9 - (way >= 9)
    target = (row, file + way) if axis else (row + way, file)
    squares = [Square(row if player == 0 else 9 - row, file) for row, file in ((row, file), target)]
    return Move(squares[0], squares[1])


def start(red: str, blue: str) -> str:
    """The start text (StraDos3) of two setups, each of 40 characters as its owner sees it, back row first."""
    cells = [_LAKE if index in _LAKES else _EMPTY for index in range(100)]
    for side, setup in zip(_SIDES, (red, blue)):
        if len(setup) != 40:
            raise ValueError(f"a setup has 40 characters, {side}'s has {len(setup)}")
        for place, rank in enumerate(setup):
            if rank != ".":
                cells[place if side is Side.RED else 99 - place] = _letter(side, Rank.parse(rank))
    return f"{''.join(cells)} r 0"


START = start("B3FB3262452B3B6B5S7325B48269474M62225873", "FB22B34B53B5S63B2742B368274296275M254683")
"""The start of a game where none is given."""


class YorktownPosition:
    """Both armies, whose turn it is, and how many plies have been made; it judges and makes moves.

    A letter of `cells` is a piece, in lower case once both players know it; `cells[0]` is a1, `cells[99]` j10.
    """

    def __init__(self, text: str = START) -> None:
        words = text.split(" ")
        if len(words) != 3 or len(words[0]) != 100 or words[1] not in ("r", "b") or not words[2].isdigit():
            raise ValueError(f"{text!r} is no position of Yorktown")
        self.cells = [_EMPTY if letter == _EMPTY.upper() else letter for letter in words[0]]
        self.player = "rb".index(words[1])
        self.ply = int(words[2])
        for index, letter in enumerate(self.cells):
            stands = letter in (_EMPTY, _LAKE) or read_letter(letter) is not None
            if not stands or (letter == _LAKE) != (index in _LAKES):
                raise ValueError(f"{letter!r} cannot stand on {Square(*divmod(index, 10))}")
        self._flags = [self._has_flag(side) for side in _SIDES]
        self._legal: list[int] | None = None

    def _has_flag(self, side: Side) -> bool:
        return _letter(side, Rank.FLAG) in "".join(self.cells).upper()

    def legal(self) -> list[int]:
        """The action numbers of the legal moves, in order; none once the game is over."""
        return [] if self.returns() is not None else list(self._moves())

    def _moves(self) -> list[int]:
        if self._legal is None:
            own = _LETTERS[_SIDES[self.player]]
            places = [index for index, letter in enumerate(self.cells) if letter.upper() in own]
            self._legal = sorted(number for place in places for number in self._moves_from(place, own))
        return self._legal

    def _moves_from(self, place: int, own: str) -> list[int]:
        rank = _PIECES[self.cells[place].upper()][1]
        if not rank.mobile:
            return []
        numbers = []
        row, file = divmod(place, 10)
        first = 36 * (10 * file + (row if self.player == 0 else 9 - row))
        for right, up in _STEPS:
            for length in range(1, 10 if rank is Rank.SCOUT else 2):
                to_row, to_file = row + up * length, file + right * length
                if not (0 <= to_row < 10 and 0 <= to_file < 10):
                    break
                letter = self.cells[10 * to_row + to_file]
                if letter == _LAKE or letter.upper() in own:
                    break
                way = length * (right or (up if self.player == 0 else -up))
                numbers.append(first + (18 if right else 0) + way + 9 - (way > 0))
                if letter != _EMPTY:
                    break
        return numbers

    def apply(self, action: int) -> None:
        """Makes a legal move. Of a strike both players see both ranks."""
        move = move_of(action, self.player)
        origin, target = move.origin.index, move.target.index
        striker, defender = self.cells[origin], self.cells[target]
        self.cells[origin] = _EMPTY
        if defender == _EMPTY:
            self.cells[target] = striker
        else:
            (_, own), (_, other) = _PIECES[striker.upper()], _PIECES[defender.upper()]
            stands = {Outcome.WON: striker, Outcome.LOST: defender, Outcome.TIED: _EMPTY}
            self.cells[target] = stands[strike(own, other).outcome].lower()
            if other is Rank.FLAG:
                self._flags[1 - self.player] = False
        self.player = 1 - self.player
        self.ply += 1
        self._legal = None

    def returns(self) -> list[float] | None:
        """What Red and Blue get, 1 for a win; `None` while the game goes on. A lost flag counts before a side that
        cannot move, and both before the draw."""
        if not self._flags[0]:
            return [-1.0, 1.0]
        if not self._flags[1]:
            return [1.0, -1.0]
        if not self._moves():
            return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]
        return [0.0, 0.0] if self.ply >= LAST_PLY else None

    def planes(self, viewer: int) -> list[float]:
        """What a player knows, as `PLANES` times 100 numbers; each plane by rows from the player's own back row on, of
        files from a, as action numbers count.

        Planes 0 to 11 have the player's own pieces by rank (B S 2 3 4 5 6 7 8 9 M F), 12 those that the enemy knows;
        13 to 24 have the enemy's known pieces by rank, 25 its hidden ones. Plane 26 is 1 everywhere on the player's
        turn, 27 has the share of the plies that are over.
        """
        planes = [0.0] * (100 * PLANES)
        own, enemy = _LETTERS[_SIDES[viewer]], _LETTERS[_SIDES[1 - viewer]]
        for index, letter in enumerate(self.cells):
            row, file = divmod(index, 10)
            place = 10 * (row if viewer == 0 else 9 - row) + file
            if letter.upper() in own:
                planes[100 * own.index(letter.upper()) + place] = 1.0
                planes[1200 + place] = float(letter.islower())
            elif letter in enemy:
                planes[2500 + place] = 1.0
            elif letter.upper() in enemy:
                planes[1300 + 100 * enemy.index(letter.upper()) + place] = 1.0
        planes[2600:] = [float(viewer == self.player)] * 100 + [min(self.ply / LAST_PLY, 1.0)] * 100
        return planes

    def text(self, viewer: int | None = None) -> str:
        """The position's text; as a player sees it, with `?` for enemy pieces that it does not know."""
        cells = self.cells
        if viewer is not None:
            hidden = _LETTERS[_SIDES[1 - viewer]]
            cells = ["?" if letter in hidden else letter for letter in cells]
        return f"{''.join(cells)} {'rb'[self.player]} {self.ply}"
