//! Several threads on one search: each looks ahead on its own, and they meet in the table.

use super::root::{assist, lead};
use super::table::{Table, can_be_had};
use super::{Choice, Info, Task};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};

/// Nodes that a thread takes of the budget at once.
const SHARE: u64 = 32;
/// Nodes of the budget that make another thread worth its start.
const WORTHWHILE: u64 = 1000;
/// Stack of a helping thread.
const STACK: usize = 16 << 20;

/// What the threads of one search have in common beside the table.
#[derive(Debug, Default)]
pub(super) struct Crew {
    taken: AtomicU64,
    done: AtomicBool,
}

impl Crew {
    /// Nodes that the asking thread may visit next; 0 once the budget is spent.
    pub(super) fn take(&self, budget: Option<u64>) -> u64 {
        let before = self.taken.fetch_add(SHARE, Ordering::Relaxed);
        budget.map_or(SHARE, |budget| budget.saturating_sub(before).min(SHARE))
    }

    /// Nodes taken by all threads.
    pub(super) fn taken(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Whether the leading thread has ended.
    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }
}

/// Tells the helpers to end, also when the leading thread breaks: they would be waited for.
struct Finish<'a>(&'a AtomicBool);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How many threads serve this task: short searches are over before another thread has begun.
pub(super) fn size(task: &Task<'_>) -> usize {
    let most = task.budget.nodes.map_or(usize::MAX, |nodes| (nodes / WORTHWHILE) as usize);
    task.threads.min(most).max(1)
}

/// Searches on `threads` threads, this one leading.
pub(super) fn search(
    task: &Task<'_>,
    table: &Table,
    threads: usize,
    report: &mut dyn FnMut(&Info),
) -> Choice {
    let crew = &Crew::default();
    thread::scope(|scope| {
        let finish = Finish(&crew.done);
        let start = |number: usize| {
            // A thread that finds no memory while it starts ends the process.
            if !can_be_had(STACK) {
                return Err(io::ErrorKind::OutOfMemory.into());
            }
            let thread = Builder::new().name(format!("helper {number}")).stack_size(STACK);
            thread.spawn_scoped(scope, move || assist(task, table, crew, number))
        };
        let mut helpers = Vec::new();
        for number in 1..threads {
            match start(number) {
                Ok(helper) => helpers.push(helper),
                Err(error) => {
                    log::warn!("{number} of {threads} threads search: {error}");
                    break;
                }
            }
        }
        let mut choice = lead(task, table, Some(crew), report);
        drop(finish);
        for helper in helpers {
            match helper.join() {
                Ok(nodes) => choice.nodes += nodes,
                Err(_) => log::error!("a helping thread broke"),
            }
        }
        choice
    })
}
