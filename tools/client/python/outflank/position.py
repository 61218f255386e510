"""The rules of the game without an engine: a position that lists its legal moves, and takes and undoes plies.

They are written in Python rather than called in Rust: the package has no dependencies, and its wheel holds programs and
no library, so that one wheel fits every Python. The tests keep them in lockstep with the engine.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import ground
from .answers import Rules
from .board import Board
from .outcome import GameOutcome
from .pieces import Piece
from .rulesystem import RuleSystem
from .state import EMPTY, SQUARES, Man, State, Went
from .values import Move, Outcome, Ply, Rank, Rescue, Result, Side, Square

__all__ = ["Position"]


def _places(side: Side, army: str, most: dict[Rank, int]) -> Iterator[tuple[int, Rank | None]]:
    """The squares of an army in the order of its text. It has at most so many pieces of each rank."""
    army = "?" * 40 if army == "?" else army
    if len(army) != 40:
        raise ValueError(f"{side}'s army has {len(army)} places, not 40")
    left = most.copy()
    for at, letter in enumerate(army):
        if letter == ".":
            continue
        rank = None if letter == "?" else Rank.parse(letter)
        if rank is not None:
            left[rank] -= 1
            if left[rank] < 0:
                raise ValueError(f"{side}'s army has more than {most[rank]} of rank {letter}")
        yield at if side is Side.RED else 99 - at, rank


class Position:
    """A game's position, with the plies that led to it. It needs no engine: it is the rules, written in Python.

    `Position("isf", red, blue)` begins a game under a rule system. Armies are 40 characters as their owner sees them,
    `.` for an empty place and `?` for a piece of unknown rank; `?` alone is forty of these. `push` makes a ply and
    returns it with its result, `pop` takes it back. With both armies known results follow; a strike that involves an
    unknown rank has to tell its own, as in `a5xa6=W43`.

    What depends on unknown ranks is left open: `legal` raises `ValueError` for a side that has any, and `outcome` says
    only what is sure.
    """

    def __init__(self, rules: str | Rules | RuleSystem = "isf", red: str = "?", blue: str = "?") -> None:
        self.rules = RuleSystem.parse(rules)
        state = State([EMPTY] * 100, [])
        for side, army in ((Side.RED, red), (Side.BLUE, blue)):
            for square, rank in _places(side, army, self.rules.army()):
                state.places[square] = len(state.men)
                state.men.append(Man(side, rank))
        self._states = [state]
        state.outcome = self._ending()

    @property
    def _now(self) -> State:
        return self._states[-1]

    @property
    def turn(self) -> Side:
        """The side to move."""
        return self._now.turn

    @property
    def ply(self) -> int:
        """How many plies were made."""
        return len(self._states) - 1

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The plies made, strikes with their results."""
        return tuple(state.ply for state in self._states if state.ply is not None)

    @property
    def outcome(self) -> GameOutcome | None:
        """How the game ended by its rules; `None` while it goes on."""
        return self._now.outcome

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    def copy(self) -> Position:
        """A position of its own, with the same past."""
        twin = Position.__new__(Position)
        twin.rules, twin._states = self.rules, self._states.copy()
        return twin

    def legal(self) -> list[Move]:
        """The legal moves of the side to move, none once the game is over."""
        state = self._now
        ours = (state.men[state.places[at]] for at in state.origins(state.turn))
        if self.over:
            return []
        if any(man.rank is None for man in ours):
            raise ValueError(f"it is {state.turn}'s turn, and some of its ranks are unknown")
        return list(self._moves())

    def push(self, ply: Ply | Move | str) -> Ply:
        """Makes a ply and returns it with the result of its strike.

        `ValueError`, and nothing changes, if it is illegal, lacks a result that is needed, or has one that cannot be.
        """
        ply = Ply.parse(ply)
        origin, target, rescue = ply.move.origin.index, ply.move.target.index, ply.move.rescue
        if reason := self._forbidden(origin, target, rescue):
            raise ValueError(f"{ply.move}: {reason}")
        result = self._result(ply, origin, target)
        made = Ply(Move(ply.move.origin, ply.move.target, result is not None, rescue), result)
        state = self._now.next()
        stood = self._carry(state, origin, target, result)
        if rescue is not None and stood and not (result and result.defender is Rank.FLAG):
            self._rescue(state, rescue, origin)
        self._remember(state, origin, target, result is not None, stood)
        state.ply = made
        state.turn = state.turn.other
        self._states.append(state)
        state.outcome = self._ending()
        return made

    def pop(self) -> Ply:
        """Takes the last ply back and returns it. `IndexError` if there is none."""
        ply = self._now.ply
        if ply is None:
            raise IndexError("no ply was made")
        self._states.pop()
        return ply

    def board(self, viewer: Side | str | None = None) -> Board:
        """The position as a `Board`, with its rules as `keys`: all that is known, or what strikes and scouts' long moves have shown
        `viewer`. What the earlier plies say of hidden pieces is not in it."""
        side = None if viewer is None else Side.parse(viewer)
        state = self._now
        pieces = {
            SQUARES[at]: self._shown(number, side) for at, number in enumerate(state.places) if number != EMPTY
        }
        dead = {
            one: tuple(self._shown(number, side) for number in state.dead if state.men[number].side is one)
            for one in Side
        }
        return Board(pieces, state.turn, side, dead, state.quiet, self.ply, self.rules.changes())

    def __str__(self) -> str:
        """A drawing in text, as of a `Board`."""
        return str(self.board())

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.board().svg()

    def _shown(self, number: int, viewer: Side | None) -> Piece:
        man = self._now.men[number]
        rank = man.rank if viewer in (None, man.side) or man.known else None
        return Piece(man.side, rank, man.known, man.moved, number in self._now.rescuers)

    def _moves(self) -> Iterator[Move]:
        """The moves of the side to move, one of unknown rank as if it could go one step."""
        state = self._now
        for origin in state.origins(state.turn):
            for target in state.reach(origin, self.rules.scout):
                if self._crosses_too_often(origin, target):
                    continue
                strike = state.places[target] != EMPTY
                if not self._chases_for_ever(origin, target):
                    yield Move(SQUARES[origin], SQUARES[target], strike)
                for rescue in self._rescues(origin, target):
                    yield Move(SQUARES[origin], SQUARES[target], strike, rescue)

    def _forbidden(self, origin: int, target: int, rescue: Rescue | None) -> str | None:
        """Why the side to move may not make a move."""
        state, man = self._now, self._now.man(origin)
        if state.outcome is not None:
            return "the game is over"
        if man is None or man.side is not state.turn:
            return f"{state.turn} has no piece on {SQUARES[origin]}"
        if target not in state.reach(origin, self.rules.scout) and not self._shows_scout(origin, target):
            return "no piece of that rank goes there"
        if self._crosses_too_often(origin, target):
            return "it breaks the rule twosquares"
        if rescue is None:
            return "it breaks the rule moresquares" if self._chases_for_ever(origin, target) else None
        return None if self._may_rescue(origin, target, rescue) else "there is no such rescue"

    def _shows_scout(self, origin: int, target: int) -> bool:
        """Whether a piece of unknown rank could go there as a scout."""
        state, number = self._now, self._now.places[origin]
        if state.men[number].rank is not None:
            return False
        scout = state.next()
        scout.men[number] = state.men[number]._replace(rank=Rank.SCOUT)
        return target in scout.reach(origin, self.rules.scout)

    def _crosses_too_often(self, origin: int, target: int) -> bool:
        """The rule of two squares: whether some border is crossed once too often running."""
        limit, state = self.rules.twosquares, self._now
        went = state.went[state.turn][-limit:]
        if limit == 0 or len(went) < limit or any(one.man != state.places[origin] for one in went):
            return False
        crossed = set(ground.borders(origin, target))
        for one in went:
            crossed.intersection_update(ground.borders(one.origin, one.target))
        return bool(crossed)

    def _chases_for_ever(self, origin: int, target: int) -> bool:
        """The rule of more squares: whether a move goes on with an endless chase."""
        state = self._now
        length, last = state.chase[state.turn], state.went[state.turn][-1:]
        if not self.rules.moresquares or length == 0 or state.places[target] != EMPTY:
            return False
        back = bool(last) and (last[0].origin, last[0].target) == (target, origin)
        if back or not state.enemy_beside(target, state.turn):
            return False
        after = state.places.copy()
        after[origin], after[target] = EMPTY, after[origin]
        since = self._states[max(0, len(self._states) - length) : -1]
        return any(earlier.places == after for earlier in since)

    def _rescues(self, origin: int, target: int) -> list[Rescue]:
        """What a step may bring back, if it is no strike that is lost."""
        ranks = sorted(one for one in self._fallen() if one is not None)
        return [Rescue(one, square) for one in ranks for square in self._homes(origin, target)]

    def _may_rescue(self, origin: int, target: int, rescue: Rescue) -> bool:
        """Whether a step may bring this back, as far as ranks are known."""
        fallen = self._fallen()
        if rescue.rank is None:
            found = bool(fallen)
        else:
            found = rescue.rank in fallen or (None in fallen and rescue.rank.mobile)
        return found and rescue.square in self._homes(origin, target)

    def _fallen(self) -> set[Rank | None]:
        """The ranks that the side to move may bring back; None is a piece of unknown rank."""
        state = self._now
        dead = {state.men[one].rank for one in state.dead if state.men[one].side is state.turn}
        return {one for one in dead if one is None or one.mobile}

    def _homes(self, origin: int, target: int) -> list[Square]:
        """Where a step may bring something back to."""
        state, number = self._now, self._now.places[origin]
        side, rank = state.turn, state.men[number].rank
        back = 9 if side is Side.RED else 0
        made = [one for one in state.rescuers if state.men[one].side is side]
        onto = target // 10 == back != origin // 10
        if not self.rules.rescue or not onto or rank is Rank.SCOUT or number in made or len(made) >= 2:
            return []
        return [square for square in SQUARES if square.at_home(side) and state.places[square.index] == EMPTY]

    def _result(self, ply: Ply, origin: int, target: int) -> Result | None:
        """The result of a strike, from the ranks where they are known, else from what the ply says."""
        reported, striker, defender = ply.result, self._now.man(origin), self._now.man(target)
        assert striker is not None
        if defender is None:
            if reported is not None or ply.move.strike:
                raise ValueError(f"{ply} strikes at an empty square")
            return None
        ranks = [striker.rank, defender.rank]
        if reported is not None:
            for at, (known, rank) in enumerate(zip(list(ranks), (reported.striker, reported.defender))):
                if known is not None and rank not in (None, known):
                    raise ValueError(f"{ply}: the rank is {known}")
                ranks[at] = known or rank
        ours, theirs = ranks
        if ours is None or theirs is None:
            if reported is None:
                raise ValueError(f"{ply} needs the result of its strike")
            return Result(reported.outcome, ours, theirs)
        outcome = ground.strike(ours, theirs, self.rules.aggressor)
        if not ours.mobile or (reported is not None and reported.outcome is not outcome):
            raise ValueError(f"{ply}: the strike cannot end so")
        return Result(outcome, ours, theirs)

    def _carry(self, state: State, origin: int, target: int, result: Result | None) -> bool:
        """Moves and removes the pieces of an action; returns whether the one that acted still stands."""
        places, men = state.places, state.men
        mover, other = places[origin], places[target]
        far = target not in ground.BESIDE[origin]
        rank = Rank.SCOUT if far else men[mover].rank
        men[mover] = men[mover]._replace(rank=rank, moved=True, known=men[mover].known or far)
        places[origin] = EMPTY
        if result is None:
            places[target] = mover
            return True
        shown = not self.rules.silent or Rank.SCOUT is result.striker or result.defender is Rank.FLAG
        men[mover] = men[mover]._replace(rank=result.striker, known=True)
        men[other] = men[other]._replace(rank=result.defender, known=men[other].known or shown)
        stood = result.outcome is Outcome.WON
        places[target] = mover if stood else EMPTY
        fallen = {Outcome.WON: (other,), Outcome.LOST: (mover,), Outcome.TIED: (mover, other)}[result.outcome]
        state.dead += fallen
        if result.outcome is Outcome.LOST:
            advances = self.rules.advance and result.defender is not Rank.BOMB
            places[origin if advances else target] = other
            men[other] = men[other]._replace(moved=men[other].moved or advances)
        return stood

    def _rescue(self, state: State, rescue: Rescue, origin: int) -> None:
        """Hands a piece back: it is a new one, which has moved."""
        side = state.turn
        dead = [one for one in state.dead if state.men[one].side is side]
        found = [one for one in dead if state.men[one].rank in (rescue.rank, None)]
        if not found or state.places[rescue.square.index] != EMPTY:
            raise ValueError(f"there is no such rescue: {rescue}")
        number = min(found, key=lambda one: state.men[one].rank is not rescue.rank)
        state.dead = tuple(one for one in state.dead if one != number)
        state.rescuers += (self._now.places[origin],)
        state.places[rescue.square.index] = len(state.men)
        state.men.append(Man(side, rescue.rank, moved=True, known=not self.rules.silent))

    def _remember(self, state: State, origin: int, target: int, strike: bool, stood: bool) -> None:
        """Counts what the repetition rules and `quiet` ask for."""
        side, other = state.turn, state.turn.other
        hunted = any(one.target in ground.BESIDE[origin] for one in state.went[other][-1:])
        state.chase[other] = state.chase[other] + 1 if hunted and not strike else 0
        if strike:
            state.chase[side] = 0
        state.chase[side] = state.chase[side] + 1 if stood and state.enemy_beside(target, side) else 0
        went = Went(self._now.places[origin], origin, target)
        state.went[side] = (*state.went[side], went)[-max(1, self.rules.twosquares) :]
        state.quiet = 0 if strike else state.quiet + 1

    def _ending(self) -> GameOutcome | None:
        """The first ending that has come, by flag, stuck or attrition, quiet, plies."""
        state, last = self._now, self._now.ply
        if last is not None and last.result is not None and last.result.defender is Rank.FLAG:
            return GameOutcome(state.turn.other, "flag")
        if stuck := self._stuck():
            return stuck
        if 0 < self.rules.quiet <= state.quiet:
            return GameOutcome(None, "quiet")
        return GameOutcome(None, "plies") if 0 < self.rules.plies <= self.ply else None

    def _stuck(self) -> GameOutcome | None:
        """The ending by a side that cannot act, if it has come for sure."""
        state, side = self._now, self._now.turn
        if self.rules.stuck == "attrition":
            worn = [one for one in Side if all(state.men[state.places[at]].fixed for at in state.origins(one))]
            if worn:
                return GameOutcome(worn[0].other if len(worn) == 1 else None, "attrition")
        if next(self._moves(), None) is not None:
            return None
        theirs = [at for at in state.origins(side.other) if next(state.reach(at, self.rules.scout), None) is not None]
        if self.rules.stuck == "draw-if-both":
            if not theirs:
                return GameOutcome(None, "stuck")
            if all(state.men[state.places[at]].rank is None for at in theirs):
                return None
        return GameOutcome(side.other, "stuck")
