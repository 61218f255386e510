//! An entry of the transposition table, packed into one word.

use super::value::{Value, Window};
use crate::rules::{Action, Rank, Rescue, Square};

/// Which side of the truth a stored value is on.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Bound {
    /// The value itself.
    Exact,
    /// At least the value.
    Lower,
    /// At most the value.
    Upper,
}

/// What was found out about one position.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    pub(super) action: Option<Action>,
    /// How often the table had been cleared when it was stored, as far as [`AGE`] bits count.
    pub(super) age: u64,
}

/// Bits of a value; values are stored with [`ZERO`] added.
const VALUE: u32 = 22;
const ZERO: i32 = 1 << (VALUE - 1);
/// More than any value of a game; what is beyond it is stored as this.
pub(super) const MOST: i32 = ZERO - 1;
const DEPTH: u32 = 7;
const BOUND: u32 = 2;
const SQUARE: u32 = 7;
const RANK: u32 = 4;
/// Bits of an age.
pub(super) const AGE: u32 = 8;
/// In the place of a rescued rank: no rescue, and a rescue of a rank that is not told.
const NO_RESCUE: u64 = 15;
const UNTOLD: u64 = 14;

/// A word that is filled from its low end.
struct Word(u64, u32);

impl Word {
    const fn push(self, bits: u64, count: u32) -> Word {
        Word(self.0 | bits << self.1, self.1 + count)
    }

    const fn pull(&mut self, count: u32) -> u64 {
        let bits = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        bits
    }
}

impl Entry {
    /// An entry in one word, never 0.
    pub(super) fn pack(self) -> u64 {
        let word = Word(0, 0)
            .push(self.bound as u64 + 1, BOUND)
            .push((self.value.units().clamp(-MOST, MOST) + ZERO) as u64, VALUE)
            .push(self.depth.clamp(0, (1 << DEPTH) - 1) as u64, DEPTH)
            .push(self.age, AGE);
        let Some(Action { from, to, rescue }) = self.action else { return word.0 };
        let rank = match rescue {
            None => NO_RESCUE,
            Some(Rescue { rank: None, .. }) => UNTOLD,
            Some(Rescue { rank: Some(rank), .. }) => rank.index() as u64,
        };
        let square = rescue.map_or(0, |rescue| rescue.square.index());
        let squares = word.push(from.index() as u64, SQUARE).push(to.index() as u64, SQUARE);
        squares.push(rank, RANK).push(square as u64, SQUARE).0
    }

    /// What [`Entry::pack`] packed; `None` for 0.
    pub(super) fn unpack(word: u64) -> Option<Entry> {
        let mut word = Word(word, 0);
        let bound = match word.pull(BOUND) {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let value = Value::new(word.pull(VALUE) as i32 - ZERO);
        let depth = word.pull(DEPTH) as i32;
        let age = word.pull(AGE);
        Some(Entry { value, depth, bound, action: word.action(), age })
    }

    /// The value, if it settles a search to `depth` in this window.
    pub(super) fn settles(&self, depth: i32, window: Window) -> Option<Value> {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= window.beta,
            Bound::Upper => self.value <= window.alpha,
        };
        if self.depth >= depth && decides { Some(self.value) } else { None }
    }
}

impl Word {
    /// The action at the low end; none goes from a square to itself.
    fn action(&mut self) -> Option<Action> {
        let [from, to] = [self.pull(SQUARE), self.pull(SQUARE)].map(|index| Square::from_index(index as u8));
        let (from, to) = from.zip(to).filter(|(from, to)| from != to)?;
        let rank = self.pull(RANK);
        let square = Square::from_index(self.pull(SQUARE) as u8);
        let back = |square| Rescue { rank: Rank::ALL.get(rank as usize).copied(), square };
        let rescue = square.filter(|_| rank != NO_RESCUE).map(back);
        Some(Action { from, to, rescue })
    }
}
