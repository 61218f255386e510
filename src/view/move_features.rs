//! What a piece's last move was about.

use super::behaviour::Kind;
use crate::rules::{Action, PieceId, Position, Square};

/// A set of kinds: bit by [`Kind`].
pub type Kinds = u16;

/// Steps from which a piece is said to go towards another.
const NEAR: u8 = 3;
/// Steps from which a piece is said to flee another.
const CLOSE: u8 = 2;

/// The enemies that a move without a strike had to do with. Counts of a whole game forget when; a piece that guards now is not
/// one that did a hundred plies ago.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct MoveFeatures {
    /// Went nearer to them, at most three steps off, but not beside.
    pub towards: Kinds,
    /// Went beside them.
    pub met: Kinds,
    /// Went away from them, at most two steps off before.
    pub fled: Kinds,
    /// Went beside a piece of its own that they stand beside.
    pub guarded: Kinds,
}

impl MoveFeatures {
    /// Of a move of `mover`'s about to be made in `position`, as both players see it; nothing for a strike.
    pub(super) fn of(position: &Position, mover: PieceId, action: Action) -> MoveFeatures {
        let mut features = MoveFeatures::default();
        if position.piece_at(action.to).is_some() {
            return features;
        }
        for square in position.occupied(mover.side().enemy()) {
            let Some(id) = position.piece_at(square) else { continue };
            let kind = Kind::of(position.piece(id)) as u16;
            let (before, after) = (action.from.distance(square), action.to.distance(square));
            let bit = |holds: bool| Kinds::from(holds) << kind;
            features.towards |= bit(after < before && 1 < after && after <= NEAR);
            features.met |= bit(after < before && after == 1);
            features.fled |= bit(after > before && before <= CLOSE);
            features.guarded |= bit(after == 2 && guards(position, mover, action.to, square));
        }
        features
    }
}

/// Whether a piece of the mover's side, not the mover, stands between two squares two steps apart.
fn guards(position: &Position, mover: PieceId, from: Square, to: Square) -> bool {
    let own = |square| position.piece_at(square).is_some_and(|id| id.side() == mover.side() && id != mover);
    from.neighbours().any(|between| between.distance(to) == 1 && own(between))
}
