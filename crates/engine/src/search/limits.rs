//! When a search has to end: what a host allows ([`Limits`]), what one search makes of it ([`Budget`]), whether to begin
//! another iteration ([`TimeManager`]), the nodes of each thread ([`NodeCounter`]), and how far quiescence goes below a
//! leaf ([`Extent`]).

use super::params::{self, clock};
use super::value::Value;
use crate::rules::{Action, BySide, Side};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// What a host allows an action, with both sides' clocks; whatever is reached first ends the search. [`Limits::budget`]
/// makes of it what one search needs to know.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Time for this action.
    pub movetime: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Remaining game time of each side.
    pub time: BySide<Option<Duration>>,
    /// Increment per action of each side.
    pub increment: BySide<Duration>,
    /// Think until stopped: clocks and `movetime` do not count then, nodes and depth do.
    pub infinite: bool,
}

/// What one search is allowed: [`Limits`] worked out for the side to move. Without any limit only a stop ends it.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Budget {
    /// About the time to take: less where the choice is clear, more where it changes.
    pub soft: Option<Duration>,
    /// Break off at this, counted as the clock of the search counts.
    pub hard: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

impl Budget {
    /// Whether only a stop ends the search.
    pub fn is_unlimited(&self) -> bool {
        *self == Budget::default()
    }
}

/// How much earlier than a limit of time to answer, for the way between host and engine.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Overhead {
    time: Duration,
    given: bool,
}

impl Overhead {
    /// As somebody gave it who knows the way.
    pub const fn given(time: Duration) -> Overhead {
        Overhead { time, given: true }
    }

    /// What usually suffices; of a short time for one action no more than a quarter is kept back, as most of it is for
    /// thinking. Of a clock all of it is: who is late there loses the game.
    pub const fn usual(time: Duration) -> Overhead {
        Overhead { time, given: false }
    }

    /// What is kept back of so much time for one action.
    pub fn of(self, time: Duration) -> Duration {
        if self.given { self.time } else { self.time.min(time / 4) }
    }
}

impl Limits {
    /// The budget of `side` at `ply`, answering `overhead` early. Without any limit: one second.
    ///
    /// No action takes more than a quarter of the clock, so it never runs out, however long the game.
    pub fn budget(&self, side: Side, ply: u32, overhead: Overhead) -> Budget {
        let mut budget = Budget { soft: None, hard: None, nodes: self.nodes, depth: self.depth };
        if self.infinite {
            return budget;
        }
        if let Some(left) = self.time[side] {
            let left = left.saturating_sub(overhead.time);
            let ahead =
                (clock::actions_ahead() + ply / clock::plies_for_one_more()).min(clock::most_actions_ahead());
            let gain = self.increment[side].saturating_mul(clock::increment_quarters()) / 4;
            let share = (left / ahead).saturating_add(gain);
            budget.soft = Some(share.min(left / clock::most_of_clock()));
            budget.hard = Some(share.saturating_mul(clock::most_shares()).min(left / clock::most_of_clock()));
        }
        let unlimited = budget.hard.is_none() && self.nodes.is_none() && self.depth.is_none();
        let movetime = self.movetime.or_else(|| unlimited.then_some(Duration::from_secs(1)));
        if let Some(movetime) = movetime {
            let movetime = movetime.saturating_sub(overhead.of(movetime)).max(movetime / 4);
            budget.hard = Some(budget.hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        budget
    }
}

/// A clock that started when the search was asked for.
pub trait Clock: Sync {
    /// Time since then.
    fn elapsed(&self) -> Duration;
}

/// How a search is run from outside, by whoever waits for it. Nothing here says what is searched: another clock or stop
/// changes when a search ends, not what it finds until then.
#[derive(Copy, Clone)]
pub struct Control<'a> {
    /// Tells when time is up.
    pub clock: &'a dyn Clock,
    /// Set from outside to break the search off.
    pub stop: &'a AtomicBool,
}

impl<'a> Control<'a> {
    /// A search that runs by this clock until it ends or is stopped.
    pub const fn new(clock: &'a dyn Clock, stop: &'a AtomicBool) -> Control<'a> {
        Control { clock, stop }
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Whether it is to be broken off.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How the iterations of a search went.
#[derive(Debug)]
pub(super) struct TimeManager {
    soft: Option<Duration>,
    last: Option<(Action, Value)>,
    instability: f32,
}

/// What an iteration found.
#[derive(Copy, Clone, Debug)]
pub(super) struct Iteration {
    /// Plies looked ahead.
    pub(super) depth: u32,
    /// The best action.
    pub(super) best: Action,
    /// The best action's value.
    pub(super) value: Value,
    /// The value of the next best, at most.
    pub(super) next: Value,
}

impl TimeManager {
    /// Before the first iteration of a search that should take `soft`; without one it never ends a search.
    pub(super) const fn new(soft: Option<Duration>) -> TimeManager {
        TimeManager { soft, last: None, instability: 0.0 }
    }

