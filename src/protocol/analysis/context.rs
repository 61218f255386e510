//! What a task uses while it runs.

use crate::protocol::grammar::reply::Reply;
use outflank_engine::engine::{Control, Searcher, Stopwatch};
use outflank_engine::search::Info;
use std::sync::atomic::AtomicBool;

/// What a running task has to say.
#[derive(Debug)]
pub(crate) enum Report {
    /// A search in progress; may be lost.
    Info(Box<Info>),
    /// A line to print.
    Say(Reply),
}

/// What a task may use while it runs.
pub(crate) struct Context<'a> {
    /// What chooses actions.
    pub searcher: Searcher,
    /// Runs since the line was read.
    pub clock: Stopwatch,
    /// Set from outside to break the task off.
    pub stop: &'a AtomicBool,
    /// Takes what the task has to say.
    pub report: &'a mut dyn FnMut(Report),
}

impl Context<'_> {
    /// What runs a search of a player.
    pub(crate) fn control(&self) -> Control<'_> {
        Control { clock: &self.clock, stop: self.stop, searcher: self.searcher }
    }

    /// Prints a line.
    pub(crate) fn say(&mut self, reply: Reply) {
        (self.report)(Report::Say(reply));
    }
}
