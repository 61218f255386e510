//! What a search is given, what it reports, and what it ends with.

use super::conditions::Conditions;
use super::score::Score;
use super::transposition::TranspositionTable;
use crate::belief::Belief;
use crate::eval::{Evaluator, HandMade};
use crate::rules::Action;
use crate::view::View;
use std::time::Duration;

/// How likely a learned policy is to choose an action.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ActionProbability {
    /// The action.
    pub action: Action,
    /// The natural logarithm of its probability: 0 where it is certain, below 0 elsewhere.
    pub logarithm: f32,
}

/// Everything a search depends on. Two equal tasks on one thread, with no limit of time, have equal choices.
#[derive(Copy, Clone)]
pub struct SearchTask<'a> {
    /// What the player to move knows; it must be its turn.
    pub view: &'a View,
    /// What it believes of the enemy's pieces.
    pub belief: &'a Belief,
    /// Gives the leaves their value.
    pub evaluator: &'a dyn Evaluator,
    /// What it has in common with the inference before it.
    pub conditions: Conditions<'a>,
    /// Consider only these actions, unless empty.
    pub only: &'a [Action],
    /// What a learned policy says of each action; empty without one.
    pub policy: &'a [ActionProbability],
    /// How many lines to report.
    pub lines: usize,
    /// Threads to search on. With more than one, equal tasks need not have equal results.
    pub threads: usize,
    /// A transposition table that outlasts the search; without one the search makes its own.
    pub table: Option<&'a TranspositionTable>,
}

impl<'a> SearchTask<'a> {
    /// A search among all actions on one thread, for one line, with the hand-made evaluation, no policy and a table of its
    /// own.
    pub fn plain(view: &'a View, belief: &'a Belief, conditions: Conditions<'a>) -> SearchTask<'a> {
        SearchTask {
            view,
            belief,
            evaluator: &HandMade,
            conditions,
            only: &[],
            policy: &[],
            lines: 1,
            threads: 1,
            table: None,
        }
    }
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
    /// Chances of the side to move, by `points` and what circling and the tie break add.
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
