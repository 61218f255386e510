//! Choosing an action. A search is a function of its arguments: it prints nothing and knows no clock but the one
//! it is given.

mod crew;
mod enemy;
mod inference;
mod level;
mod limits;
mod mixture;
mod order;
mod pace;
mod quiesce;
mod rescue;
mod root;
mod score;
mod table;
mod tree;
#[cfg(test)]
mod trial;

pub use inference::{Inquiry, infer_from_move};
pub use level::Level;
pub use limits::{Budget, Limits};
pub use root::search;
pub use score::Score;
pub use table::{OutOfMemory, Table};

use crate::belief::Belief;
use crate::rules::Action;
use crate::view::View;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Time since the search was asked for.
pub trait Clock: Sync {
    /// Time since the search was asked for.
    fn elapsed(&self) -> Duration;
}

/// Everything a search depends on.
#[derive(Copy, Clone)]
pub struct Task<'a> {
    /// What the player to move knows; it must be its turn.
    pub view: &'a View,
    /// What it believes of the enemy's pieces.
    pub belief: &'a Belief,
    /// When to end.
    pub budget: Budget,
    /// Consider only these actions, unless empty.
    pub only: &'a [Action],
    /// Seeds every random choice.
    pub seed: u64,
    /// How many lines to report.
    pub lines: usize,
    /// How strong to play.
    pub level: Level,
    /// Threads to search on. With more than one, equal tasks need not have equal results.
    pub threads: usize,
    /// What is remembered from node to node, where the search is not to make a table of its own.
    pub table: Option<&'a Table>,
    /// The clock.
    pub clock: &'a dyn Clock,
    /// Set from outside to break the search off.
    pub stop: &'a AtomicBool,
}

/// A step of a line: an action and whether it strikes.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// Whether it strikes.
    pub strike: bool,
}

/// One report of a search in progress.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: u32,
    /// Which line this is, 1 the best.
    pub line: usize,
    /// Time since the search was asked for.
    pub time: Duration,
    /// Nodes visited.
    pub nodes: u64,
    /// Who wins.
    pub score: Score,
    /// Worlds left, where they are so few that the search reckons with each.
    pub worlds: Option<u32>,
    /// The expected actions.
    pub line_of_play: Vec<Step>,
}

/// What a search ends with.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The action; `None` if there is none.
    pub action: Option<Action>,
    /// Who wins, as the search sees it.
    pub score: Option<Score>,
    /// Nodes visited, by all threads.
    pub nodes: u64,
    /// What the enemy is expected to answer.
    pub answer: Option<Step>,
}
