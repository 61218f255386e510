//! The XML of Gravon's archive.
//!
//! A document holds `game` elements. Each has its `type`; in it stand a `field` whose `content` is the board before
//! the first ply, a `move` with `source` and `target` for every ply (Red begins), a `player` with a name for each
//! side, and a `result` with the `type` of ending and the `winner`: 1 Red, 2 Blue, 3 nobody. Files are written `A` to
//! `I` and `K` (a few games of the archive say `J`), rows `1` to `9` and `:`, the letter after 9.

mod documents;
mod read;
mod write;

pub use read::{games, square};
pub use write::{FOOT, HEAD, element, square_text};

use crate::board::Board;
use outflank::named_enum::named_enum;
use outflank::rules::{Action, Side};
use outflank_record::Decision;

named_enum! {
    /// What is played.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Kind {
        /// Forty pieces.
        Classic = "classic",
        /// Eight pieces.
        Barrage = "barrage",
        /// Whatever the players put up.
        Free = "classicfree",
        /// Twenty pieces, with rules of its own.
        UltimateLightning = "ultimate lightning",
        /// Ten pieces.
        Duel = "duell",
    }
}

impl Kind {
    /// The kind that a word stands for.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name.trim()))
    }

    /// The rule keys that turn the classic rules into this kind's; `None` if no keys do.
    pub const fn keys(self) -> Option<&'static str> {
        match self {
            Kind::Classic => Some(""),
            Kind::Barrage => Some("barrage=on"),
            Kind::Free | Kind::UltimateLightning | Kind::Duel => None,
        }
    }
}

/// Why a game of the archive ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum End {
    /// The loser had no move.
    Stuck,
    /// A flag was taken.
    Flag,
    /// Nobody had a move.
    BothStuck,
    /// Something that no rule of the game brings about.
    Decided(Decision),
}

impl End {
    /// All ways in which the archive lets a game end.
    pub const ALL: [End; 10] = [
        End::Stuck,
        End::Flag,
        End::BothStuck,
        End::Decided(Decision::Resigned),
        End::Decided(Decision::Agreed),
        End::Decided(Decision::BothAbsent),
        End::Decided(Decision::Time),
        End::Decided(Decision::GameTime),
        End::Decided(Decision::TimeAbsent),
        End::Decided(Decision::Absent),
    ];

    /// The archive's number.
    pub const fn number(self) -> u32 {
        match self {
            End::Stuck => 0,
            End::Flag => 1,
            End::BothStuck => 2,
            End::Decided(Decision::Resigned) => 3,
            End::Decided(Decision::Agreed) => 4,
            End::Decided(Decision::BothAbsent) => 10,
            End::Decided(Decision::Time) => 11,
            End::Decided(Decision::GameTime) => 12,
            End::Decided(Decision::TimeAbsent) => 13,
            End::Decided(Decision::Absent) => 14,
        }
    }

    /// The end that a number stands for.
    pub fn from_number(number: u32) -> Option<End> {
        End::ALL.into_iter().find(|end| end.number() == number)
    }
}

/// How a game of the archive ended.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Result {
    /// Why.
    pub end: End,
    /// The winner; `None` is a draw.
    pub winner: Option<Side>,
}

/// One ply.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Move {
    /// The line it was read from, from 1; 0 if it was not read.
    pub line: usize,
    /// From where to where.
    pub action: Action,
}

/// A game as the archive tells it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Game {
    /// What is played.
    pub kind: Kind,
    /// The board before the first ply; `None` if the game ended before both had set up.
    pub field: Option<Board>,
    /// The plies, Red's first.
    pub moves: Vec<Move>,
    /// The players' names, Red's first; empty where not known.
    pub players: [String; 2],
    /// How it ended, if that is known.
    pub result: Option<Result>,
    /// The names of elements that were read and mean nothing here.
    pub unknown: Vec<String>,
}

impl Game {
    /// A game of which nothing is known yet.
    pub fn new(kind: Kind) -> Game {
        let (players, unknown) = (<[String; 2]>::default(), Vec::new());
        Game { kind, field: None, moves: Vec::new(), players, result: None, unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_read_back() {
        for kind in Kind::ALL {
            assert_eq!(Kind::from_name(kind.name()), Some(kind));
        }
        assert_eq!(Kind::from_name("chess"), None);
        for end in End::ALL {
            assert_eq!(End::from_number(end.number()), Some(end));
        }
        assert_eq!(End::from_number(7), None);
        for decision in Decision::ALL {
            assert!(End::ALL.contains(&End::Decided(decision)), "{decision:?}");
        }
    }
}
