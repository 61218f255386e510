//! SPN, the text of a position as one player knows it.
//!
//! `<board> <turn> <viewer> <captured> <quiet> <ply> [key=value ...]`; `protocol.md` tells it in full.

mod read;
mod write;

use super::position::Position;
use super::rank::Rank;
use super::ruleset::RulesError;
use super::side::Side;
use std::fmt;

/// Whose knowledge a position text holds.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Viewer {
    /// One player's.
    Player(Side),
    /// Both armies are known.
    Both,
}

/// A position together with whose knowledge it is.
///
/// ```
/// use outflank::rules::{Ruleset, Spn};
///
/// let spn = Spn::parse("Y8N/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0", Ruleset::default())?;
/// // Red's miner in its corner has two moves.
/// assert_eq!(spn.position.actions().len(), 2);
/// assert!(spn.to_string().starts_with("Y8N/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0 preset=isf"));
/// # Ok::<(), outflank::rules::SpnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Spn {
    /// The position; hidden pieces hold sets.
    pub position: Position,
    /// Whose knowledge it is.
    pub viewer: Viewer,
}

/// Why a text is no position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SpnError {
    /// Fewer than six fields.
    Fields,
    /// The board cannot be read; the row (1 to 10) it fails in, or 0 when there are not ten rows.
    Board(u8),
    /// The field of that name cannot be read.
    Field(&'static str),
    /// A rule key is refused.
    Rules(RulesError),
    /// More pieces, or more of one rank, than the army holds.
    TooMany(Side),
    /// A side has pieces on the board that cannot be there: a moved bomb, a hidden piece of the viewer's own.
    Piece(Side),
}

impl fmt::Display for SpnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpnError::Fields => {
                f.write_str("a position has six fields: board turn viewer captured quiet ply")
            }
            SpnError::Board(0) => f.write_str("the board needs ten rows with / between"),
            SpnError::Board(row) => write!(f, "row {row} of the board cannot be read"),
            SpnError::Field(name) => write!(f, "the field {name} cannot be read"),
            SpnError::Rules(error) => error.fmt(f),
            SpnError::TooMany(side) => write!(f, "{side} has more pieces than its army holds"),
            SpnError::Piece(side) => write!(f, "{side} has a piece that cannot be as it is told"),
        }
    }
}

impl std::error::Error for SpnError {}

/// Gravon's letters: Red `B` bomb, `C` spy, `D`..`K` 2..9, `L` Marshal, `M` flag; Blue twelve further on.
const LETTERS: [Rank; 12] = [
    Rank::Bomb,
    Rank::Spy,
    Rank::Scout,
    Rank::Miner,
    Rank::Sergeant,
    Rank::Lieutenant,
    Rank::Captain,
    Rank::Major,
    Rank::Colonel,
    Rank::General,
    Rank::Marshal,
    Rank::Flag,
];

/// The letter of a piece of `side` on the board of a position text.
pub fn board_letter(side: Side, rank: Rank) -> char {
    let place = LETTERS.iter().position(|&other| other == rank).unwrap_or(0) as u8;
    char::from(b'B' + place + 12 * side.index() as u8)
}

/// The piece that a letter of a position text's board stands for, in either case.
pub fn from_board_letter(letter: char) -> Option<(Side, Rank)> {
    let place = (letter.to_ascii_uppercase() as u32).checked_sub('B' as u32)? as usize;
    let side = if place < 12 { Side::Red } else { Side::Blue };
    LETTERS.get(place % 12).filter(|_| place < 24).map(|&rank| (side, rank))
}
