//! The planes of an observation: which there are, and the bytes in which they are kept.

use outflank::rules::{SQUARES, Side, Square};

/// The version of the encoding: any change of what a byte means is a new one.
pub const ENCODING: u32 = 2;

/// What the planes hold, in order; each has a byte per square.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Plane {
    /// Our pieces, a plane a rank.
    OurRanks,
    /// What the enemy may take our pieces for, by facts and counts, a plane a rank.
    OursAsSeen,
    /// Our pieces that have moved.
    OursMoved,
    /// Our pieces whose rank the enemy has been shown.
    OursKnown,
    /// What the enemy's pieces may be, by facts and counts, a plane a rank.
    EnemyRanks,
    /// Enemy pieces that have moved.
    EnemyMoved,
    /// Enemy pieces whose rank we know.
    EnemyKnown,
    /// The lakes.
    Lakes,
    /// Squares to which a repetition rule forbids us a move.
    Forbidden,
    /// The last plies, the newest first, a plane each: where a piece came from, went to, or struck.
    History,
    /// Our pieces that have moved: from which row.
    OurStartRows,
    /// Enemy pieces that have moved: from which row.
    EnemyStartRows,
    /// Our pieces that have moved: how early first.
    OurFirstMoves,
    /// Enemy pieces that have moved: how early first.
    EnemyFirstMoves,
    /// Our pieces beside enemies that may strike: the best chance that one of them takes it.
    OurThreatened,
    /// Enemy pieces beside ours that may strike: the best chance that one of ours takes it.
    EnemyThreatened,
    /// Our pieces beside mobile ones of ours: how strong the strongest of these is.
    OurProtected,
    /// Enemy pieces beside others of the enemy's: how strong the strongest of these is expected to be.
    EnemyProtected,
    /// Our pieces that have come beside an enemy lately: how lately.
    OurApproaches,
    /// Enemy pieces that have come beside one of ours lately.
    EnemyApproaches,
    /// Our pieces that stood beside an enemy and have gone away from all of them lately.
    OurEvasions,
    /// Enemy pieces that stood beside one of ours and have gone away from all of them lately.
    EnemyEvasions,
    /// Squares that our pieces came to and from lately.
    OurTrails,
    /// Squares that enemy pieces came to and from lately.
    EnemyTrails,
}

/// Plies that [`Plane::History`] tells.
pub const HISTORY: usize = 8;

impl Plane {
    /// Every kind, in order.
    pub const ALL: [Plane; 24] = [
        Plane::OurRanks,
        Plane::OursAsSeen,
        Plane::OursMoved,
        Plane::OursKnown,
        Plane::EnemyRanks,
        Plane::EnemyMoved,
        Plane::EnemyKnown,
        Plane::Lakes,
        Plane::Forbidden,
        Plane::History,
        Plane::OurStartRows,
        Plane::EnemyStartRows,
        Plane::OurFirstMoves,
        Plane::EnemyFirstMoves,
        Plane::OurThreatened,
        Plane::EnemyThreatened,
        Plane::OurProtected,
        Plane::EnemyProtected,
        Plane::OurApproaches,
        Plane::EnemyApproaches,
        Plane::OurEvasions,
        Plane::EnemyEvasions,
        Plane::OurTrails,
        Plane::EnemyTrails,
    ];

    /// The index of its first plane.
    pub const fn first(self) -> usize {
        match self {
            Plane::OurRanks => 0,
            Plane::OursAsSeen => 12,
            Plane::OursMoved => 24,
            Plane::OursKnown => 25,
            Plane::EnemyRanks => 26,
            Plane::EnemyMoved => 38,
            Plane::EnemyKnown => 39,
            Plane::Lakes => 40,
            Plane::Forbidden => 41,
            Plane::History => 42,
            Plane::OurStartRows => 50,
            Plane::EnemyStartRows => 51,
            Plane::OurFirstMoves => 52,
            Plane::EnemyFirstMoves => 53,
            Plane::OurThreatened => 54,
            Plane::EnemyThreatened => 55,
            Plane::OurProtected => 56,
            Plane::EnemyProtected => 57,
            Plane::OurApproaches => 58,
            Plane::EnemyApproaches => 59,
            Plane::OurEvasions => 60,
            Plane::EnemyEvasions => 61,
            Plane::OurTrails => 62,
            Plane::EnemyTrails => 63,
        }
    }
}

/// Planes of an observation.
pub const PLANES: usize = 64;
/// Bytes of these planes: plane by plane, each row by row from the viewer's left corner.
pub const PLANE_BYTES: usize = PLANES * SQUARES;

/// The index of a square as `viewer` sees the board.
pub const fn seen_from(viewer: Side, square: Square) -> usize {
    match viewer {
        Side::Red => square.index(),
        Side::Blue => SQUARES - 1 - square.index(),
    }
}

/// The planes of one viewer.
pub(crate) struct Board<'a> {
    pub(crate) planes: &'a mut [u8],
    pub(crate) viewer: Side,
}

impl Board<'_> {
    pub(crate) fn get(&self, plane: Plane, square: Square) -> u8 {
        self.planes[plane.first() * SQUARES + seen_from(self.viewer, square)]
    }

    pub(crate) fn set(&mut self, plane: Plane, offset: usize, square: Square, value: u8) {
        self.planes[(plane.first() + offset) * SQUARES + seen_from(self.viewer, square)] = value;
    }
}

/// A chance in 1/255, at least one.
pub(crate) fn byte(chance: f32) -> u8 {
    ((chance * 255.0).round() as u8).max(1)
}
