//! What a piece's last move was about.

use crate::rules::{Action, Piece, PieceId, Position, Rank, Square};
use std::ops::BitOr;

/// What a piece may take another for that it meets.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Kind {
    /// Known to be a spy or a scout.
    Light,
    /// Known to be a miner.
    Miner,
    /// Known to be a sergeant or a lieutenant.
    Middling,
    /// Known to be a captain.
    Captain,
    /// Known to be a major.
    Major,
    /// Known to be a colonel.
    Colonel,
    /// Known to be the general.
    General,
    /// Known to be the Marshal.
    Marshal,
    /// Of untold rank, and it has moved.
    Moved,
    /// Of untold rank, and it has not moved.
    Unmoved,
    /// Known to be a bomb or the flag.
    Immobile,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// Every kind, in order.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Light,
        Kind::Miner,
        Kind::Middling,
        Kind::Captain,
        Kind::Major,
        Kind::Colonel,
        Kind::General,
        Kind::Marshal,
        Kind::Moved,
        Kind::Unmoved,
        Kind::Immobile,
    ];

    /// What its enemy can tell of a piece.
    pub const fn of(piece: &Piece) -> Kind {
        match piece.learned.single() {
            None if piece.moved => Kind::Moved,
            None => Kind::Unmoved,
            Some(Rank::Spy | Rank::Scout) => Kind::Light,
            Some(Rank::Miner) => Kind::Miner,
            Some(Rank::Sergeant | Rank::Lieutenant) => Kind::Middling,
            Some(Rank::Captain) => Kind::Captain,
            Some(Rank::Major) => Kind::Major,
            Some(Rank::Colonel) => Kind::Colonel,
            Some(Rank::General) => Kind::General,
            Some(Rank::Marshal) => Kind::Marshal,
            Some(Rank::Bomb | Rank::Flag) => Kind::Immobile,
        }
    }
}

/// A set of kinds.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct KindSet(u16);

impl KindSet {
    /// No kind.
    pub const EMPTY: KindSet = KindSet(0);

    /// The set of one kind.
    pub const fn only(kind: Kind) -> KindSet {
        KindSet(1 << kind as u16)
    }

    /// Whether a kind is in the set.
    pub const fn contains(self, kind: Kind) -> bool {
        self.0 >> kind as u16 & 1 == 1
    }

    /// Whether no kind is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Kind> + Clone {
        Kind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }

    /// Puts a kind in where something holds of it.
    const fn put(&mut self, kind: Kind, holds: bool) {
        self.0 |= (holds as u16) << kind as u16;
    }
}

impl BitOr for KindSet {
    type Output = KindSet;

    fn bitor(self, other: KindSet) -> KindSet {
        KindSet(self.0 | other.0)
    }
}

/// Steps from which a piece is said to go towards another.
const NEAR: u8 = 3;
/// Steps from which a piece is said to flee another.
const CLOSE: u8 = 2;

/// The enemies that a move without a strike had to do with. Counts of a whole game forget when; a piece that guards
/// now is not one that did a hundred plies ago.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct MoveFeatures {
    /// Went nearer to them, at most three steps off, but not beside.
    pub towards: KindSet,
    /// Went beside them.
    pub met: KindSet,
    /// Went away from them, at most two steps off before.
    pub fled: KindSet,
    /// Went beside a piece of its own that they stand beside.
    pub guarded: KindSet,
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
            let kind = Kind::of(position.piece(id));
            let (before, after) = (action.from.distance(square), action.to.distance(square));
            features.towards.put(kind, after < before && 1 < after && after <= NEAR);
            features.met.put(kind, after < before && after == 1);
            features.fled.put(kind, after > before && before <= CLOSE);
            features.guarded.put(kind, after == 2 && guards(position, mover, action.to, square));
        }
        features
    }
}

/// Whether a piece of the mover's side, not the mover, stands between two squares two steps apart.
fn guards(position: &Position, mover: PieceId, from: Square, to: Square) -> bool {
    let own = |square| position.piece_at(square).is_some_and(|id| id.side() == mover.side() && id != mover);
    from.neighbours().any(|between| between.distance(to) == 1 && own(between))
}
