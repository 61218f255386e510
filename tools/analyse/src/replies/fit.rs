//! Fitting the weights: stochastic gradient descent on the log likelihood, with a step for each weight (Duchi, Hazan and
//! Singer 2011, Adaptive Subgradient Methods, `AdaGrad`).

use super::turns::Turn;
use outflank::math;
use outflank::replies::{Feature, Weights};
use outflank::rng::Rng;

/// The first step.
const STEP: f32 = 0.1;
/// What a weight's squared gradients begin with.
const BEFORE: f32 = 0.01;
/// Gradients that change nothing worth the time.
const LEAST: f32 = 1e-4;

/// The softmax over the actions of a turn: their probabilities.
pub(super) fn probabilities(weights: &Weights, turn: &Turn) -> Vec<f32> {
    let mut scores: Vec<f32> = turn.actions().map(|features| weights.score(features)).collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in &mut scores {
        *score = math::exp(*score - most);
    }
    let sum: f32 = scores.iter().sum();
    scores.into_iter().map(|score| score / sum).collect()
}

/// The weights after so many passes over the turns, in an order that `seed` draws, from none. The step shrinks to
/// nothing.
pub fn fit(turns: &[Turn], passes: u32, seed: u64) -> Weights {
    let (mut weights, mut squares) = ([0.0f32; Feature::COUNT], [BEFORE; Feature::COUNT]);
    let mut order: Vec<usize> = (0..turns.len()).collect();
    for pass in 0..passes {
        Rng::stream(seed, u64::from(pass)).shuffle(&mut order);
        let step = STEP * (1.0 - pass as f32 / passes as f32);
        for &place in &order {
            let turn = &turns[place];
            let found = probabilities(&Weights::new(weights), turn);
            for (index, (probability, features)) in found.into_iter().zip(turn.actions()).enumerate() {
                let off = probability - f32::from(u8::from(index == turn.chosen));
                if off.abs() < LEAST {
                    continue;
                }
                for &(feature, share) in features {
                    let (place, gradient) = (feature.index(), off * share);
                    squares[place] += gradient * gradient;
                    weights[place] -= step * gradient / squares[place].sqrt();
                }
            }
        }
    }
    Weights::new(weights)
}
