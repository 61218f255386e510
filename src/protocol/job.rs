//! Work that takes time: it runs beside the session and can be stopped.

use super::bench;
use super::perft;
use super::reply::Reply;
use super::why::Why;
use crate::belief::Belief;
use crate::deploy;
use crate::dice::Dice;
use crate::rules::{Action, Position, Ruleset, Setup};
use crate::search::{Budget, Choice, Clock, Info, Task};
use crate::view::View;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What chooses actions: [`crate::search::search`], or a stand-in under test.
pub type Searcher = fn(&Task<'_>, &mut dyn FnMut(&Info)) -> Choice;

/// Time since a line was read.
#[derive(Copy, Clone, Debug)]
pub(super) struct Stopwatch(pub Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A search to run.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// What the player to move knows.
    pub view: View,
    /// Consider only these, unless empty.
    pub only: Vec<Action>,
    /// When to end.
    pub budget: Budget,
    /// Seeds every random choice.
    pub seed: u64,
    /// Lines to report.
    pub lines: usize,
    /// Whether only a `stop` ends it.
    pub infinite: bool,
}

/// Work for the thinking thread.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// `go`
    Search(Box<Search>),
    /// `go setup`: the rules, the setup not to repeat, and the dice's seed and stream.
    Setup(Ruleset, Option<Setup>, u64, u64),
    /// `perft`
    Perft(Box<Position>, u32),
    /// `bench`
    Bench(Option<u64>),
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
    /// A search has chosen.
    Choice(Choice),
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
            Job::Search(search) => search.infinite,
            Job::Setup(..) | Job::Perft(..) | Job::Bench(_) | Job::Why(_) => false,
        }
    }

    /// Whether later lines had better wait than break it off.
    pub(super) const fn is_brief(&self) -> bool {
        match self {
            Job::Setup(..) | Job::Why(_) => true,
            Job::Search(_) | Job::Perft(..) | Job::Bench(_) => false,
        }
    }

    /// Does the work.
    pub(super) fn run(self, desk: &mut Desk<'_>) -> Done {
        match self {
            Job::Search(search) => Done::Choice(search.run(desk)),
            Job::Setup(rules, previous, seed, stream) => {
                Done::Setup(deploy::choose(&rules, previous.as_ref(), &mut Dice::stream(seed, stream)))
            }
            Job::Perft(mut position, depth) => {
                let (nodes, stopped) = perft::count(&mut position, depth, desk.stop);
                let time = desk.clock.elapsed();
                (desk.report)(Report::Say(Reply::Perft(super::reply::Count { depth, nodes, time, stopped })));
                Done::Said
            }
            Job::Bench(nodes) => {
                bench::run(nodes, desk);
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
    fn run(&self, desk: &mut Desk<'_>) -> Choice {
        let belief = Belief::of_enemies(&self.view);
        let task = Task {
            view: &self.view,
            belief: &belief,
            budget: self.budget,
            only: &self.only,
            seed: self.seed,
            lines: self.lines,
            clock: &desk.clock,
            stop: desk.stop,
        };
        (desk.searcher)(&task, &mut |info| (desk.report)(Report::Info(Box::new(info.clone()))))
    }
}
