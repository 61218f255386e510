//! The transposition table: what the search found out about positions that it has met.
//!
//! It has clusters of four slots, one cache line each. A position may be stored in any slot of its cluster; the least
//! deep entry of this search gives way, after those of earlier searches.
//!
//! Threads share the table without locks (Hyatt and Mann 2002): a slot is two words, the entry and the key crossed
//! with it, so a slot that two threads wrote half each has the key of neither.

use super::entry::{AGE, Bound, Entry};
use super::value::{Value, Window};
use crate::rules::Action;
use bytemuck::allocation::try_zeroed_slice_box;
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

/// The entry, and the key crossed with it; both 0 where nothing has been stored.
type Slot = [AtomicU64; 2];

/// Bytes of a slot.
const SLOT: usize = size_of::<Slot>();
/// Slots of a cluster, among which a position may be stored: those of one cache line.
const CLUSTER: usize = 64 / SLOT;
/// An entry of the same position stays if it is deeper by more than so many plies and the new value is only a bound.
const DEEPER: i32 = 3;
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

/// A transposition table. Several searches may use it one after another; it is cleared between them, unless the
/// second goes on with what the first knew.
pub struct TranspositionTable {
    slots: Box<[Slot]>,
    /// The slot at which the first cluster begins, so that none crosses a cache line.
    first: usize,
    /// Clusters, a power of two.
    clusters: usize,
    /// How often it was cleared. Entries of another age are as good as none.
    age: AtomicU64,
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
        if table.slots() < wanted {
            log::warn!("memory is short: a table of {} slots in place of {wanted}", table.slots());
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
        table.unwrap_or_else(|| {
            TranspositionTable::holding(Box::new([const { [const { AtomicU64::new(0) }; 2] }; CLUSTER]))
        })
    }

    /// A table of so many slots, if it leaves enough memory for everything else.
    fn spare_slots(count: usize) -> Option<TranspositionTable> {
        can_be_had(count.saturating_mul(SLOT)).then(|| TranspositionTable::of_slots(count)).flatten()
    }

    /// A table of so many slots, a power of two, and at least a cluster.
    fn of_slots(count: usize) -> Option<TranspositionTable> {
        // So many more that the first cluster may begin with a cache line.
        let count = count.max(CLUSTER).checked_add(CLUSTER - 1)?;
        try_zeroed_slice_box(count).ok().map(TranspositionTable::holding)
    }

    fn holding(slots: Box<[Slot]>) -> TranspositionTable {
        let spare = slots.len() % CLUSTER;
        let first = slots.as_ptr().align_offset(CLUSTER * SLOT);
        let (first, clusters) = (if first <= spare { first } else { 0 }, slots.len() / CLUSTER);
        TranspositionTable { slots, first, clusters, age: AtomicU64::new(0) }
    }

    /// Slots in use.
    const fn slots(&self) -> usize {
        self.clusters * CLUSTER
    }

    /// Makes it empty. That takes no time but once in 256 times, when entries can count no further.
    pub fn clear(&self) {
        let age = self.age.fetch_add(1, Ordering::Relaxed) + 1;
        if age.is_multiple_of(1 << AGE) {
            for [entry, check] in &self.slots {
                entry.store(0, Ordering::Relaxed);
                check.store(0, Ordering::Relaxed);
            }
        }
    }

    fn age(&self) -> u64 {
        self.age.load(Ordering::Relaxed) & ((1 << AGE) - 1)
    }

    /// Whether a table of its own would serve a search of so many nodes as well.
    pub(super) fn exceeds(&self, nodes: Option<u64>) -> bool {
        nodes.is_some_and(|nodes| nodes < self.slots() as u64)
    }

    fn cluster(&self, key: u64) -> &[Slot] {
        let start = self.first + (key as usize & (self.clusters - 1)) * CLUSTER;
        &self.slots[start..start + CLUSTER]
    }

    /// What is stored of a position, which is met `ply` plies after the root.
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let age = self.age();
        let entry = self.cluster(key).iter().find_map(|slot| read(slot, key, age))?;
        Some(Entry { value: entry.value.counted_from_root(ply), ..entry })
    }

    /// Stores a value found at this key and ply, searched to `depth` in this window: in place of an entry of the same
    /// position, else in a free slot, else in place of the least deep entry. An action that was found before stays if
    /// there is no new one.
    pub(super) fn store(
        &self,
        (key, ply): (u64, usize),
        depth: i32,
        value: Value,
        window: Window,
        action: Option<Action>,
    ) {
        let bound = if value >= window.beta {
            Bound::Lower
        } else if value <= window.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let value = value.counted_from_here(ply);
        let mut entry = Entry { value, depth, bound, action, age: self.age() };
        let slot = self.place(key, entry.age);
        if let Some(old) = read(slot, key, entry.age) {
            if old.depth > depth + DEEPER && bound != Bound::Exact {
                return;
            }
            entry.action = action.or(old.action);
        }
        let packed = entry.pack();
        slot[0].store(packed, Ordering::Relaxed);
        slot[1].store(packed ^ key, Ordering::Relaxed);
    }

    /// Where to store an entry of this position and age. What is of another age counts as free: where positions are
    /// stored must not depend on how many searches were before.
    fn place(&self, key: u64, age: u64) -> &Slot {
        let cluster = self.cluster(key);
        let depth = |slot: &&Slot| {
            let old = Entry::unpack(slot[0].load(Ordering::Relaxed)).filter(|old| old.age == age);
            old.map(|old| old.depth)
        };
        let same = cluster.iter().find(|slot| read(slot, key, age).is_some());
        same.or_else(|| cluster.iter().min_by_key(depth)).unwrap_or(&cluster[0])
    }
}

