//! One search on one or several threads. This is lazy SMP (E. F. Østensen, *A complete chess engine parallelized using
//! lazy SMP*, 2016): each looks ahead on its own, and they meet in the transposition table. The main thread reports and decides; helpers only fill the table.

use super::limits::{Budget, SharedSearch};
use super::root::{helper_thread, main_thread};
use super::task::{Choice, Conditions, Info, SearchTask};
use super::transposition::{TranspositionTable, can_be_had};
use crate::eval::{Evaluator, EvaluatorKind, HandMade, Material};
use std::io;
use std::thread::{self, Builder, Scope, ScopedJoinHandle};

/// Nodes of the budget that make another thread worth its start.
const WORTHWHILE: u64 = 1000;
/// Bytes of a helper's stack.
const STACK: usize = 16 << 20;

/// Searches and reports after each iteration; the best line of the last report is the choice.
///
/// It is `task.view`'s player's turn. With equal seed and node budget, one thread and no clock limit, the result is
/// the same.
pub fn search(task: &SearchTask<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    match task.evaluator {
        EvaluatorKind::HandMade => search_by(task, HandMade, report),
        EvaluatorKind::Material => search_by(task, Material, report),
    }
}

/// [`search`] with this evaluator in place of the task's.
pub fn search_by<E: Evaluator>(task: &SearchTask<'_>, evaluator: E, report: &mut dyn FnMut(&Info)) -> Choice {
    let task = &within_level(task);
    let own;
    let table = if let Some(table) = task.table.filter(|table| !table.exceeds(task.conditions.budget.nodes)) {
        table
    } else {
        own = TranspositionTable::for_nodes(task.conditions.budget.nodes);
        &own
    };
    match count(task) {
        1 => main_thread((task, evaluator), table, None, report),
        threads => on_several((task, evaluator), table, threads, report),
    }
}

/// The task with the nodes that its level visits at most.
fn within_level<'a>(task: &SearchTask<'a>) -> SearchTask<'a> {
    let Conditions { budget, level, .. } = task.conditions;
    let most = level.most_nodes();
    let nodes = budget.nodes.map_or(most, |nodes| Some(most.map_or(nodes, |most| most.min(nodes))));
    let budget = Budget { nodes, ..budget };
    SearchTask { conditions: Conditions { budget, ..task.conditions }, ..*task }
}

/// How many threads serve this task: short searches are over before another thread has begun.
fn count(task: &SearchTask<'_>) -> usize {
    let most = task.conditions.budget.nodes.map_or(usize::MAX, |nodes| (nodes / WORTHWHILE) as usize);
    task.threads.min(most).max(1)
}

/// Tells the helpers to end, also when the main thread panics: they would be waited for.
struct Finish<'a>(&'a SharedSearch);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

/// Searches on so many threads, this one the main one.
fn on_several<E: Evaluator>(
    asked: (&SearchTask<'_>, E),
    table: &TranspositionTable,
    threads: usize,
    report: &mut dyn FnMut(&Info),
) -> Choice {
    let shared = &SharedSearch::default();
    thread::scope(|scope| {
        let finish = Finish(shared);
        let mut helpers = Vec::new();
        for number in 1..threads {
            match start(scope, number, move || helper_thread(asked, table, shared, number)) {
                Ok(helper) => helpers.push(helper),
                Err(error) => {
                    log::warn!("{number} of {threads} threads search: {error}");
                    break;
                }
            }
        }
        let mut choice = main_thread(asked, table, Some(shared), report);
        drop(finish);
        for helper in helpers {
            match helper.join() {
                Ok(nodes) => choice.nodes += nodes,
                Err(_) => log::error!("a helper thread panicked"),
            }
        }
        choice
    })
}

/// Starts a helper, which ends with the nodes that its search has visited.
fn start<'scope>(
    scope: &'scope Scope<'scope, '_>,
    number: usize,
    search: impl FnOnce() -> u64 + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, u64>> {
    // A thread that finds no memory while it starts ends the process.
    if !can_be_had(STACK) {
        return Err(io::ErrorKind::OutOfMemory.into());
    }
    let thread = Builder::new().name(format!("helper {number}")).stack_size(STACK);
    thread.spawn_scoped(scope, search)
}