    /// Notes an iteration; whether there is time to begin another, which takes as long as all before it together.
    pub(super) fn goes_on(&mut self, iteration: Iteration, elapsed: Duration) -> bool {
        let Iteration { depth, best, value, next } = iteration;
        self.instability *= 0.5;
        if let Some((action, before)) = self.last.replace((best, value)) {
            self.instability += f32::from(u8::from(action != best))
                + 0.5 * f32::from(u8::from(value < before - Value::new(clock::fall())));
        }
        let clear =
            depth >= clock::clear_depth() && value.saturating_sub(next) >= Value::new(clock::clear_lead());
        let share = if clear {
            clock::clear_share()
        } else {
            clock::calm_share() + clock::share_for_change() * self.instability
        };
        self.soft.is_none_or(|soft| elapsed * 2 <= soft.mul_f32(share))
    }
}

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

/// Nodes between two looks at the clock.
const CLOCK_EVERY: u64 = 32;

/// Counts the nodes of one thread, and says when it has to end.
pub(super) struct NodeCounter<'a> {
    budget: Budget,
    control: Control<'a>,
    /// What the thread has in common with others, if there are any.
    shared: Option<&'a SharedSearch>,
    /// The nodes that may be visited before the next look at `shared`.
    batch: u64,
    /// Nodes that this thread has visited.
    pub(super) nodes: u64,
    /// Whether the clock counts.
    pub(super) timed: bool,
    /// Set once a limit is reached; every value after that is void.
    pub(super) halted: bool,
}

impl<'a> NodeCounter<'a> {
    pub(super) const fn new(
        budget: Budget,
        control: Control<'a>,
        shared: Option<&'a SharedSearch>,
    ) -> NodeCounter<'a> {
        NodeCounter { budget, control, shared, batch: 0, nodes: 0, timed: true, halted: false }
    }

    /// Counts a node and looks whether a limit is reached. Once it is, no further one counts.
    pub(super) fn enter(&mut self) -> bool {
        if self.halted {
            return true;
        }
        self.nodes += 1;
        match self.shared {
            None => self.halted |= self.budget.nodes.is_some_and(|nodes| self.nodes >= nodes),
            Some(shared) => self.halted |= !self.may_visit(shared),
        }
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            let late = self.timed && self.budget.hard.is_some_and(|hard| self.control.elapsed() >= hard);
            self.halted |= late || self.control.is_stopped();
        }
        self.halted
    }

    /// Takes a node out of this thread's batch, or a new batch; false once the main thread has ended the search.
    fn may_visit(&mut self, shared: &SharedSearch) -> bool {
        if self.batch == 0 {
            self.batch = shared.take(self.budget.nodes);
        }
        if self.batch == 0 {
            self.nodes -= 1;
            return false;
        }
        self.batch -= 1;
        !shared.is_done()
    }

    /// Nodes that all threads have visited, or soon will have.
    pub(super) fn of_all_threads(&self) -> u64 {
        let most = self.budget.nodes.unwrap_or(u64::MAX);
        self.shared.map_or(self.nodes, |shared| shared.taken().min(most))
    }
}

