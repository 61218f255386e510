//! The transposition table: what the search found out about positions that it has met.
//!
//! Threads share the table without locks, by the way of R. M. Hyatt and T. Mann (*A lock-less
//! transposition table implementation for parallel search*, 2002): a slot is two words, the entry and the key
//! crossed with it, so a slot that two threads wrote half each has the key of neither.

use super::value::{Node, Value};
use crate::rules::{Action, Rank, Rescue, Square};
use bytemuck::allocation::try_zeroed_slice_box;
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

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
}

/// The entry, and the key crossed with it; both 0 where nothing has been stored.
type Slot = [AtomicU64; 2];

/// Bytes of a slot.
const SLOT: usize = size_of::<Slot>();
/// The most slots of a table for so many nodes.
const MOST_FOR_NODES: u64 = 1 << 18;
/// Bytes that have to be left for everything else when memory is taken that one can do without.
const RESERVE: usize = 64 << 20;

/// So much memory cannot be had.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct OutOfMemory {
    /// The megabytes that were asked for.
    pub megabytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} megabytes cannot be had", self.megabytes)
    }
}

impl std::error::Error for OutOfMemory {}

/// Whether so many bytes can be had, and enough beside them. They are handed back at once.
pub(super) fn can_be_had(bytes: usize) -> bool {
    // The optimiser may take an allocation that nobody looks at to succeed.
    black_box(try_zeroed_slice_box::<u8>(bytes.saturating_add(RESERVE))).is_ok()
}

/// A table that forgets the older of two positions that meet in it. Several searches may use it one after another;
/// each forgets what was before, unless it is to go on.
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Crossed with every key; another one makes all that is stored unknown.
    era: AtomicU64,
}

impl TranspositionTable {
    /// A table of at most so many megabytes, and at least one slot. The system hands out its pages as they are
    /// written to.
    pub fn of_megabytes(megabytes: usize) -> Result<TranspositionTable, OutOfMemory> {
        let table = TranspositionTable::spare_slots(slots_of(megabytes));
        table.ok_or(OutOfMemory { megabytes })
    }

    /// A table of so many megabytes, or of as many as can be had.
    pub fn up_to_megabytes(megabytes: usize) -> TranspositionTable {
        let wanted = slots_of(megabytes);
        let table = TranspositionTable::up_to(wanted, TranspositionTable::spare_slots);
        if table.slots.len() < wanted {
            log::warn!("memory is short: a table of {} slots in place of {wanted}", table.slots.len());
        }
        table
    }

    /// A table for a search of about so many nodes.
    pub(super) fn for_nodes(nodes: Option<u64>) -> TranspositionTable {
        let wanted = nodes.unwrap_or(u64::MAX).clamp(1 << 8, MOST_FOR_NODES);
        TranspositionTable::up_to(wanted.next_power_of_two() as usize, TranspositionTable::of_slots)
    }

    /// A table of so many slots, or of half as many, and so on.
    fn up_to(count: usize, take: fn(usize) -> Option<TranspositionTable>) -> TranspositionTable {
        let counts = std::iter::successors(Some(count), |count| Some(count / 2));
        let table = counts.take_while(|&count| count > 0).find_map(take);
        table.unwrap_or_else(|| TranspositionTable::holding(Box::new([Slot::default()])))
    }

    /// A table of so many slots, if it leaves enough memory for everything else.
    fn spare_slots(count: usize) -> Option<TranspositionTable> {
        can_be_had(count.saturating_mul(SLOT)).then(|| TranspositionTable::of_slots(count)).flatten()
    }

    fn of_slots(count: usize) -> Option<TranspositionTable> {
        try_zeroed_slice_box(count).ok().map(TranspositionTable::holding)
    }

    const fn holding(slots: Box<[Slot]>) -> TranspositionTable {
        TranspositionTable { slots, era: AtomicU64::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.era.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::Relaxed);
    }

    /// Whether a table of its own would serve a search of so many nodes as well.
    pub(super) fn exceeds(&self, nodes: Option<u64>) -> bool {
        nodes.is_some_and(|nodes| nodes < self.slots.len() as u64)
    }

    // The era is left out here: where positions meet must not depend on how many searches were before.
    fn slot(&self, key: u64) -> &Slot {
        &self.slots[key as usize & (self.slots.len() - 1)]
    }

