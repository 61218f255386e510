"""Outflank as a bot of OpenSpiel, and Stratego as a game of it. Needs `pip install open-spiel`.

OpenSpiel's own Stratego is called `yorktown`. It was proposed but never taken up, so only forks have it. This module
registers a game `python_yorktown` with the same rules, texts and action numbers, which works with the released
package. The bot plays either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
import pyspiel  # type: ignore

from .answers import Limit
from .board import Board, Piece
from .rulesystem import RuleSystem
from .simple import SimpleEngine
from .values import Rank, Side, Square
from .wire import Command
from .yorktown import (
    ACTIONS,
    LAST_PLY,
    PLANES,
    RULES,
    START,
    YorktownPosition,
    action_number,
    move_of,
    read_letter,
    start,
    strike,
)

__all__ = ["GAME", "RULES", "OutflankBot", "YorktownGame", "YorktownState", "start"]

GAME = "python_yorktown"
"""The name of the game that this module registers."""

_ARMY = RuleSystem().army()
_SIDES = (Side.RED, Side.BLUE)

_GAME_TYPE = pyspiel.GameType(
    short_name=GAME,
    long_name="Yorktown in Python",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"strados3": START},
)
_GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=ACTIONS,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LAST_PLY,
)


class YorktownGame(pyspiel.Game):  # type: ignore[misc]
    """The game. Its parameter `strados3` is the start, as `start(red, blue)` makes it of two setups."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        super().__init__(_GAME_TYPE, _GAME_INFO, params)
        self._start = str(params.get("strados3", START))
        YorktownPosition(self._start)

    def new_initial_state(self, strados3: str | None = None) -> YorktownState:
        """A state at the start, or at another one for this game only."""
        return YorktownState(self, strados3 or self._start)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
        """What players see."""
        return _Observer()


class YorktownState(pyspiel.State):  # type: ignore[misc]
    """A state of the game."""

    def __init__(self, game: YorktownGame, text: str) -> None:
        super().__init__(game)
        self.position = YorktownPosition(text)
        """Both armies."""

    def current_player(self) -> int:
        """The player to move, or that the game is over."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal() if player == self.position.player else []

    def _apply_action(self, action: int) -> None:
        self.position.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return str(move_of(action, player))

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.returns() is not None

    def returns(self) -> list[float]:
        """What each player gets."""
        return self.position.returns() or [0.0, 0.0]

    def __str__(self) -> str:
        return self.position.text()


class _Observer:
    """A player's view as text, and as the planes of `YorktownPosition.planes`."""

    def __init__(self) -> None:
        self.tensor = numpy.zeros(100 * PLANES, numpy.float32)
        self.dict: dict[str, Any] = {"observation": self.tensor.reshape(PLANES, 10, 10)}

    def set_from(self, state: YorktownState, player: int) -> None:
        """Sets the tensor."""
        self.tensor[:] = state.position.planes(player)

    def string_from(self, state: YorktownState, player: int) -> str:
        """What the player sees of the position."""
        return state.position.text(player)


if GAME not in pyspiel.registered_names():
    pyspiel.register_game(_GAME_TYPE, YorktownGame)


