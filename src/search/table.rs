//! What the search remembers of positions it has met.

use crate::rules::Action;

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

/// One remembered position.
#[derive(Copy, Clone, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) value: i32,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    pub(super) action: Option<Action>,
}

/// A table that forgets the older of two positions that meet in it.
pub(super) struct Table {
    entries: Vec<Option<Entry>>,
}

impl Table {
    /// A table for a search of about so many nodes; at most some ten megabytes.
    pub(super) fn new(nodes: Option<u64>) -> Table {
        let wanted = nodes.unwrap_or(u64::MAX).clamp(1 << 8, 1 << 18);
        Table { entries: vec![None; wanted.next_power_of_two() as usize] }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.entries[self.slot(key)].filter(|entry| entry.key == key)
    }

    /// Remembers a value searched to `depth` in the window `alpha..beta`.
    pub(super) fn put(
        &mut self,
        key: u64,
        depth: i32,
        value: i32,
        (alpha, beta): (i32, i32),
        action: Option<Action>,
    ) {
        let bound = if value >= beta {
            Bound::Lower
        } else if value <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let slot = self.slot(key);
        self.entries[slot] = Some(Entry { key, value, depth, bound, action });
    }
}

impl Entry {
    /// The value, if it settles a search to `depth` in this window.
    pub(super) const fn settles(&self, depth: i32, (alpha, beta): (i32, i32)) -> Option<i32> {
        let decides = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        if self.depth >= depth && decides { Some(self.value) } else { None }
    }
}
