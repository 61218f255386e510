//! The board: 92 squares, two lakes, four directions.
//!
//! Files run `a`..`j` from Red's left, rows `1`..`10` from Red's back row. A [`Square`] is never a lake, so
//! code that holds one need not ask again.

use super::side::Side;
use std::fmt;
use std::str::FromStr;

/// Files (and rows) of the board.
const SIDE_LENGTH: u8 = 10;
/// Size of arrays indexed by [`Square::index`].
pub const SQUARES: usize = 100;

/// `c5 d5 c6 d6 g5 h5 g6 h6`: row 5 and 6, files c, d, g, h.
pub(super) const LAKES: u128 = (0b00_1100_1100u128 << 40) | (0b00_1100_1100u128 << 50);

/// A direction as Red sees the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Direction {
    /// Towards row 10.
    North,
    /// Towards file j.
    East,
    /// Towards row 1.
    South,
    /// Towards file a.
    West,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] = [Direction::North, Direction::East, Direction::South, Direction::West];
}

/// A square that a piece may stand on; lakes have no `Square`.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on `file` and `row` (both 0..10), unless off the board or in a lake.
    pub const fn new(file: u8, row: u8) -> Option<Square> {
        if file < SIDE_LENGTH && row < SIDE_LENGTH { Square::from_index(row * 10 + file) } else { None }
    }

    /// The square with this [`index`](Square::index), unless it is off the board or in a lake.
    pub const fn from_index(index: u8) -> Option<Square> {
        if index < SQUARES as u8 && (LAKES >> index) & 1 == 0 { Some(Square(index)) } else { None }
    }

    /// The square with this index, which is one.
    pub(super) const fn trusted(index: u8) -> Square {
        debug_assert!(Square::from_index(index).is_some());
        Square(index)
    }

    /// `row * 10 + file`, in 0..100.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for `a` .. 9 for `j`.
    pub const fn file(self) -> u8 {
        self.0 % 10
    }

    /// 0 for row 1 .. 9 for row 10.
    pub const fn row(self) -> u8 {
        self.0 / 10
    }

    /// Rows from `side`'s own back row: 0 is its back row, 9 the enemy's.
    pub const fn row_from(self, side: Side) -> u8 {
        match side {
            Side::Red => self.row(),
            Side::Blue => 9 - self.row(),
        }
    }

    /// The square's image, left and right exchanged. The lakes lie alike on both sides.
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square::trusted(self.0 / 10 * 10 + 9 - self.0 % 10)
    }

    /// The next square in `direction`, unless the edge or a lake is there.
    pub const fn step(self, direction: Direction) -> Option<Square> {
        let next = NEIGHBOURS[self.0 as usize][direction as usize];
        if next == NONE { None } else { Some(Square(next)) }
    }

    /// The up to four squares next to this one.
    pub fn neighbours(self) -> impl Iterator<Item = Square> {
        NEIGHBOURS[self.index()].into_iter().filter(|&n| n != NONE).map(Square)
    }

    /// Whether the two squares share a border.
    pub const fn is_next_to(self, other: Square) -> bool {
        let [north, east, south, west] = NEIGHBOURS[self.index()];
        north == other.0 || east == other.0 || south == other.0 || west == other.0
    }

    /// Steps between the squares on an empty board without lakes.
    pub const fn distance(self, other: Square) -> u8 {
        self.file().abs_diff(other.file()) + self.row().abs_diff(other.row())
    }

    /// The square of `side`'s setup string at `place` (0..40): back row first, left to right as it sees them.
    pub const fn of_setup(side: Side, place: usize) -> Option<Square> {
        if place >= 40 {
            return None;
        }
        match side {
            Side::Red => Some(Square(place as u8)),
            Side::Blue => Some(Square(99 - place as u8)),
        }
    }

    /// The place (0..40) of this square in `side`'s setup string, if it lies in that side's four rows.
    pub const fn setup_place(self, side: Side) -> Option<usize> {
        let place = match side {
            Side::Red => self.index(),
            Side::Blue => 99 - self.index(),
        };
        if place < 40 { Some(place) } else { None }
    }

    /// Every square, row 1 first, left to right.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..SQUARES as u8).filter_map(Square::from_index)
    }
}

const NONE: u8 = u8::MAX;
static NEIGHBOURS: [[u8; 4]; SQUARES] = neighbour_table();

const fn neighbour_table() -> [[u8; 4]; SQUARES] {
    let mut table = [[NONE; 4]; SQUARES];
    let mut index = 0;
    while index < SQUARES as u8 {
        if let Some(square) = Square::from_index(index) {
            let (file, row) = (square.file(), square.row());
            let steps = [
                Square::new(file, row + 1),
                Square::new(file + 1, row),
                Square::new(file, row.wrapping_sub(1)),
                Square::new(file.wrapping_sub(1), row),
            ];
            let mut direction = 0;
            while direction < 4 {
                if let Some(next) = steps[direction] {
                    table[index as usize][direction] = next.0;
                }
                direction += 1;
            }
        }
        index += 1;
    }
    table
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.row() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text names no square: bad letters, off the board, or a lake.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum NoSquare {
    /// The text is not a file and a row.
    Shape,
    /// The square is part of a lake.
    Lake,
}

impl fmt::Display for NoSquare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoSquare::Shape => "the text is no square",
            NoSquare::Lake => "the square is part of a lake",
        })
    }
}

impl std::error::Error for NoSquare {}

impl FromStr for Square {
    type Err = NoSquare;

    /// `a1`..`j10`, either case; `k` is the tenth file too, as on Gravon.
    fn from_str(text: &str) -> Result<Square, NoSquare> {
        let (&letter, digits) = text.as_bytes().split_first().ok_or(NoSquare::Shape)?;
        let file = match letter.to_ascii_lowercase() {
            letter @ b'a'..=b'j' => letter - b'a',
            b'k' => 9,
            _ => return Err(NoSquare::Shape),
        };
        let row = match digits {
            [digit @ b'1'..=b'9'] => digit - b'1',
            b"10" => 9,
            _ => return Err(NoSquare::Shape),
        };
        Square::new(file, row).ok_or(NoSquare::Lake)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_92_squares_and_their_names_parse_back() {
        assert_eq!(Square::all().count(), 92);
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for lake in ["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"] {
            assert_eq!(lake.parse::<Square>(), Err(NoSquare::Lake), "{lake}");
        }
        assert_eq!("k10".parse::<Square>(), "j10".parse());
        for wrong in ["", "a", "a0", "a11", "l1", "a01", "aa1", "a1 "] {
            assert_eq!(wrong.parse::<Square>(), Err(NoSquare::Shape), "{wrong:?}");
        }
    }

    #[test]
    fn steps_stop_at_edges_and_lakes() {
        let at = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(at("a1").step(Direction::South), None);
        assert_eq!(at("j10").step(Direction::East), None);
        assert_eq!(at("c4").step(Direction::North), None);
        assert_eq!(at("b5").step(Direction::East), None);
        assert_eq!(at("e5").step(Direction::North), Some(at("e6")));
    }

    #[test]
    fn setups_are_read_as_their_owner_sees_them() {
        let first = |side| Square::of_setup(side, 0).unwrap().to_string();
        assert_eq!((first(Side::Red), first(Side::Blue)), ("a1".into(), "j10".into()));
        for side in Side::BOTH {
            for place in 0..40 {
                assert_eq!(Square::of_setup(side, place).unwrap().setup_place(side), Some(place));
            }
        }
    }
}
