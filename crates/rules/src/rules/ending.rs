//! How a game ended.

use super::side::Side;
use crate::named_enum::named_enum;
use std::fmt;

named_enum! {
    /// Why a game is over, with the word used in texts and records.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Reason {
        /// A flag was taken.
        Flag = "flag",
        /// The side to move had no legal action.
        Stuck = "stuck",
        /// A side had no mobile piece left.
        Attrition = "attrition",
        /// Too many plies without a strike.
        Quiet = "quiet",
        /// Too many plies.
        Plies = "plies",
    }
}

/// The end of a game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Ending {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for Ending {
    /// `red flag`, `draw quiet`, ...
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(side) => write!(f, "{side} {}", self.reason.name()),
            None => write!(f, "draw {}", self.reason.name()),
        }
    }
}
