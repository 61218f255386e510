//! What a search is given, what it reports, and what it ends with.

use super::level::Level;
use super::limits::{Budget, Control};
use super::params;
use super::transposition::TranspositionTable;
use super::value::Value;
use crate::belief::Belief;
use crate::eval::EvaluatorKind;
use crate::math;
use crate::rules::{Action, Side};
use crate::view::View;
use std::time::Duration;

/// What a search and the inference before it ([`infer_from_move`](super::infer_from_move)) go by alike: the inference
/// takes its part of the budget and leaves the rest to the search, under the same clock and stop.
#[derive(Copy, Clone)]
pub struct Conditions<'a> {
    /// When to end.
    pub budget: Budget,
    /// How strong to play. Below full strength nothing is inferred.
    pub level: Level,
    /// Seeds every random choice.
    pub seed: u64,
    /// The clock and the stop.
    pub control: Control<'a>,
}

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
    pub evaluator: EvaluatorKind,
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
            evaluator: EvaluatorKind::HandMade,
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

/// Win, draw and loss in permille for the side to move; they sum to 1000.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Score {
    /// Chance to win.
    pub win: u16,
    /// Chance to draw.
    pub draw: u16,
    /// Chance to lose.
    pub loss: u16,
}

impl Score {
    /// A certain draw.
    pub(super) const DRAWN: Score = Score { win: 0, draw: 1000, loss: 0 };

    /// The chances that a value of the tree stands for, for who is to move at the root.
    pub(super) fn of(value: Value, root: Moment) -> Score {
        let most = Value::MOST_EVALUATED;
        if value > most {
            return Score { win: 1000, draw: 0, loss: 0 };
        }
        if value < -most {
            return Score { win: 0, draw: 0, loss: 1000 };
        }
        let edge = calibrated(value.as_f32() / most.as_f32(), root.offset());
        let draw = params::even_draws() * (1.0 - edge.abs());
        let win = ((1000.0 - draw) * f32::midpoint(1.0, edge)).round() as u16;
        let draw = draw.round() as u16;
        Score { win, draw, loss: 1000u16.saturating_sub(win + draw) }
    }
}

/// When something is expected, and by whom.
#[derive(Copy, Clone, Debug)]
pub(super) struct Moment {
    /// Plies made.
    pub(super) ply: u32,
    /// Who is to move.
    pub(super) side: Side,
}

impl Moment {
    /// What is added to the log odds then.
    fn offset(self) -> f32 {
        let early = math::exp(-(self.ply as f32) / params::score_phase());
        let (late, first) = (params::score_offset(), params::score_offset_first());
        let colour = match self.side {
            Side::Red => -params::score_colour(),
            Side::Blue => params::score_colour(),
        };
        late + early * (first - late + colour)
    }
}

/// What becomes of an expectation from -1 to 1. A search chooses what it overrates, so it expects too much.
fn calibrated(edge: f32, offset: f32) -> f32 {
    const MOST: f32 = 0.999;
    let edge = edge.clamp(-MOST, MOST);
    let log_odds = math::ln((1.0 + edge) / (1.0 - edge));
    let log_odds = params::score_slope() * log_odds + offset;
    2.0 / (1.0 + math::exp(-log_odds)) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Moment = Moment { ply: 10_000, side: Side::Red };

    #[test]
    fn chances_sum_to_a_thousand_and_follow_the_value() {
        let (mut last, most) = (0, Value::won(0).units());
        for units in (-most..=most).step_by(5000) {
            let score = Score::of(Value::new(units), LATE);
            assert_eq!(score.win + score.draw + score.loss, 1000, "{units}");
            assert!(score.win >= last);
            last = score.win;
        }
        // Even as the search sees it is odds of exp(-0.4).
        assert_eq!(Score::of(Value::ZERO, LATE), Score { win: 390, draw: 29, loss: 581 });
    }

    #[test]
    fn early_in_a_game_less_is_overrated_and_red_has_a_little_less() {
        let points = |ply, side| {
            let Score { win, draw, .. } = Score::of(Value::ZERO, Moment { ply, side });
            win + draw / 2
        };
        for side in Side::BOTH {
            assert!(points(0, side) > points(200, side) && points(200, side) > points(900, side));
        }
        assert!(points(0, Side::Red) + 20 < points(0, Side::Blue));
        assert!(points(3000, Side::Red).abs_diff(points(3000, Side::Blue)) <= 1);
    }
}
