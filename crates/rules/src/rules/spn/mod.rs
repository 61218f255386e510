//! SPN, the text of a position as one player knows it.
//!
//! `<board> <turn> <viewer> <captured> <quiet> <ply> [key=value ...]`; `protocol.md` tells it in full.

mod read;
mod write;

use super::position::Position;
use super::rank::Rank;
use super::ruleset::RulesError;
use super::side::Side;
use super::square::Square;
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
/// use outflank_rules::rules::{Ruleset, Spn};
///
/// let spn = Spn::parse("Y8N/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0", Ruleset::default())?;
/// // Red's miner in its corner has two moves.
/// assert_eq!(spn.position.actions().len(), 2);
/// assert!(spn.to_string().starts_with("Y8N/10/10/10/2__2__2/2__2__2/10/10/10/E8M r - -,- 0 0 preset=isf"));
/// # Ok::<(), outflank_rules::rules::SpnError>(())
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
    /// There are not ten rows.
    Rows,
    /// A row (1 to 10) of the board cannot be read.
    Row(u8, RowError),
    /// The field of that name cannot be read.
    Field(&'static str),
    /// A rule key is refused.
    Rules(RulesError),
    /// More pieces, or more of one rank, than the army holds.
    TooMany(Side),
    /// A piece of a side contradicts itself, on this square or among the dead.
    Piece(Side, Option<Square>, PieceFault),
    /// More plies without a strike than plies.
    Quiet,
}

/// Why a row of the board cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum RowError {
    /// Nothing begins with this character.
    Character(char),
    /// A mark, which is behind no piece, out of order, or a set that names no ranks.
    Mark(char),
    /// Nothing stands in it.
    Empty,
    /// The row has so many squares instead of ten.
    Squares(u32),
    /// A square of a lake has to be `_`, and no other square may be.
    Lake,
    /// Where both armies are known a piece has its letter.
    Hidden,
}

/// What a piece contradicts.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum PieceFault {
    /// The piece's owner knows its rank.
    Hidden,
    /// The army has no piece of this rank.
    Army,
    /// The piece has moved or made a rescue, and its rank does not.
    Reach,
    /// What may be known of it leaves its rank out, or nothing at all.
    Set,
    /// A piece that made a rescue has moved.
    Rescuer,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RowError::Character(c) => write!(f, "nothing begins with \"{}\"", c.escape_default()),
            RowError::Mark(c) => {
                write!(f, "\"{c}\" cannot be read; after a piece come +, * and [2345], in this order")
            }
            RowError::Empty => f.write_str("it is empty"),
            RowError::Squares(count) => write!(f, "it has {count} squares, not ten"),
            RowError::Lake => f.write_str("_ stands for the squares of lakes, and for no others"),
            RowError::Hidden => f.write_str("where both armies are known no piece is hidden"),
        }
    }
}

impl fmt::Display for PieceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PieceFault::Hidden => "its owner knows its rank",
            PieceFault::Army => "its army has no such rank",
            PieceFault::Reach => "it is told to have moved or made a rescue, which its rank does not",
            PieceFault::Set => "the set of ranks behind it contradicts it",
            PieceFault::Rescuer => "it is told to have made a rescue and not to have moved",
        })
    }
}

impl fmt::Display for SpnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpnError::Fields => {
                f.write_str("a position has six fields: board turn viewer captured quiet ply")
            }
            SpnError::Rows => f.write_str("the board needs ten rows with / between"),
            SpnError::Row(row, error) => write!(f, "row {row} of the board: {error}"),
            SpnError::Field(name) => write!(f, "the field {name} cannot be read"),
            SpnError::Rules(error) => error.fmt(f),
            SpnError::TooMany(side) => write!(f, "{side} has more pieces than its army holds"),
            SpnError::Piece(side, Some(square), fault) => write!(f, "{side}'s piece on {square}: {fault}"),
            SpnError::Piece(side, None, fault) => write!(f, "one of {side}'s dead: {fault}"),
            SpnError::Quiet => f.write_str("there are more quiet plies than plies"),
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