/// What a slot has of this position, if it is of this age.
fn read([entry, check]: &Slot, key: u64, age: u64) -> Option<Entry> {
    let entry = entry.load(Ordering::Relaxed);
    let known = check.load(Ordering::Relaxed) ^ entry == key;
    known.then(|| Entry::unpack(entry)).flatten().filter(|entry| entry.age == age)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Played;
    use crate::search::entry::MOST;

    const WINDOW: Window = Window::new(Value::new(-5), Value::new(5));

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        for (number, text) in ["a1a2", "j10j9", "b9b10+5@c2", "b9xb10+?@j4", "d1d4"].iter().enumerate() {
            let action = Some(text.parse::<Played>().unwrap().action);
            let values = [(action, -Value::won(0)), (None, Value::won(64)), (action, Value::new(-MOST))];
            for (index, (action, value)) in values.into_iter().enumerate() {
                let key = 0x1234_5678_9abc_def0 + 16 * number as u64 + 2 * index as u64;
                table.store((key, 0), 7, value, WINDOW, action);
                let bound = if value > Value::ZERO { Bound::Lower } else { Bound::Upper };
                assert_eq!(table.probe(key, 0), Some(Entry { value, depth: 7, bound, action, age: 0 }));
                assert_eq!(table.probe(key ^ 1, 0), None);
            }
        }
    }

    #[test]
    fn what_is_beyond_any_value_stays_beyond_it() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        table.store((3, 0), 7, -Value::INFINITE, WINDOW, None);
        assert!(table.probe(3, 0).unwrap().value < -Value::won(0));
        table.store((3, 0), 7, Value::INFINITE, WINDOW, None);
        assert!(table.probe(3, 0).unwrap().value > Value::won(0));
    }

    #[test]
    fn of_positions_that_meet_the_least_deep_leaves_and_what_was_forgotten_before_it() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        let kept = || (0..8).filter(|&key| table.probe(key, 0).is_some()).collect::<Vec<_>>();
        for (key, depth) in [(0, 5), (1, 3), (2, 4), (3, 6), (4, 1), (5, 2)] {
            table.store((key, 0), depth, Value::new(0), WINDOW, None);
        }
        assert_eq!(kept(), [0, 2, 3, 5]);
        table.store((6, 0), 0, Value::new(0), WINDOW, None);
        assert_eq!(kept(), [0, 2, 3, 6]);
    }

    #[test]
    fn a_much_deeper_entry_of_the_same_position_stays_unless_the_new_value_is_exact() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        let (action, depth) = ("a1a2".parse::<Played>().unwrap().action, |table: &TranspositionTable| {
            table.probe(7, 0).unwrap().depth
        });
        table.store((7, 0), 9, Value::new(3), WINDOW, Some(action));
        table.store((7, 0), 2, Value::new(8), WINDOW, None);
        assert_eq!(depth(&table), 9);
        table.store((7, 0), 6, Value::new(8), WINDOW, None);
        assert_eq!((depth(&table), table.probe(7, 0).unwrap().action), (6, Some(action)));
        table.store((7, 0), 1, Value::new(0), WINDOW, None);
        assert_eq!(depth(&table), 1);
    }

    /// Entries know 256 ages.
    #[test]
    fn however_often_it_forgot_a_table_knows_nothing() {
        let table = TranspositionTable::of_megabytes(0).unwrap();
        table.store((9, 0), 1, Value::new(0), WINDOW, None);
        for _ in 0..600 {
            table.clear();
            assert_eq!(table.probe(9, 0), None);
        }
    }

    #[test]
    fn a_table_that_forgets_knows_nothing() {
        let table = TranspositionTable::for_nodes(Some(1));
        assert_eq!(table.probe(0, 0), None);
        table.store((9, 0), 1, Value::ZERO, WINDOW, None);
        assert!(table.probe(9, 0).is_some());
        table.clear();
        assert_eq!(table.probe(9, 0), None);
    }

    #[test]
    fn tables_keep_within_their_megabytes() {
        for megabytes in [1, 3, 16] {
            let bytes = TranspositionTable::of_megabytes(megabytes).unwrap().slots() * SLOT;
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
        table.store((9, 0), 1, Value::ZERO, WINDOW, None);
        assert!(table.probe(9, 0).is_some());
    }
}
