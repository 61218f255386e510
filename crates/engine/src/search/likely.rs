//! What moves cost the enemy that it is unlikely to make.
//!
//! A move's value at an enemy node is raised by [`params::reply_weight`] for each factor of e by which it is less likely
//! than the likeliest move. The least of those values is, but for a constant, a bound of what an enemy is worth that
//! wins what it can and pays for leaving its habits as much (regularised by a Kullback-Leibler term, as in "piKL"; Jacob
//! et al. 2022, Modeling Strong and Human-Like Gameplay with KL-Regularized Search). It keeps alpha-beta: each move has
//! a window of its own.

use super::params;
use super::value::Value;
use crate::eval::InformationState;
use crate::replies::Replies;
use crate::rules::{Action, Position};

/// How likely the enemy's moves are in one search.
pub(super) struct Likely {
    replies: Box<Replies>,
    /// What a factor of e is worth, in units of the tree.
    factor: f32,
}

impl Likely {
    /// For a search from this position, in which a leaf is worth about `evaluation` points. `None` where moves cost
    /// nothing, or under rules unlike those of the games that the weights were fitted to.
    pub(super) fn new(position: &Position, state: &InformationState, evaluation: f32) -> Option<Likely> {
        let weight = params::reply_weight();
        let counts = weight > 0.0 && position.rules().moves_as_isf();
        counts.then(|| Likely {
            replies: Box::new(Replies::new(position, state.us(), |id| state.conditioned(position, id))),
            factor: weight * Value::slope(evaluation),
        })
    }

    /// By how many factors of e each of these actions of the enemy is less likely than its likeliest move; strikes are
    /// not compared, and are as likely.
    pub(super) fn factors(&self, position: &Position, actions: &[Action]) -> Vec<f32> {
        let is_move = |action: &Action| action.rescue.is_none() && position.piece_at(action.to).is_none();
        let mut scores = self.replies.scores(position, actions);
        let moves = actions.iter().zip(&scores).filter(|(action, _)| is_move(action));
        let most = moves.map(|(_, score)| *score).fold(f32::NEG_INFINITY, f32::max);
        for (action, score) in actions.iter().zip(&mut scores) {
            *score = if is_move(action) { most - *score } else { 0.0 };
        }
        scores
    }

    /// What a move costs that is less likely by so many factors.
    pub(super) fn cost(&self, factors: f32) -> Value {
        Value::from_sum(self.factor * factors.min(params::reply_floor()))
    }
}