/// How far quiescence may still go.
#[derive(Copy, Clone, Debug)]
pub(super) struct Extent {
    /// Plies of strikes.
    plies: u32,
    /// Nodes, about.
    effort: u32,
    /// Whether a node looks at no more strikes than it has effort for, and not at all of them.
    strict: bool,
}

impl Extent {
    /// Where it begins, below a leaf of a search to `depth`.
    pub(super) fn of_search(depth: u32) -> Extent {
        if depth == 1 {
            Extent { plies: params::most_quiescence(), effort: params::first_effort(), strict: true }
        } else {
            Extent::whole()
        }
    }

    /// Where it begins if nothing presses.
    pub(super) fn whole() -> Extent {
        Extent { plies: params::most_quiescence(), effort: params::quiescence_effort(), strict: false }
    }

    /// Whether nothing is left.
    pub(super) const fn is_spent(self) -> bool {
        self.plies == 0 || self.effort == 0
    }

    /// What is left for each of so many strikes.
    pub(super) const fn share(self, strikes: usize) -> Extent {
        let strikes = if strikes == 0 { 1 } else { strikes as u32 };
        Extent { plies: self.plies - 1, effort: (self.effort - 1) / strikes, ..self }
    }

    /// How many strikes a node looks at, the best first.
    pub(super) const fn strikes(self) -> usize {
        if self.strict { self.effort as usize } else { usize::MAX }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Played;

    fn found(depth: u32, best: &str, value: i32, next: i32) -> Iteration {
        let (value, next) = (Value::new(value), Value::new(next));
        Iteration { depth, best: best.parse::<Played>().unwrap().action, value, next }
    }

    /// The longest time after which a search still went on, in milliseconds of a share of 100.
    fn patience(course: &[Iteration]) -> u64 {
        let goes_on = |elapsed: u64| {
            let mut manager = TimeManager::new(Some(Duration::from_millis(100)));
            let (last, first) = course.split_last().unwrap();
            for found in first {
                manager.goes_on(*found, Duration::ZERO);
            }
            manager.goes_on(*last, Duration::from_millis(elapsed))
        };
        (0..1000).take_while(|elapsed| goes_on(*elapsed)).count() as u64
    }

    #[test]
    fn a_change_of_mind_takes_more_time_and_a_clear_lead_less() {
        let calm = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -10)]);
        let changed = patience(&[found(4, "a4a5", 0, -10), found(5, "b4b5", 0, -10)]);
        let fallen = patience(&[
            found(4, "a4a5", 0, -10),
            found(5, "a4a5", -2 * clock::fall(), -2 * clock::fall() - 10),
        ]);
        let clear = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -clock::clear_lead())]);
        let shallow = patience(&[found(1, "a4a5", 0, -10), found(2, "a4a5", 0, -clock::clear_lead())]);
        let old = patience(&[found(4, "a4a5", 0, 0), found(5, "b4b5", 0, 0), found(6, "b4b5", 0, 0)]);
        assert!(
            clear < calm && calm < fallen && fallen <= old && old < changed,
            "{clear} {calm} {fallen} {old} {changed}"
        );
        assert_eq!(calm, shallow);
    }

    #[test]
    fn without_a_share_the_clock_is_not_asked() {
        let mut manager = TimeManager::new(None);
        assert!(manager.goes_on(found(9, "a4a5", 0, -900_000), Duration::from_secs(9)));
    }

    #[test]
    fn what_is_left_is_shared_out_until_nothing_is() {
        let mut extent = Extent::whole();
        let mut plies = 0;
        while !extent.is_spent() {
            extent = extent.share(3);
            plies += 1;
        }
        assert!(plies > 1 && plies <= params::most_quiescence(), "{plies}");
    }
}
