//! When a search has to end.

use super::clock_params;
use crate::rules::{BySide, Side};
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
            let ahead = (clock_params::actions_ahead() + ply / clock_params::plies_for_one_more())
                .min(clock_params::most_actions_ahead());
            let gain = self.increment[side].saturating_mul(clock_params::increment_quarters()) / 4;
            let share = (left / ahead).saturating_add(gain);
            budget.soft = Some(share.min(left / clock_params::most_of_clock()));
            budget.hard = Some(
                share.saturating_mul(clock_params::most_shares()).min(left / clock_params::most_of_clock()),
            );
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