    /// What is stored of a position.
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        let [entry, check] = self.slot(key);
        let entry = entry.load(Ordering::Relaxed);
        let found = check.load(Ordering::Relaxed) ^ entry;
        (found == key ^ self.era.load(Ordering::Relaxed)).then(|| Entry::unpack(entry)).flatten()
    }

    /// Remembers the value that the search of a node came to, and the action to try first.
    pub(super) fn store(&self, key: u64, node: Node, value: Value, action: Option<Action>) {
        let Node { depth, window, .. } = node;
        let bound = if value >= window.beta {
            Bound::Lower
        } else if value <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let packed = Entry { value, depth, bound, action }.pack();
        let [entry, check] = self.slot(key);
        entry.store(packed, Ordering::Relaxed);
        check.store(packed ^ key ^ self.era.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// The slots of a table of at most so many megabytes.
const fn slots_of(megabytes: usize) -> usize {
    let most = (megabytes << 20) / SLOT;
    if most == 0 { 1 } else { 1 << most.ilog2() }
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "transposition table of {} slots", self.slots.len())
    }
}

/// Bits of a value; values are stored with [`ZERO`] added.
const VALUE: u32 = 28;
const ZERO: i32 = 1 << (VALUE - 1);
const DEPTH: u32 = 7;
const BOUND: u32 = 2;
const SQUARE: u32 = 7;
const RANK: u32 = 4;
/// In the place of a rescued rank: no rescue, and a rescue of a rank that is not known.
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
    fn pack(self) -> u64 {
        let word = Word(0, 0)
            .push(self.bound as u64 + 1, BOUND)
            .push((self.value.units() + ZERO) as u64, VALUE)
            .push(self.depth.clamp(0, (1 << DEPTH) - 1) as u64, DEPTH);
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
    fn unpack(word: u64) -> Option<Entry> {
        let mut word = Word(word, 0);
        let bound = match word.pull(BOUND) {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let value = Value::new(word.pull(VALUE) as i32 - ZERO);
        let depth = word.pull(DEPTH) as i32;
        Some(Entry { value, depth, bound, action: word.action() })
    }

    /// The value, if it settles the search of a node.
    pub(super) fn settles(&self, node: Node) -> Option<Value> {
        let Node { depth, window, .. } = node;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Played;
    use crate::search::value::Window;

    const NODE: Node = Node { depth: 7, window: Window::new(Value::new(-5), Value::new(5)), ply: 0 };

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        for (number, text) in ["a1a2", "j10j9", "b9b10+5@c2", "b9xb10+?@j4", "d1d4"].iter().enumerate() {
            let action = Some(text.parse::<Played>().unwrap().action);
            for (action, value) in
                [(action, -Value::won(0)), (None, Value::INFINITE), (action, -Value::INFINITE)]
            {
                let key = 0x1234_5678_9abc_def0 + number as u64;
                table.store(key, NODE, value, action);
                let bound = if value > Value::ZERO { Bound::Lower } else { Bound::Upper };
                assert_eq!(table.probe(key), Some(Entry { value, depth: 7, bound, action }));
                assert_eq!(table.probe(key ^ 1), None);
            }
        }
    }

    #[test]
    fn a_table_that_forgets_knows_nothing() {
        let table = TranspositionTable::for_nodes(Some(1));
        assert_eq!(table.probe(0), None);
        table.store(9, NODE, Value::ZERO, None);
        assert!(table.probe(9).is_some());
        table.clear();
        assert_eq!(table.probe(9), None);
    }

    #[test]
    fn tables_keep_within_their_megabytes() {
        for megabytes in [1, 3, 16] {
            let bytes = TranspositionTable::of_megabytes(megabytes).unwrap().slots.len() * SLOT;
            assert!(bytes <= megabytes << 20 && 2 * bytes > megabytes << 20);
        }
        let one = TranspositionTable::of_megabytes(1).unwrap();
        assert!(one.exceeds(Some(1000)) && !one.exceeds(None));
    }

    /// No machine has an exbibyte to give.
    #[test]
    fn what_cannot_be_had_is_refused_or_done_with_less() {
        let megabytes = 1 << 40;
        assert_eq!(TranspositionTable::of_megabytes(megabytes).unwrap_err(), OutOfMemory { megabytes });
        let table = TranspositionTable::up_to_megabytes(megabytes);
        table.store(9, NODE, Value::ZERO, None);
        assert!(table.probe(9).is_some());
    }
}
