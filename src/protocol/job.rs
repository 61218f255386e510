//! Work that takes time: it runs beside the session and can be stopped.

use super::bench::{self, Extent};
use super::perft;
use super::reply::Reply;
use super::why::Why;
use crate::belief::Belief;
use crate::deploy;
use crate::dice::Dice;
use crate::rules::{Action, Position, Ruleset, Setup};
use crate::search::{Budget, Choice, Clock, Info, Inquiry, Level, Table, Task, reflect};
use crate::view::View;
use crate::view::intent::Intent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// How strong to play.
    pub level: Level,
    /// Threads to search on.
    pub threads: usize,
    /// What earlier searches left; `None` for a short search.
    pub table: Option<Arc<Table>>,
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
    /// A search has chosen; what has been thought about the enemy's last move comes with it.
    Choice(Choice, Vec<Intent>),
    /// A search on the enemy's time has ended; what has been thought about the expected answer, unless that was broken off.
    Pondered(Option<Vec<Intent>>),
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
                let (choice, intents) = search.run(desk);
                Done::Choice(choice, intents)
            }
            Job::Ponder(search) => Done::Pondered(search.ponder(desk)),
            Job::Setup(rules, previous, seed, stream) => {
                Done::Setup(deploy::choose(&rules, previous.as_ref(), &mut Dice::stream(seed, stream)))
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
    fn run(mut self, desk: &mut Desk<'_>) -> (Choice, Vec<Intent>) {
        let budget = self.reflect(desk);
        let choice = self.choose(budget, desk);
        (choice, self.view.latest_intents().to_vec())
    }

    /// Searches for what it leaves in the table. What the table holds hangs on the belief, and so on what was thought before.
    fn ponder(mut self, desk: &mut Desk<'_>) -> Option<Vec<Intent>> {
        let budget = self.reflect(desk);
        if desk.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.choose(budget, &mut Desk { report: &mut |_| (), ..*desk });
        Some(self.view.latest_intents().to_vec())
    }

    /// Thinks about the enemy's last move; the budget that is left.
    fn reflect(&mut self, desk: &Desk<'_>) -> Budget {
        let Search { budget, level, seed, .. } = *self;
        reflect(&mut self.view, &Inquiry { budget, level, seed, clock: &desk.clock, stop: desk.stop })
    }

    fn choose(&self, budget: Budget, desk: &mut Desk<'_>) -> Choice {
        let belief = Belief::of_enemies(&self.view);
        let task = Task {
            view: &self.view,
            belief: &belief,
            budget,
            only: &self.only,
            seed: self.seed,
            lines: self.lines,
            level: self.level,
            threads: self.threads,
            table: self.table.as_deref(),
            clock: &desk.clock,
            stop: desk.stop,
        };
        (desk.searcher)(&task, &mut |info| (desk.report)(Report::Info(Box::new(info.clone()))))
    }
}
