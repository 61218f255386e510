//! What a search is given, what it reports, and what it ends with.

use super::level::Level;
use super::limits::Budget;
use super::score::Score;
use super::transposition::TranspositionTable;
use crate::belief::Belief;
use crate::eval::Evaluator;
use crate::rules::Action;
use crate::view::View;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A clock that started when the search was asked for.
pub trait Clock: Sync {
    /// Time since then.
    fn elapsed(&self) -> Duration;
}

/// Everything a search depends on.
#[derive(Copy, Clone)]
pub struct SearchTask<'a> {
    /// What the player to move knows; it must be its turn.
    pub view: &'a View,
    /// What it believes of the enemy's pieces.
    pub belief: &'a Belief,
    /// Gives the leaves their value.
    pub evaluator: &'a dyn Evaluator,
    /// When to end.
    pub budget: Budget,
    /// Consider only these actions, unless empty.
    pub only: &'a [Action],
    /// How likely a learned policy is to choose each action, as natural logarithms; empty without one.
    pub policy: &'a [(Action, f32)],
    /// Seeds every random choice.
    pub seed: u64,
    /// How many lines to report.
    pub lines: usize,
    /// How strong to play.
    pub level: Level,
    /// Threads to search on. With more than one, equal tasks need not have equal results.
    pub threads: usize,
    /// A transposition table that outlasts the search; without one the search makes its own.
    pub table: Option<&'a TranspositionTable>,
    /// Tells when time is up.
    pub clock: &'a dyn Clock,
    /// Set from outside to break the search off.
    pub stop: &'a AtomicBool,
}

/// A step of a line: an action and whether it strikes.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// Whether a piece stands where it goes.
    pub strike: bool,
}

/// One report of a search in progress: one line after one iteration.
#[derive(Clone, Debug)]
pub struct Info {
    /// Plies looked ahead.
    pub depth: u32,
    /// Which line this is, 1 the best.
    pub line: usize,
    /// Time since the search was asked for.
    pub time: Duration,
    /// Nodes visited, by all threads.
    pub nodes: u64,
    /// Chances of the side to move.
    pub score: Score,
    /// Worlds left, where they are so few that the search enumerates them.
    pub worlds: Option<u32>,
    /// The expected actions.
    pub line_of_play: Vec<Step>,
}

/// One of the actions at the root, as exactly as it was searched last.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The action.
    pub action: Action,
    /// What the search expects of it, in points of evaluation for the side to move: nothing added.
    pub points: f32,
    /// What the choice adds to that, in points: what the learned policy makes of the action, the bonus for strikes, what
    /// is left of a level's error, the tie break. The best sum is chosen.
    pub added: f32,
    /// Chances of the side to move, by `points`.
    pub score: Score,
    /// Plies looked ahead.
    pub depth: u32,
}

/// What a search ends with.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The action; `None` if there is none.
    pub action: Option<Action>,
    /// Chances of the side to move; `None` if not even the first action was searched.
    pub score: Option<Score>,
    /// Nodes visited, by all threads.
    pub nodes: u64,
    /// What the enemy is expected to answer.
    pub answer: Option<Step>,
    /// The best actions with their values, best first, as many as the task asked for lines: by the last iteration that
    /// ended, as only values of one iteration can be compared. The choice is the first of them, unless an iteration that
    /// was broken off found a better one.
    pub candidates: Vec<Candidate>,
}

impl Choice {
    /// A choice that nobody has searched for.
    pub const fn unsearched(action: Option<Action>) -> Choice {
        Choice { action, score: None, nodes: 0, answer: None, candidates: Vec::new() }
    }
}
