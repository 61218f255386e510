//! Armies and setups.

use super::arrays::ByRank;
use super::rank::{Rank, RankSet};
use std::fmt;
use std::str::FromStr;

/// How many pieces of each rank an army starts with.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Army(ByRank<u8>);

impl Army {
    /// The 40 pieces of every rule text: F1 S1 2x8 3x5 4x4 5x4 6x4 7x3 8x2 9x1 M1 B6.
    pub const CLASSIC: Army = Army(ByRank::new([1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6]));
    /// The eight pieces of barrage: F1 S1 2x2 3x1 9x1 M1 B1.
    pub const BARRAGE: Army = Army(ByRank::new([1, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1]));

    /// Pieces of `rank` at the start.
    pub const fn count(&self, rank: Rank) -> u8 {
        *self.0.of(rank)
    }

    /// Pieces of each rank at the start.
    pub const fn counts(&self) -> &ByRank<u8> {
        &self.0
    }

    /// The ranks that occur in it.
    pub fn ranks(&self) -> RankSet {
        self.0.iter().filter(|(_, count)| **count > 0).map(|(rank, _)| rank).collect()
    }

    /// Pieces in all.
    pub fn size(&self) -> usize {
        self.0.values().map(|&count| usize::from(count)).sum()
    }
}

/// What a setup says of one place.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub enum Cell {
    /// Nothing stands there.
    Empty,
    /// A piece whose rank is not known.
    Hidden,
    /// A piece of this rank.
    Known(Rank),
}

impl Cell {
    /// `.`, `?` or the rank's letter.
    pub const fn letter(self) -> char {
        match self {
            Cell::Empty => '.',
            Cell::Hidden => '?',
            Cell::Known(rank) => rank.letter(),
        }
    }

    /// The cell a letter stands for, either case.
    pub fn from_letter(letter: char) -> Option<Cell> {
        match letter {
            '.' => Some(Cell::Empty),
            '?' => Some(Cell::Hidden),
            letter => Rank::from_letter(letter).map(Cell::Known),
        }
    }
}

/// Forty places as their owner sees them: back row first, left to right.
///
/// ```
/// use outflank_rules::rules::{Cell, Rank, Ruleset, Setup, Side, Square};
///
/// let setup: Setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse()?;
/// assert!(setup.is_complete(&Ruleset::default().army()));
/// // Red's third character stands on c1, Blue's on h10.
/// assert_eq!(setup.0[2], Cell::Known(Rank::Flag));
/// assert_eq!("h10".parse::<Square>().ok().and_then(|square| square.setup_place(Side::Blue)), Some(2));
/// # Ok::<(), outflank_rules::rules::SetupError>(())
/// ```
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Setup(pub [Cell; 40]);

/// Why a text is no setup, or a setup does not fit an army.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum SetupError {
    /// Not forty characters; this many.
    Length(usize),
    /// A character that stands for nothing.
    Letter(char),
    /// More pieces of the rank than the army holds.
    TooMany(Rank),
    /// More pieces than the army holds.
    TooLarge,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Length(found) => write!(f, "a setup has 40 characters, this one {found}"),
            SetupError::Letter(letter) => write!(f, "no piece is written {letter:?}"),
            SetupError::TooMany(rank) => write!(f, "more pieces of rank {rank} than the army holds"),
            SetupError::TooLarge => f.write_str("more pieces than the army holds"),
        }
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// Forty hidden pieces.
    pub const HIDDEN: Setup = Setup([Cell::Hidden; 40]);

    /// Checks the setup against an army: no rank too often, not too many pieces.
    pub fn check(&self, army: &Army) -> Result<(), SetupError> {
        for rank in Rank::ALL {
            if self.count(Cell::Known(rank)) > army.count(rank) as usize {
                return Err(SetupError::TooMany(rank));
            }
        }
        if 40 - self.count(Cell::Empty) > army.size() {
            return Err(SetupError::TooLarge);
        }
        Ok(())
    }

    /// Whether every piece of the army is there with its rank known.
    pub fn is_complete(&self, army: &Army) -> bool {
        Rank::ALL.into_iter().all(|rank| self.count(Cell::Known(rank)) == army.count(rank) as usize)
            && self.count(Cell::Hidden) == 0
    }

    /// The army that it is complete by: every piece is there with its rank known. None if there is no such army.
    pub fn army(&self) -> Option<Army> {
        [Army::CLASSIC, Army::BARRAGE].into_iter().find(|army| self.is_complete(army))
    }

    /// Whether the rank of every piece is known: no place is hidden.
    pub fn shows_every_rank(&self) -> bool {
        self.count(Cell::Hidden) == 0
    }

    /// The setup with every rank hidden: what the enemy sees.
    pub fn hidden(&self) -> Setup {
        Setup(self.0.map(|cell| if cell == Cell::Empty { Cell::Empty } else { Cell::Hidden }))
    }

    /// Left and right exchanged.
    pub fn mirrored(&self) -> Setup {
        Setup(std::array::from_fn(|place| self.0[place / 10 * 10 + 9 - place % 10]))
    }

    fn count(&self, wanted: Cell) -> usize {
        self.0.iter().filter(|&&cell| cell == wanted).count()
    }
}

impl FromStr for Setup {
    type Err = SetupError;

    /// Forty characters, or a lone `?` for forty hidden pieces.
    fn from_str(text: &str) -> Result<Setup, SetupError> {
        if text == "?" {
            return Ok(Setup::HIDDEN);
        }
        let mut cells = [Cell::Empty; 40];
        let length = text.chars().count();
        if length != 40 {
            return Err(SetupError::Length(length));
        }
        for (cell, letter) in cells.iter_mut().zip(text.chars()) {
            *cell = Cell::from_letter(letter).ok_or(SetupError::Letter(letter))?;
        }
        Ok(Setup(cells))
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|cell| write!(f, "{}", cell.letter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HUMAN: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

    #[test]
    fn setups_parse_back_and_are_checked() {
        let setup: Setup = HUMAN.parse().unwrap();
        assert_eq!(setup.to_string(), HUMAN);
        assert!(setup.is_complete(&Army::CLASSIC));
        assert_eq!(setup.check(&Army::CLASSIC), Ok(()));
        assert_eq!(setup.check(&Army::BARRAGE), Err(SetupError::TooMany(Rank::Scout)));
        assert_eq!(setup.mirrored().mirrored(), setup);
        assert_eq!(setup.hidden(), Setup::HIDDEN);
        assert_eq!("?".parse(), Ok(Setup::HIDDEN));
        assert_eq!("??".parse::<Setup>(), Err(SetupError::Length(2)));
        assert_eq!(HUMAN.replace('M', "x").parse::<Setup>(), Err(SetupError::Letter('x')));
    }

    #[test]
    fn armies_have_their_size() {
        assert_eq!((Army::CLASSIC.size(), Army::BARRAGE.size()), (40, 8));
        assert_eq!(Army::CLASSIC.ranks(), RankSet::ALL);
        assert_eq!(Army::BARRAGE.ranks().to_string(), "FS239MB");
    }
}
