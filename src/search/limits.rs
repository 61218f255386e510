//! When a search has to end.

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
    /// Do not begin another iteration after this.
    pub soft: Option<Duration>,
    /// Break off at this.
    pub hard: Option<Duration>,
    /// Nodes to visit.
    pub nodes: Option<u64>,
    /// Plies to look ahead.
    pub depth: Option<u32>,
}

/// Actions a game is expected to go on for when sharing out game time. A guess until games tell better.
const ACTIONS_AHEAD: u32 = 60;

impl Limits {
    /// The budget of `side`, answering `overhead` early. Without any limit: one second.
    pub fn budget(&self, side: Side, overhead: Duration) -> Budget {
        let mut budget = Budget { soft: None, hard: None, nodes: self.nodes, depth: self.depth };
        if self.infinite {
            return budget;
        }
        if let Some(left) = self.time[side.index()] {
            let left = left.saturating_sub(overhead);
            let share = left / ACTIONS_AHEAD + self.increment[side.index()] * 3 / 4;
            budget.soft = Some(share.min(left / 2));
            budget.hard = Some((share * 3).min(left / 2));
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
