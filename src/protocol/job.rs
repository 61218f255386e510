//! Work that takes time: it runs beside the session and can be stopped.

use super::bench::{self, Extent};
use super::perft;
use super::reply::Reply;
use super::why::Why;
use crate::belief::Evidence;
use crate::engine::{Control, Engine, Request, Searcher, Stopwatch, choose_setup};
use crate::rules::{Position, Ruleset, Setup};
use crate::search::{Choice, Clock, Info};
use std::sync::atomic::AtomicBool;

/// A search to run.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The player to move, as it is to think.
    pub player: Engine,
    /// What it is asked.
    pub request: Request,
    /// Whether only a `stop` ends it.
    pub infinite: bool,
}

/// Work for the thinking thread.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// `go`
    Search(Box<Search>),
    /// A search on the enemy's time: of the position after the answer we expect, for what it leaves in the table.
    Ponder(Box<Search>),
    /// `go setup`: the rules, the setup not to repeat, and the dice's seed and stream.
    Setup(Ruleset, Option<Setup>, u64, u64),
    /// `perft`
    Perft(Box<Position>, u32),
    /// `bench`
    Bench(Extent),
    /// `why`
    Why(Box<Why>),
}

/// What the thinking thread has to say.
#[derive(Debug)]
pub(super) enum Report {
    /// A search in progress; may be lost.
    Info(Box<Info>),
    /// A line to print.
    Say(Reply),
    /// The end.
    Done(Done),
}

/// How a job ended.
#[derive(Debug)]
pub(super) enum Done {
    /// A search has chosen; what was found out about the enemy's last move comes with it.
    Choice(Choice, Evidence),
    /// A search on the enemy's time has ended; what was found out about the expected answer, unless that was broken off.
    Pondered(Option<Evidence>),
    /// A setup is chosen.
    Setup(Setup),
    /// Everything is said.
    Said,
    /// It broke.
    Panicked,
}

/// What a job may use while it runs.
pub(super) struct Desk<'a> {
    /// What chooses actions.
    pub searcher: Searcher,
    /// Runs since the line was read.
    pub clock: Stopwatch,
    /// Set from outside to break the job off.
    pub stop: &'a AtomicBool,
    /// Takes what it has to say.
    pub report: &'a mut dyn FnMut(Report),
}

impl Job {
    /// Whether only a `stop` ends the job.
    pub(super) fn is_infinite(&self) -> bool {
        match self {
            Job::Search(search) | Job::Ponder(search) => search.infinite,
            Job::Setup(..) | Job::Perft(..) | Job::Bench(_) | Job::Why(_) => false,
        }
    }

    /// Whether later lines had better wait than break it off.
    pub(super) const fn is_brief(&self) -> bool {
        match self {
            Job::Setup(..) | Job::Why(_) => true,
            Job::Search(_) | Job::Ponder(_) | Job::Perft(..) | Job::Bench(_) => false,
        }
    }

    /// Whether nobody asked for it.
    pub(super) const fn is_ponder(&self) -> bool {
        match self {
            Job::Ponder(_) => true,
            Job::Search(_) | Job::Setup(..) | Job::Perft(..) | Job::Bench(_) | Job::Why(_) => false,
        }
    }

    /// Does the work.
    pub(super) fn run(self, desk: &mut Desk<'_>) -> Done {
        match self {
            Job::Search(search) => {
                let (choice, evidence) = search.run(desk);
                Done::Choice(choice, evidence)
            }
            Job::Ponder(search) => Done::Pondered(search.ponder(desk)),
            Job::Setup(rules, previous, seed, stream) => {
                Done::Setup(choose_setup(&rules, previous.as_ref(), (seed, stream)))
            }
            Job::Perft(mut position, depth) => {
                let (nodes, stopped) = perft::count(&mut position, depth, desk.stop);
                let time = desk.clock.elapsed();
                (desk.report)(Report::Say(Reply::Perft(super::reply::Count { depth, nodes, time, stopped })));
                Done::Said
            }
            Job::Bench(extent) => {
                bench::run(extent, desk);
                Done::Said
            }
            Job::Why(why) => {
                why.answer(desk);
                Done::Said
            }
        }
    }
}

impl Search {
    fn run(mut self, desk: &mut Desk<'_>) -> (Choice, Evidence) {
        let Desk { searcher, clock, stop, report } = desk;
        let control = Control { clock: &*clock, stop, searcher: *searcher };
        let mut sink = |info: &Info| report(Report::Info(Box::new(info.clone())));
        let choice = self.player.think(&self.request, control, &mut sink);
        (choice, self.player.evidence().clone())
    }

    fn ponder(mut self, desk: &Desk<'_>) -> Option<Evidence> {
        self.player.ponder(desk.control()).then(|| self.player.evidence().clone())
    }
}

impl Desk<'_> {
    /// What runs a thought of a player.
    pub(super) fn control(&self) -> Control<'_> {
        Control { clock: &self.clock, stop: self.stop, searcher: self.searcher }
    }
}
