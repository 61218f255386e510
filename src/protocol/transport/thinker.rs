//! The thread that does what takes time.

use crate::protocol::analysis::context::{Context, Report};
use crate::protocol::bench;
use crate::protocol::grammar::command::BenchSize;
use crate::protocol::session::task::{Done, Task};
use crate::protocol::transport::channel::Channel;
use outflank_engine::engine::{Control, Searcher, Stopwatch};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{SendError, Sender, channel};
use std::thread::Builder;
use std::time::Instant;

/// What the thinking thread is given to do.
#[derive(Debug)]
pub(crate) enum Work {
    /// What the session asks for.
    Task(Task),
    /// `bench`, which has a session of its own, with the same searcher.
    Bench(BenchSize, Searcher),
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
            Work::Bench(size, searcher) => {
                bench::run(size, searcher, context);
                Done::Said
            }
        }
    }
}

/// Something to do, and what it takes.
pub(crate) struct Order {
    pub work: Work,
    /// When the line that asked for it was read.
    pub at: Instant,
    /// Where it says what it has to say.
    pub channel: Channel,
}

/// The thread, once started. It lives as long as this: what a search leaves in its caches serves the next.
#[derive(Debug)]
pub(crate) struct Thinker(Sender<Order>);

/// Stack of the thread.
const STACK: usize = 16 << 20;

impl Thinker {
    /// Starts it with something to do.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(crate) fn start(first: Order) -> io::Result<Thinker> {
        let (sender, orders) = channel();
        let thread = Builder::new().name("thinker".to_owned()).stack_size(STACK);
        thread.spawn(move || std::iter::once(first).chain(orders).for_each(think))?;
        Ok(Thinker(sender))
    }

    /// Gives it something to do, which it does when it is free; an order comes back if the thread is gone.
    pub(crate) fn take(&self, order: Order) -> Result<(), Order> {
        self.0.send(order).map_err(|SendError(order)| order)
    }
}

/// Does the work and sends what it has to say; a panic is one of the ways to end.
fn think(order: Order) {
    let Order { work, at, channel } = order;
    let mut report = |report: Report| channel.report(report);
    let clock = Stopwatch(at);
    let control = Control::new(&clock, &channel.stop);
    let mut context = Context { control, report: &mut report };
    let done = catch_unwind(AssertUnwindSafe(|| work.run(&mut context))).unwrap_or(Done::Panicked);
    channel.end(done);
}