class OutflankBot(pyspiel.Bot):  # type: ignore[misc]
    """Outflank as player 0 (Red) or 1 (Blue) of `yorktown` or `python_yorktown`.

    It looks at `information_state_string` of its own player only, and of a strike at the two ranks that the rules
    show to both. Whoever runs a game calls `inform_action` for the enemy's moves, as OpenSpiel's own loops do; a bot
    that has missed some goes on from the position, but then its belief knows less.

    `limit` is what it may use for a move, by default 500 nodes; `command`, `options` and `timeout` are those of
    `SimpleEngine.popen`. `close` ends the engine; so does `with`.
    """

    def __init__(
        self,
        player: int,
        limit: Limit | None = None,
        command: Command | None = None,
        *,
        options: dict[str, object] | None = None,
        timeout: float | None = 60.0,
    ) -> None:
        pyspiel.Bot.__init__(self)
        self.player = player
        """0 or 1."""
        self.engine = SimpleEngine.popen(command, options=options, timeout=timeout)
        """The engine, which may be asked for beliefs and explanations."""
        self._limit = limit or Limit(nodes=500)
        self._seen: list[int] | None = None

    def close(self) -> None:
        """Ends the engine."""
        self.engine.close()

    def __enter__(self) -> OutflankBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def restart(self) -> None:
        """Another game begins."""
        self._seen = None

    def restart_at(self, state: Any) -> None:
        """Goes on from a state, as far as its player's view of it tells."""
        text = state.information_state_string(self.player)
        ply = int(text.split()[2])
        self.engine.new_game(f"{RULES} plies={LAST_PLY - ply}", _SIDES[self.player])
        army = _home(text, self.player)
        if army is None:
            self.engine.position(_board(text, self.player))
        else:
            self.engine.setup(_SIDES[self.player], army)
            self.engine.setup(_SIDES[1 - self.player], "?")
        self._seen = list(state.history())

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Sees another player's action, which is about to be made in `state`."""
        self._follow(state)
        self._see(state, player, action)

    def step(self, state: Any) -> int:
        """Chooses an action."""
        self._follow(state)
        move = self.engine.play(self._limit).move
        if move is None:
            raise ValueError(f"there is no move in {state.information_state_string(self.player)!r}")
        action = action_number(move, self.player)
        self._see(state, self.player, action)
        return action

    def _follow(self, state: Any) -> None:
        if self._seen is None or self._seen != list(state.history()):
            self.restart_at(state)

    def _see(self, state: Any, player: int, action: int) -> None:
        move = move_of(action, player)
        shown = [_rank_shown(state, square) for square in (move.origin, move.target)]
        ply = move if shown[0] is None or shown[1] is None else move.with_result(strike(shown[0], shown[1]))
        self.engine.observe(ply)
        assert self._seen is not None
        self._seen.append(action)


def _rank_shown(state: Any, square: Square) -> Rank | None:
    """The rank on a square of a strike, which both players are shown."""
    piece = read_letter(str(state)[square.index])
    return piece and piece[1]


def _home(text: str, player: int) -> str | None:
    """The player's setup, if both whole armies stand in their own rows and Red is to move."""
    cells, turn, _ = text.split()
    rows, other = (cells[:40], cells[60:]) if player == 0 else (cells[:59:-1], cells[:40])
    pieces = [read_letter(letter) for letter in rows]
    setup = "".join("." if piece is None else str(piece[1]) for piece in pieces)
    whole = all(setup.count(rank.letter) == count for rank, count in _ARMY.items())
    return setup if whole and other == "?" * 40 and turn == "r" else None


def _board(text: str, player: int) -> Board:
    """What a player sees, as the engine reads it. Plies are counted from here, since the rules say how many are left.

    The text does not tell which pieces have moved, but for those that stand outside their own rows.
    """
    cells, turn, _ = text.split()
    own, enemy = _SIDES[player], _SIDES[1 - player]
    pieces = {}
    for index, letter in enumerate(cells):
        side, rank = (enemy, None) if letter == "?" else read_letter(letter) or (None, None)
        if side is not None:
            square = Square(*divmod(index, 10))
            pieces[square] = Piece(side, rank, known=letter.islower(), moved=not square.at_home(side))
    dead = {own: _missing(own, pieces), enemy: tuple(Piece(enemy, None) for _ in _missing(enemy, pieces))}
    return Board(pieces, Side.parse(turn), own, dead)


def _missing(side: Side, pieces: Mapping[Square, Piece]) -> tuple[Piece, ...]:
    """What a side's army lacks on the board; of an enemy's hidden pieces only the number counts."""
    ranks = [piece.rank for piece in pieces.values() if piece.side is side]
    if None in ranks:
        return tuple(Piece(side, Rank.FLAG) for _ in range(40 - len(ranks)))
    lacking = (rank for rank, count in _ARMY.items() for _ in range(count - ranks.count(rank)))
    return tuple(Piece(side, rank, known=True) for rank in lacking)
