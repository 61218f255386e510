//! Ranks and sets of ranks.

use crate::named_enum::named_enum;
use std::fmt;

named_enum! {
    /// What a piece is. Ordered `F S 2 .. 9 M B`; among mobile pieces the later one is the stronger.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
    #[repr(u8)]
    pub enum Rank {
        /// The piece to take.
        Flag = "flag",
        /// Beats the Marshal when it strikes.
        Spy = "spy",
        /// Moves any number of open squares in a line.
        Scout = "scout",
        /// Removes bombs.
        Miner = "miner",
        /// Rank 4.
        Sergeant = "sergeant",
        /// Rank 5.
        Lieutenant = "lieutenant",
        /// Rank 6.
        Captain = "captain",
        /// Rank 7.
        Major = "major",
        /// Rank 8.
        Colonel = "colonel",
        /// Rank 9.
        General = "general",
        /// Rank 10, written `M`.
        Marshal = "marshal",
        /// Never moves; beaten by miners only.
        Bomb = "bomb",
    }
}

named_enum! {
    /// The flag, bombs, and all that can move: where they stand and what they do is judged apart.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum RankKind {
        /// The flag.
        Flag = "flag",
        /// Bombs.
        Bomb = "bomb",
        /// All that can move.
        Mobile = "mobile",
    }
}

impl Rank {
    /// The rank of a name or a letter, in capitals or not.
    pub fn from_name(word: &str) -> Option<Rank> {
        let mut letters = word.chars();
        let letter = letters.next().filter(|_| letters.next().is_none());
        let named = || Rank::ALL.into_iter().find(|rank| rank.name().eq_ignore_ascii_case(word));
        letter.and_then(Rank::from_letter).or_else(named)
    }

    /// Size of arrays indexed by [`Rank::index`].
    pub const COUNT: usize = Rank::ALL.len();

    /// 0 for the flag .. 11 for a bomb.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind of this rank.
    pub const fn kind(self) -> RankKind {
        match self {
            Rank::Flag => RankKind::Flag,
            Rank::Bomb => RankKind::Bomb,
            Rank::Spy
            | Rank::Scout
            | Rank::Miner
            | Rank::Sergeant
            | Rank::Lieutenant
            | Rank::Captain
            | Rank::Major
            | Rank::Colonel
            | Rank::General
            | Rank::Marshal => RankKind::Mobile,
        }
    }

    /// Whether a piece of this rank may ever move.
    pub const fn is_mobile(self) -> bool {
        matches!(self.kind(), RankKind::Mobile)
    }

    /// The letter of the protocol: `F S 2 3 4 5 6 7 8 9 M B`.
    pub const fn letter(self) -> char {
        b"FS23456789MB"[self.index()] as char
    }

    /// The rank a letter stands for, either case.
    pub fn from_letter(letter: char) -> Option<Rank> {
        let letter = letter.to_ascii_uppercase();
        Rank::ALL.into_iter().find(|rank| rank.letter() == letter)
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of ranks: what a piece may still be.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Default)]
pub struct RankSet(u16);

impl RankSet {
    /// No rank: a contradiction when it describes a piece.
    pub const EMPTY: RankSet = RankSet(0);
    /// Every rank.
    pub const ALL: RankSet = RankSet(0xfff);
    /// Every rank that may move.
    pub const MOBILE: RankSet = RankSet(0x7fe);
    /// Flag and bomb.
    pub const IMMOBILE: RankSet = RankSet(0x801);

    /// The set of one rank.
    pub const fn only(rank: Rank) -> RankSet {
        RankSet(1 << rank as u16)
    }

    /// The set whose bit `i` stands for the rank of index `i`; higher bits are dropped.
    pub const fn from_bits(bits: u16) -> RankSet {
        RankSet(bits & 0xfff)
    }

    /// Bit `i` stands for the rank of index `i`.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether `rank` is in the set.
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 >> rank as u16 & 1 == 1
    }

    /// Number of ranks in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no rank is left.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Ranks in both sets.
    pub const fn and(self, other: RankSet) -> RankSet {
        RankSet(self.0 & other.0)
    }

    /// Ranks in either set.
    pub const fn or(self, other: RankSet) -> RankSet {
        RankSet(self.0 | other.0)
    }

    /// Ranks of this set that are not in the other.
    pub const fn without(self, other: RankSet) -> RankSet {
        RankSet(self.0 & !other.0)
    }

    /// Whether the sets share a rank.
    pub const fn meets(self, other: RankSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every rank of this set is in the other.
    pub const fn is_within(self, other: RankSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// The one rank of a set of one.
    pub const fn single(self) -> Option<Rank> {
        if self.0.is_power_of_two() { Some(Rank::ALL[self.0.trailing_zeros() as usize]) } else { None }
    }

    /// The ranks of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Rank> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let index = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            Rank::ALL.get(index).copied()
        })
    }
}

impl FromIterator<Rank> for RankSet {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> RankSet {
        ranks.into_iter().fold(RankSet::EMPTY, |set, rank| set.or(RankSet::only(rank)))
    }
}

impl fmt::Display for RankSet {
    /// The letters of the set, in order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|rank| fmt::Display::fmt(&rank, f))
    }
}

impl fmt::Debug for RankSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_parse_back() {
        for rank in Rank::ALL {
            assert_eq!(Rank::from_letter(rank.letter()), Some(rank));
            assert_eq!(Rank::from_letter(rank.letter().to_ascii_lowercase()), Some(rank));
            for word in [rank.name().to_owned(), rank.name().to_uppercase(), rank.letter().to_string()] {
                assert_eq!(Rank::from_name(&word), Some(rank));
            }
        }
        assert_eq!(["", "1", "marshals", "99"].map(Rank::from_name), [None; 4]);
        assert_eq!(Rank::from_letter('1'), None);
    }

    #[test]
    fn the_named_sets_hold_what_they_say() {
        assert_eq!(RankSet::MOBILE, Rank::ALL.into_iter().filter(|rank| rank.is_mobile()).collect());
        assert_eq!(RankSet::IMMOBILE.or(RankSet::MOBILE), RankSet::ALL);
        assert_eq!(RankSet::only(Rank::Spy).single(), Some(Rank::Spy));
        assert_eq!(RankSet::ALL.single(), None);
        assert_eq!(RankSet::ALL.to_string(), "FS23456789MB");
    }
}
