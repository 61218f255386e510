//! What a task uses while it runs.

use crate::protocol::grammar::reply::Reply;
use outflank_engine::search::{Control, Info};

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
    /// The clock, which runs since the line was read, and what breaks the task off.
    pub control: Control<'a>,
    /// Takes what the task has to say.
    pub report: &'a mut dyn FnMut(Report),
}

impl Context<'_> {
    /// Prints a line.
    pub(crate) fn say(&mut self, reply: Reply) {
        (self.report)(Report::Say(reply));
    }
}
