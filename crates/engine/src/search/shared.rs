//! What the threads of one search have in common beside the transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Nodes that a thread takes of the budget at once.
const BATCH: u64 = 32;

/// The nodes of a search on several threads, and whether it has ended.
#[derive(Debug, Default)]
pub(super) struct SharedSearch {
    taken: AtomicU64,
    done: AtomicBool,
}

impl SharedSearch {
    /// Nodes that the asking thread may visit next; 0 once the budget is spent.
    pub(super) fn take(&self, budget: Option<u64>) -> u64 {
        let before = self.taken.fetch_add(BATCH, Ordering::Relaxed);
        budget.map_or(BATCH, |budget| budget.saturating_sub(before).min(BATCH))
    }

    /// Nodes taken by all threads.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Tells all threads to end.
    pub(super) fn finish(&self) {
        self.done.store(true, Ordering::Relaxed);
    }

    /// Whether the main thread has ended.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}
