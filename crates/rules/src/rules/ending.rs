//! How a game ended.

use super::side::Side;
use std::fmt;

/// Why a game is over.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Reason {
    /// A flag was taken.
    Flag,
    /// The side to move had no legal action.
    Stuck,
    /// A side had no mobile piece left.
    Attrition,
    /// Too many plies without a strike.
    Quiet,
    /// Too many plies.
    Plies,
}

/// The end of a game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Ending {
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
    /// Why.
    pub reason: Reason,
}

impl Reason {
    /// The word used in texts and records.
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Flag => "flag",
            Reason::Stuck => "stuck",
            Reason::Attrition => "attrition",
            Reason::Quiet => "quiet",
            Reason::Plies => "plies",
        }
    }
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
