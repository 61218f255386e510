//! The thread that does what takes time.

use crate::engine::{Searcher, Stopwatch};
use crate::protocol::analysis::context::{Context, Report};
use crate::protocol::bench;
use crate::protocol::grammar::command::BenchSize;
use crate::protocol::session::task::{Done, Task};
use crate::protocol::transport::channel::Channel;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// What the thinking thread is given to do.
#[derive(Debug)]
pub(crate) enum Work {
    /// What the session asks for.
    Task(Task),
    /// `bench`, which has a session of its own.
    Bench(BenchSize),
}

impl Work {
    /// Whether only a `stop` ends it.
    pub(crate) fn is_infinite(&self) -> bool {
        matches!(self, Work::Task(task) if task.is_infinite())
    }

    /// Whether later lines had better wait than break it off.
    pub(crate) const fn is_brief(&self) -> bool {
        matches!(self, Work::Task(task) if task.is_brief())
    }

    /// Whether nobody asked for it.
    pub(crate) const fn is_ponder(&self) -> bool {
        matches!(self, Work::Task(task) if task.is_ponder())
    }

    fn run(self, context: &mut Context<'_>) -> Done {
        match self {
            Work::Task(task) => task.run(context),
            Work::Bench(size) => {
                bench::run(size, context);
                Done::Said
            }
        }
    }
}

/// Does the work and sends what it has to say; a panic is one of the ways to end. `at` is when its line was read.
pub(crate) fn think(work: Work, searcher: Searcher, at: Instant, channel: &Channel) {
    let mut report = |report: Report| channel.report(report);
    let mut context = Context { searcher, clock: Stopwatch(at), stop: &channel.stop, report: &mut report };
    let done = catch_unwind(AssertUnwindSafe(|| work.run(&mut context))).unwrap_or(Done::Panicked);
    channel.end(done);
}
