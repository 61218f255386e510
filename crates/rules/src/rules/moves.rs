//! Legal actions.

use super::action::Action;
use super::piece::PieceId;
use super::position::Position;
use super::rank::RankSet;
use super::repetition::Repetition;
use super::side::Side;
use super::square::{Direction, Square};
use super::square_set::SquareSet;
use std::ops::ControlFlow;

impl Position {
    /// The actions of the side to move.
    ///
    /// Exact where its ranks are known; for hidden pieces, every action that some rank they may have allows.
    /// Actions that break a repetition rule are left out. An action that may make a rescue is there without one and
    /// with every one: each rank that may be handed back, on each square. So is a strike, whoever will win it.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::with_capacity(48);
        self.actions_into(&mut actions);
        actions
    }

    /// [`Position::actions`] into a list that is emptied first.
    pub fn actions_into(&self, actions: &mut Vec<Action>) {
        self.plain_actions_into(actions);
        if self.rules.rescue && self.ending().is_none() {
            let _: ControlFlow<()> = self.visit_rescues(self.to_move(), |action| {
                actions.push(action);
                ControlFlow::Continue(())
            });
        }
    }

    /// The actions without a rescue of [`Position::actions`], into a list that is emptied first.
    pub fn plain_actions_into(&self, actions: &mut Vec<Action>) {
        self.list_into(actions, SquareSet::ALL);
    }

    /// Calls `visit` with from where to where each of [`Position::plain_actions_into`] goes, by rising squares.
    pub fn visit_in_order(&self, mut visit: impl FnMut(Square, Square)) {
        let side = self.to_move();
        if self.ending().is_some() {
            return;
        }
        let (reachable, watched, sliders) = (self.reachable(side), self.watched(side), self.sliders(side));
        for from in self.able(side) {
            let steps = !sliders.contains(from);
            let targets = if steps { from.neighbour_set() & reachable } else { self.slides(from, side) };
            if !watched.contains(from) {
                targets.iter().for_each(|to| visit(from, to));
            } else if let Some(id) = self.piece_at(from) {
                let free = |to: &Square| self.repetition_of(id, Action::new(from, *to)).is_none();
                targets.iter().filter(free).for_each(|to| visit(from, to));
            }
        }
    }

    /// The strikes among [`Position::plain_actions_into`].
    pub fn strikes_into(&self, strikes: &mut Vec<Action>) {
        self.list_into(strikes, self.occupied(self.to_move().enemy()));
    }

    /// The actions without a rescue that end in `zone`.
    fn list_into(&self, actions: &mut Vec<Action>, zone: SquareSet) {
        actions.clear();
        if self.ending().is_some() {
            return;
        }
        let _: ControlFlow<()> = self.visit_actions(self.to_move(), zone, |action| {
            actions.push(action);
            ControlFlow::Continue(())
        });
    }

    /// Whether `action` is among [`Position::actions`].
    pub fn is_legal(&self, action: Action) -> bool {
        let rescues = |id| action.rescue.is_none_or(|rescue| self.check_rescue(id, action, rescue).is_ok());
        self.ending().is_none()
            && self.check_path(action).is_ok_and(rescues)
            && self.repetition(action).is_none()
    }

    /// Whether `action` strikes a piece.
    pub fn is_strike(&self, action: Action) -> bool {
        self.piece_at(action.to).is_some()
    }

    /// The repetition rule that `action` of the side to move would break.
    pub fn repetition(&self, action: Action) -> Option<Repetition> {
        self.piece_at(action.from).and_then(|id| self.repetition_of(id, action))
    }

    /// The actions without a rescue that only a repetition rule forbids the side to move.
    pub fn forbidden_repetitions(&self) -> Vec<Action> {
        let side = self.to_move();
        let watched = self.watched(side) & self.able(side);
        let mut forbidden = Vec::new();
        if self.ending().is_some() || watched.is_empty() {
            return forbidden;
        }
        for from in watched {
            let slides = self.sliders(side).contains(from);
            let near = from.neighbour_set() & self.reachable(side);
            let targets = if slides { self.slides(from, side) } else { near };
            let actions = targets.iter().map(|to| Action::new(from, to));
            forbidden.extend(actions.filter(|action| self.repetition(*action).is_some()));
        }
        forbidden
    }

    fn repetition_of(&self, id: PieceId, action: Action) -> Option<Repetition> {
        let (rules, trail) = (self.rules(), self.trail(id.side()));
        if trail.breaks_two_squares(id, action, rules.twosquares) {
            Some(Repetition::TwoSquares)
        } else if trail.chase > 1 && rules.moresquares && self.breaks_more_squares(id, action) {
            Some(Repetition::MoreSquares)
        } else {
            None
        }
    }

    /// Design: a non-striking move is illegal if the mover's chase runs, it ends next to an enemy, is not the
    /// exact reverse of the mover's last action, and recreates a position of less than `chase` plies ago.
    fn breaks_more_squares(&self, id: PieceId, action: Action) -> bool {
        let trail = self.trail(id.side());
        // A piece that comes back is a new one: such a position has never been.
        if action.rescue.is_some()
            || self.piece_at(action.to).is_some()
            || trail.reverses(action)
            || !self.is_next_to_side(action.to, id.side().enemy())
        {
            return false;
        }
        let reached = self.layout_after(id, action);
        self.earlier(trail.chase as usize - 1).iter().any(|earlier| earlier.layout == reached)
    }

    /// Whether some piece of `side` may have an action, by what its pieces may be.
    pub(super) fn may_act(&self, side: Side, repetition: bool) -> bool {
        if !repetition {
            return !self.able(side).is_empty();
        }
        self.may_step(side, !self.watched(side))
            || self.visit_actions(side, SquareSet::ALL, |_| ControlFlow::Break(())).is_break()
            || self.rules.rescue && self.visit_rescues(side, |_| ControlFlow::Break(())).is_break()
    }

    /// Whether `side` has an action whatever its hidden pieces are, repetition rules aside.
    pub(super) fn surely_can_act(&self, side: Side) -> bool {
        let able = || self.able(side).iter().filter_map(|square| self.piece_at(square));
        let army = self.rules.army();
        let immobile: usize = RankSet::IMMOBILE.iter().map(|rank| usize::from(army.count(rank))).sum();
        // Of so many pieces one can move, whichever it is.
        able().count() > immobile || able().any(|id| self.piece(id).ranks.is_within(RankSet::MOBILE))
    }

    /// Calls `visit` with every action of `side` that ends in `zone` and that no repetition rule forbids, until it
    /// breaks.
    fn visit_actions<B>(
        &self,
        side: Side,
        zone: SquareSet,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (able, reachable) = (self.able(side), self.reachable(side) & zone);
        let (watched, sliders) = (self.watched(side), self.sliders(side));
        // Most pieces go one step: take them together, one direction after the other.
        let singly = able & (sliders | self.runners(side));
        for direction in Direction::ALL {
            for (from, to) in (able - singly).steps(direction, reachable) {
                visit(Action::new(from, to))?;
            }
        }
        for from in singly {
            let targets = if sliders.contains(from) {
                self.slides(from, side) & zone
            } else {
                from.neighbour_set() & reachable
            };
            let mover = if watched.contains(from) { self.piece_at(from) } else { None };
            for action in targets.iter().map(|to| Action::new(from, to)) {
                if mover.is_none_or(|id| self.repetition_of(id, action).is_none()) {
                    visit(action)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The squares of `side`'s pieces whose actions are listed one piece after the other.
    fn runners(&self, side: Side) -> SquareSet {
        let trail = self.trail(side);
        if trail.chase > 1 && self.rules().moresquares {
            return SquareSet::ALL;
        }
        trail.runner.and_then(|id| self.piece(id).square).into()
    }

    /// Whether some piece of `side` on one of `squares` may go one step.
    fn may_step(&self, side: Side, squares: SquareSet) -> bool {
        let (movers, reachable) = (self.movers(side) & squares, self.reachable(side));
        Direction::ALL.into_iter().any(|direction| movers.stepped(direction).meets(reachable))
    }

    /// Whether a slide over open squares leads from the action's one square to its other.
    pub(super) fn is_open_line(&self, action: Action) -> bool {
        action.from.slides(self.taken()).contains(action.to)
    }

    /// The squares of `side`'s pieces that a repetition rule may forbid something.
    fn watched(&self, side: Side) -> SquareSet {
        let (rules, trail) = (self.rules(), self.trail(side));
        let square = |id: PieceId| SquareSet::from(self.piece(id).square);
        let running = trail.limited(rules.twosquares).map_or(SquareSet::EMPTY, square);
        if trail.chase < 2 || !rules.moresquares {
            return running;
        }
        // Only a piece that has moved during the chase can bring back a position of it.
        let moved = self.earlier(trail.chase as usize - 1).iter().map(|earlier| earlier.mover);
        moved.filter(|id| id.side() == side).fold(running, |set, id| set | square(id))
    }

    /// Where a scout of `side` on `from` may go, as a set.
    fn slides(&self, from: Square, side: Side) -> SquareSet {
        let (reachable, open) = (self.reachable(side), self.reachable(side.enemy()));
        let targets = from.slides(self.taken()) & reachable;
        if self.rules().scout { targets } else { targets & (open | from.neighbour_set()) }
    }
}
