//! When a search has to end.

use super::params::{
    ACTIONS_AHEAD, INCREMENT_USED, MOST_ACTIONS_AHEAD, MOST_OF_CLOCK, MOST_SHARES, PLIES_FOR_ONE_MORE,
};
use crate::rules::Side;
use std::time::Duration;

/// What a `go` asks for; whatever is reached first ends the search.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Time for this action.
    pub movetime: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Remaining game time, Red's first.
    pub time: [Option<Duration>; 2],
    /// Increment per action, Red's first.
    pub increment: [Duration; 2],
    /// Think until told to stop.
    pub infinite: bool,
}

/// Limits worked out for one search.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Budget {
    /// About the time to take: less where the choice is clear, more where it changes.
    pub soft: Option<Duration>,
    /// Break off at this.
    pub hard: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

impl Limits {
    /// The budget of `side` at `ply`, answering `overhead` early. Without any limit: one second.
    ///
    /// No action takes more than a quarter of the clock, so it never runs out, however long the game.
    pub fn budget(&self, side: Side, ply: u32, overhead: Duration) -> Budget {
        let mut budget = Budget { soft: None, hard: None, nodes: self.nodes, depth: self.depth };
        if self.infinite {
            return budget;
        }
        if let Some(left) = self.time[side.index()] {
            let left = left.saturating_sub(overhead);
            let ahead = (ACTIONS_AHEAD + ply / PLIES_FOR_ONE_MORE).min(MOST_ACTIONS_AHEAD);
            let gain = self.increment[side.index()].saturating_mul(INCREMENT_USED.0) / INCREMENT_USED.1;
            let share = (left / ahead).saturating_add(gain);
            budget.soft = Some(share.min(left / MOST_OF_CLOCK));
            budget.hard = Some(share.saturating_mul(MOST_SHARES).min(left / MOST_OF_CLOCK));
        }
        let unlimited = budget.hard.is_none() && self.nodes.is_none() && self.depth.is_none();
        let movetime = self.movetime.or_else(|| unlimited.then_some(Duration::from_secs(1)));
        if let Some(movetime) = movetime {
            let movetime = movetime.saturating_sub(overhead).max(movetime / 4);
            budget.hard = Some(budget.hard.map_or(movetime, |hard| hard.min(movetime)));
        }
        budget
    }
}
