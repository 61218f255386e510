//! Arrays indexed by what they are about: a side, a rank, a square, a piece.

use super::piece::{PieceId, PieceNumber};
use super::rank::Rank;
use super::side::Side;
use super::square::{SQUARES, Square};
use std::array;
use std::ops::{Index, IndexMut};

/// An array of `$count` values of which the one at `key.index()` belongs to `key`; `$key_at` is the key of an index.
macro_rules! keyed_array {
    ($(#[$doc:meta])* $name:ident[$key:ty; $count:expr], $key_at:expr) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
        pub struct $name<T>([T; $count]);

        impl<T> $name<T> {
            /// The array of these values, in the order of [`index`](Index::index).
            pub const fn new(values: [T; $count]) -> $name<T> {
                $name(values)
            }

            /// The values as a plain array.
            pub const fn as_array(&self) -> &[T; $count] {
                &self.0
            }

            /// The values, as a plain array of their own.
            pub fn into_array(self) -> [T; $count] {
                self.0
            }

            /// The value of a key, in constants too, where an index cannot be.
            pub const fn of(&self, key: $key) -> &T {
                &self.0[key.index()]
            }

            /// Every key with its value, in order.
            pub fn iter(&self) -> impl DoubleEndedIterator<Item = ($key, &T)> {
                self.0.iter().enumerate().filter_map(|(index, value)| Some(($key_at(index)?, value)))
            }

            /// Every key with its value to be changed, in order.
            pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = ($key, &mut T)> {
                self.0.iter_mut().enumerate().filter_map(|(index, value)| Some(($key_at(index)?, value)))
            }

            /// The array of references to these values.
            pub fn each_ref(&self) -> $name<&T> {
                $name(self.0.each_ref())
            }

            /// The array of what `change` makes of each value.
            pub fn map<U>(self, change: impl FnMut(T) -> U) -> $name<U> {
                $name(self.0.map(change))
            }
        }

        impl<T: Copy> $name<T> {
            /// An array with one value for every key.
            pub const fn filled(value: T) -> $name<T> {
                $name([value; $count])
            }
        }

        impl<T: Default> Default for $name<T> {
            fn default() -> $name<T> {
                $name(array::from_fn(|_| T::default()))
            }
        }

        impl<T> Index<$key> for $name<T> {
            type Output = T;

            fn index(&self, key: $key) -> &T {
                &self.0[key.index()]
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key.index()]
            }
        }
    };
}

keyed_array! {
    /// One value for each side, Red's first.
    BySide[Side; 2], |index: usize| Side::BOTH.get(index).copied()
}

keyed_array! {
    /// One value for each rank, the flag's first.
    ByRank[Rank; Rank::COUNT], |index: usize| Rank::ALL.get(index).copied()
}

keyed_array! {
    /// One value for each square, row 1 first, left to right. Lakes have places too, to which no key leads.
    BySquare[Square; SQUARES], |index: usize| Square::from_index(index as u8)
}

keyed_array! {
    /// One value for each piece there may be in a game, Red's first.
    ByPiece[PieceId; PieceId::SLOTS], |index: usize| Some(PieceId::from_index(index as u8))
}

keyed_array! {
    /// One value for each piece that one side may have. Whose they are is known to who keeps the array; a [`PieceId`]
    /// leads to its number's value, whichever side it is of.
    ByNumber[PieceNumber; PieceId::PER_SIDE], |index: usize| Some(PieceNumber::from_index(index as u8))
}

impl<T> Index<PieceId> for ByNumber<T> {
    type Output = T;

    fn index(&self, id: PieceId) -> &T {
        &self[PieceNumber::from(id)]
    }
}

impl<T> IndexMut<PieceId> for ByNumber<T> {
    fn index_mut(&mut self, id: PieceId) -> &mut T {
        &mut self[PieceNumber::from(id)]
    }
}

/// Every value of an array of which each place has a key.
macro_rules! values {
    () => {
        /// The values, in order.
        pub fn values(&self) -> std::slice::Iter<'_, T> {
            self.0.iter()
        }

        /// The values to be changed, in order.
        pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
            self.0.iter_mut()
        }
    };
}

impl<T> BySide<T> {
    values!();

    /// The array of what `value` gives for each side, Red first.
    pub fn from_fn(value: impl FnMut(Side) -> T) -> BySide<T> {
        BySide(Side::BOTH.map(value))
    }

    /// Each side's value given to the other.
    #[must_use]
    pub fn swapped(self) -> BySide<T> {
        let [red, blue] = self.0;
        BySide([blue, red])
    }
}

impl<T> ByRank<T> {
    values!();

    /// The array of what `value` gives for each rank, in order.
    pub fn from_fn(value: impl FnMut(Rank) -> T) -> ByRank<T> {
        ByRank(Rank::ALL.map(value))
    }
}

impl<T> ByPiece<T> {
    values!();

    /// The array of what `value` gives for each piece, in order.
    pub fn from_fn(mut value: impl FnMut(PieceId) -> T) -> ByPiece<T> {
        ByPiece(array::from_fn(|index| value(PieceId::from_index(index as u8))))
    }
}

impl<T> ByNumber<T> {
    values!();

    /// The array of what `value` gives for each number, in order.
    pub fn from_fn(mut value: impl FnMut(PieceNumber) -> T) -> ByNumber<T> {
        ByNumber(array::from_fn(|index| value(PieceNumber::from_index(index as u8))))
    }
}

impl<T> BySquare<T> {
    /// The values of all squares but lakes, in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.iter().map(|(_, value)| value)
    }
}

impl<T: Default> BySquare<T> {
    /// The array of what `value` gives for each square, in order; the places of lakes hold the default.
    pub fn from_fn(mut value: impl FnMut(Square) -> T) -> BySquare<T> {
        BySquare(array::from_fn(|index| Square::from_index(index as u8).map_or_else(T::default, &mut value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_leads_to_its_own_value() {
        let sides = BySide::from_fn(|side| side);
        assert!(sides.iter().all(|(side, value)| side == *value && sides[side] == side));
        assert!(sides.swapped().iter().all(|(side, value)| side.enemy() == *value));
        assert_eq!(sides.each_ref().map(|side| *side).into_array(), Side::BOTH);
        let ranks = ByRank::from_fn(|rank| rank);
        assert!(ranks.iter().all(|(rank, value)| rank == *value && *ranks.of(rank) == rank));
        let pieces = ByPiece::from_fn(|id| id);
        assert!(pieces.iter().all(|(id, piece)| id == *piece && pieces[id] == id));
        assert!(pieces.into_array().into_iter().eq(Side::BOTH.into_iter().flat_map(PieceId::of)));
        let numbers = ByNumber::from_fn(|number| number);
        assert!(numbers.iter().all(|(number, value)| number == *value && numbers[number] == number));
        assert!(
            PieceId::of(Side::Blue).all(|id| numbers[id] == id.into() && numbers[id].index() == id.number())
        );
        let squares = BySquare::from_fn(Some);
        assert!(squares.iter().all(|(square, value)| Some(square) == *value));
        assert_eq!(squares.values().count(), 92);
        assert_eq!(squares.as_array().iter().filter(|value| value.is_none()).count(), 8);
    }

    #[test]
    fn what_is_changed_is_read_back() {
        let mut counts = BySquare::filled(0);
        counts.iter_mut().for_each(|(square, count)| *count = square.index());
        let square = Square::all().last().unwrap();
        counts[square] += 1;
        assert_eq!((counts[square], counts.map(|count| count + 1)[square]), (100, 101));
        assert_eq!(ByRank::default(), ByRank::new([0; Rank::COUNT]));
    }
}
