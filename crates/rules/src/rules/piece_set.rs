//! Sets of one side's pieces, as bits of one integer.

use super::piece::{PieceId, PieceNumber};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of pieces of one side, by their numbers ([`PieceNumber`]). Whose they are is known to who keeps the set.
///
/// `a & b` are the pieces in both, `a | b` those in either, `a - b` those of `a` that are not in `b`.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Hash)]
pub struct PieceSet(u64);

impl PieceSet {
    /// No piece.
    pub const EMPTY: PieceSet = PieceSet(0);

    /// The set of the piece of one number.
    pub const fn only(number: PieceNumber) -> PieceSet {
        PieceSet(1 << number.index())
    }

    /// Whether the piece of this number is in the set.
    pub const fn contains(self, number: PieceNumber) -> bool {
        self.0 >> number.index() & 1 == 1
    }

    /// Whether no piece is in the set.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with the piece of this number, or without it.
    #[must_use]
    pub const fn with(self, number: PieceNumber, inside: bool) -> PieceSet {
        PieceSet(self.0 & !(1 << number.index()) | (inside as u64) << number.index())
    }

    /// The numbers of its pieces, the lowest first.
    pub fn numbers(self) -> impl Iterator<Item = PieceNumber> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let number = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (usize::from(number) < PieceId::PER_SIDE).then_some(PieceNumber::from_index(number))
        })
    }
}

/// Pieces of one side.
impl FromIterator<PieceId> for PieceSet {
    fn from_iter<I: IntoIterator<Item = PieceId>>(pieces: I) -> PieceSet {
        pieces.into_iter().fold(PieceSet::EMPTY, |set, id| set | PieceSet::only(id.into()))
    }
}

impl BitAnd for PieceSet {
    type Output = PieceSet;

    fn bitand(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & other.0)
    }
}

impl BitOr for PieceSet {
    type Output = PieceSet;

    fn bitor(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 | other.0)
    }
}

impl Sub for PieceSet {
    type Output = PieceSet;

    fn sub(self, other: PieceSet) -> PieceSet {
        PieceSet(self.0 & !other.0)
    }
}

impl BitAndAssign for PieceSet {
    fn bitand_assign(&mut self, other: PieceSet) {
        *self = *self & other;
    }
}

impl BitOrAssign for PieceSet {
    fn bitor_assign(&mut self, other: PieceSet) {
        *self = *self | other;
    }
}

impl SubAssign for PieceSet {
    fn sub_assign(&mut self, other: PieceSet) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    fn set(numbers: &[usize]) -> PieceSet {
        numbers.iter().map(|&number| PieceId::new(Side::Blue, number)).collect()
    }

    fn number(index: usize) -> PieceNumber {
        PieceId::new(Side::Blue, index).into()
    }

    fn indexes(set: PieceSet) -> Vec<usize> {
        set.numbers().map(PieceNumber::index).collect()
    }

    #[test]
    fn sets_hold_the_pieces_that_were_put_in() {
        let all: Vec<usize> = (0..PieceId::PER_SIDE).collect();
        assert_eq!(indexes(set(&all)), all);
        assert_eq!(indexes(set(&[41, 0, 7])), [0, 7, 41]);
        assert!(PieceSet::EMPTY.is_empty() && !set(&[0]).is_empty());
        assert!(set(&[3, 41]).contains(number(41)) && !set(&[3, 41]).contains(number(40)));
    }

    #[test]
    fn operators_are_those_of_sets() {
        let (one, other) = (set(&[1, 2, 41]), set(&[2, 3]));
        assert_eq!((one & other, one | other), (set(&[2]), set(&[1, 2, 3, 41])));
        assert_eq!((one - other, other - one), (set(&[1, 41]), set(&[3])));
        let mut changed = one;
        changed |= other;
        changed -= set(&[1]);
        changed &= set(&[1, 2, 41]);
        assert_eq!(changed, set(&[2, 41]));
        assert_eq!(one.with(number(2), false).with(number(5), true).with(number(1), true), set(&[1, 5, 41]));
    }
}
