//! Legal actions.

use super::action::Action;
use super::piece::{Piece, PieceId};
use super::position::Position;
use super::rank::{Rank, RankSet};
use super::repetition::Repetition;
use super::square::{Direction, Side, Square};
use std::ops::ControlFlow;

impl Position {
    /// The actions of the side to move.
    ///
    /// Exact where its ranks are known; for hidden pieces, every action that some rank they may have allows.
    /// Actions that break a repetition rule are left out.
    pub fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::with_capacity(48);
        self.actions_into(&mut actions);
        actions
    }

    /// [`Position::actions`] into a list that is emptied first.
    pub fn actions_into(&self, actions: &mut Vec<Action>) {
        actions.clear();
        if self.ending().is_some() {
            return;
        }
        let _: ControlFlow<()> = self.visit_actions(self.to_move(), |id, action| {
            if self.repetition_of(id, action).is_none() {
                actions.push(action);
            }
            ControlFlow::Continue(())
        });
    }

    /// Whether `action` is among [`Position::actions`].
    pub fn is_legal(&self, action: Action) -> bool {
        self.ending().is_none()
            && action.rescue.is_none()
            && self.check_path(action).is_ok()
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

    fn repetition_of(&self, id: PieceId, action: Action) -> Option<Repetition> {
        let rules = self.rules();
        let trail = self.trail(id.side());
        if trail.breaks_two_squares(id, action, rules.twosquares) {
            return Some(Repetition::TwoSquares);
        }
        if rules.moresquares && trail.chase > 1 && self.breaks_more_squares(id, action) {
            return Some(Repetition::MoreSquares);
        }
        None
    }

    /// Design: a non-striking move is illegal if the mover's chase runs, it ends next to an enemy, is not the
    /// exact reverse of the mover's last action, and recreates a position of less than `chase` plies ago.
    fn breaks_more_squares(&self, id: PieceId, action: Action) -> bool {
        let trail = self.trail(id.side());
        if self.piece_at(action.to).is_some()
            || trail.reverses(action)
            || !self.is_next_to_side(action.to, id.side().enemy())
        {
            return false;
        }
        let reached = self.layout_after(id, action);
        self.earlier_layouts(trail.chase as usize - 1).contains(&reached)
    }

    /// Whether some piece of `side` may have an action, by what its pieces may be.
    pub(super) fn may_act(&self, side: Side, repetition: bool) -> bool {
        self.visit_actions(side, |id, action| {
            if repetition && self.repetition_of(id, action).is_some() {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
        .is_break()
    }

    /// Whether `side` has an action whatever its hidden pieces are, repetition rules aside.
    pub(super) fn surely_can_act(&self, side: Side) -> bool {
        self.visit_actions(side, |id, action| {
            let ranks = self.piece(id).ranks;
            if ranks.is_within(RankSet::MOBILE) && action.distance() == 1 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .is_break()
    }

    /// Calls `visit` with every action of `side`, repetition rules aside, until it breaks.
    fn visit_actions<B>(
        &self,
        side: Side,
        mut visit: impl FnMut(PieceId, Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        for from in self.squares_of(side) {
            let Some(id) = self.piece_at(from) else { continue };
            let piece = self.piece(id);
            if piece.may_move() {
                for direction in Direction::ALL {
                    self.visit_line(id, piece, from, direction, &mut visit)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn visit_line<B>(
        &self,
        id: PieceId,
        piece: &Piece,
        from: Square,
        direction: Direction,
        visit: &mut impl FnMut(PieceId, Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let slides = piece.ranks.contains(Rank::Scout);
        let mut at = from;
        while let Some(to) = at.step(direction) {
            if let Some(other) = self.piece_at(to) {
                let in_reach = at == from || self.rules().scout;
                if other.side() != id.side() && in_reach {
                    visit(id, Action::new(from, to))?;
                }
                break;
            }
            visit(id, Action::new(from, to))?;
            if !slides {
                break;
            }
            at = to;
        }
        ControlFlow::Continue(())
    }
}
