//! What a player can tell of an enemy's piece.

use outflank::rules::RankSet;
use std::fmt;

/// How much of a piece its enemy can tell, by the rules alone.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum Visibility {
    /// Its rank.
    Known,
    /// That it has moved.
    Moved,
    /// Not even that.
    Unmoved,
}

impl Visibility {
    /// All of them, the most first.
    pub const ALL: [Visibility; 3] = [Visibility::Known, Visibility::Moved, Visibility::Unmoved];

    /// Of a piece that may be of these ranks for its enemy, and has moved or not.
    pub const fn of(ranks: RankSet, moved: bool) -> Visibility {
        match (ranks.single(), moved) {
            (Some(_), _) => Visibility::Known,
            (None, true) => Visibility::Moved,
            (None, false) => Visibility::Unmoved,
        }
    }

    /// Its name in tables and files.
    pub const fn name(self) -> &'static str {
        match self {
            Visibility::Known => "known",
            Visibility::Moved => "moved",
            Visibility::Unmoved => "unmoved",
        }
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
