//! What a player can tell of an enemy's piece.

use crate::named_enum::named_enum;
use crate::rules::RankSet;
use std::fmt;

named_enum! {
    /// How much of a piece its enemy can tell, by the rules alone; the most first.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
    pub enum Visibility {
        /// The piece's rank is known.
        Known = "known",
        /// That it has moved.
        Moved = "moved",
        /// Not even that.
        Unmoved = "unmoved",
    }
}

impl Visibility {
    /// Of a piece that may be of these ranks for its enemy, and has moved or not.
    pub const fn of(ranks: RankSet, moved: bool) -> Visibility {
        match (ranks.single(), moved) {
            (Some(_), _) => Visibility::Known,
            (None, true) => Visibility::Moved,
            (None, false) => Visibility::Unmoved,
        }
    }
}

impl fmt::Display for Visibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
