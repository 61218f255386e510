//! How often each side has struck hidden pieces with its known strong ones, when it could.
//!
//! Players differ in this more than in anything else: of strong ones few ever strike what never moved, many bots do.

use crate::rules::{Action, Piece, PieceId, Position, Rank, Square};

/// Turns in which a known major or better stood beside a hidden enemy piece, and those in which it struck one.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct BlindStrikes {
    /// At pieces that never moved.
    pub unmoved: Share,
    /// At pieces that have moved.
    pub moved: Share,
}

/// How often something was done of the times that it could have been.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Share {
    /// Turns in which it could be done.
    pub chances: u16,
    /// Turns in which it was done.
    pub taken: u16,
}

impl Share {
    fn count(&mut self, could: bool, did: bool) {
        self.chances = self.chances.saturating_add(u16::from(could || did));
        self.taken = self.taken.saturating_add(u16::from(did));
    }

    /// The rate that is believed in, where `prior` is what to expect of a stranger and counts as much as `weight`
    /// turns.
    pub fn rate(self, prior: f32, weight: f32) -> f32 {
        (weight * prior + f32::from(self.taken)) / (weight + f32::from(self.chances))
    }
}

impl BlindStrikes {
    /// Counts a turn of the side to move in `position`, which plays `action`: a chance is a hidden piece beside the
    /// piece that acted in its last turn, so that a standoff counts once.
    pub(super) fn count(&mut self, position: &Position, action: Action) {
        let arrived = position.history().rev().nth(1).map(|played| played.action.to);
        for (share, moved) in [(&mut self.unmoved, false), (&mut self.moved, true)] {
            let hidden = |square: Square| is_hidden_enemy(position, square, moved);
            let could = arrived
                .is_some_and(|square| is_known_strong(position, square) && square.neighbours().any(hidden));
            share.count(could, is_known_strong(position, action.from) && hidden(action.to));
        }
    }
}

/// The piece on a square.
fn standing(position: &Position, square: Square) -> Option<(PieceId, &Piece)> {
    let id = position.piece_at(square)?;
    Some((id, position.piece(id)))
}

fn is_known_strong(position: &Position, square: Square) -> bool {
    let strong =
        |piece: &Piece| piece.learned.single().is_some_and(|rank| rank.is_mobile() && rank >= Rank::Major);
    standing(position, square).is_some_and(|(id, piece)| id.side() == position.to_move() && strong(piece))
}

fn is_hidden_enemy(position: &Position, square: Square, moved: bool) -> bool {
    standing(position, square).is_some_and(|(id, piece)| {
        id.side() != position.to_move() && piece.learned.single().is_none() && piece.moved == moved
    })
}
