//! Choices among actions that features describe: a softmax over weighted sums, and weights fitted to it by
//! stochastic gradient descent on the log likelihood, with a step for each weight (Duchi, Hazan and Singer 2011,
//! Adaptive Subgradient Methods, `AdaGrad`).

use crate::figures::share;
use outflank::math;
use outflank::rng::Rng;
use serde::Serialize;
use std::ops::Range;

/// The first step.
const STEP: f32 = 0.1;
/// What a weight's squared gradients begin with.
const BEFORE: f32 = 0.01;
/// Gradients that change nothing worth the time.
const LEAST: f32 = 1e-4;

/// A choice among actions: what each is about, and how often it is chosen.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The features of all actions, one after the other: places among the weights, and how much each holds.
    features: Vec<(u16, f32)>,
    /// Where each action's features end.
    ends: Vec<u32>,
    /// How often each action is chosen: shares of one.
    shares: Vec<f32>,
}

impl Choice {
    /// Adds an action, chosen with this share, by the places of its features and how much each holds.
    pub fn push(&mut self, share: f32, features: impl IntoIterator<Item = (usize, f32)>) {
        self.features.extend(features.into_iter().map(|(place, holds)| (place as u16, holds)));
        self.ends.push(self.features.len() as u32);
        self.shares.push(share);
    }

    /// How many actions there are.
    pub const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How often each action is chosen.
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    fn actions(&self) -> impl Iterator<Item = &[(u16, f32)]> {
        let range = |index: usize| -> Range<usize> {
            let start = index.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
            start..self.ends[index] as usize
        };
        (0..self.ends.len()).map(move |index| &self.features[range(index)])
    }

    /// How likely each action is by these weights.
    pub fn probabilities(&self, weights: &[f32]) -> Vec<f32> {
        let score = |features: &[(u16, f32)]| {
            features.iter().map(|&(place, holds)| weights[usize::from(place)] * holds).sum()
        };
        let mut scores: Vec<f32> = self.actions().map(score).collect();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for score in &mut scores {
            *score = math::exp(*score - most);
        }
        let sum: f32 = scores.iter().sum();
        scores.into_iter().map(|score| score / sum).collect()
    }
}

/// How well choices are predicted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Loss {
    /// The mean of the relative entropy of how often actions are chosen with respect to the prediction, in nats. Where one
    /// action was chosen, that is the logarithmic loss.
    pub nats: Option<f64>,
    /// The share of the choices in which the likeliest action is the one that is chosen most often.
    pub first: Option<f64>,
}

impl Loss {
    /// By these weights.
    pub fn of(weights: &[f32], choices: &[Choice]) -> Loss {
        let mean = |value: &dyn Fn(&Choice) -> f64| share(choices.iter().map(value).sum(), choices.len());
        Loss {
            nats: mean(&|choice| relative_entropy(&choice.shares, &choice.probabilities(weights))),
            first: mean(&|choice| {
                let same = greatest(&choice.shares) == greatest(&choice.probabilities(weights));
                f64::from(u8::from(same))
            }),
        }
    }
}

fn relative_entropy(of: &[f32], to: &[f32]) -> f64 {
    let term = |(&of, &to): (&f32, &f32)| {
        let (of, to) = (f64::from(of), f64::from(to.max(f32::MIN_POSITIVE)));
        if of > 0.0 { of * (of / to).ln() } else { 0.0 }
    };
    of.iter().zip(to).map(term).sum()
}

/// The place of the greatest.
fn greatest(shares: &[f32]) -> Option<usize> {
    (0..shares.len()).max_by(|&one, &other| shares[one].total_cmp(&shares[other]))
}

/// So many weights after so many passes over the choices, in an order that `seed` draws, from none. The step shrinks to
/// nothing.
pub fn fit<'a>(
    choices: impl ExactSizeIterator<Item = &'a Choice>,
    count: usize,
    passes: u32,
    seed: u64,
) -> Vec<f32> {
    let choices: Vec<&Choice> = choices.collect();
    let (mut weights, mut squares) = (vec![0.0f32; count], vec![BEFORE; count]);
    let mut order: Vec<usize> = (0..choices.len()).collect();
    for pass in 0..passes {
        Rng::stream(seed, u64::from(pass)).shuffle(&mut order);
        let step = STEP * (1.0 - pass as f32 / passes as f32);
        for &place in &order {
            descend(choices[place], step, &mut weights, &mut squares);
        }
    }
    weights
}

/// One step down the gradient of a choice.
fn descend(choice: &Choice, step: f32, weights: &mut [f32], squares: &mut [f32]) {
    let found = choice.probabilities(weights);
    for ((probability, &share), features) in found.into_iter().zip(&choice.shares).zip(choice.actions()) {
        let off = probability - share;
        if off.abs() < LEAST {
            continue;
        }
        for &(place, holds) in features {
            let (place, gradient) = (usize::from(place), off * holds);
            squares[place] += gradient * gradient;
            weights[place] -= step * gradient / squares[place].sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first action has feature 0 and is chosen three times in four, the second feature 1.
    #[test]
    fn weights_are_fitted_to_how_often_actions_are_chosen() {
        let mut choice = Choice::default();
        choice.push(0.75, [(0, 1.0)]);
        choice.push(0.25, [(1, 1.0)]);
        let choices = vec![choice; 50];
        let weights = fit(choices.iter(), 2, 40, 1);
        assert!((weights[0] - weights[1] - math::ln(3.0)).abs() < 0.05, "{weights:?}");
        assert!((choices[0].probabilities(&weights)[0] - 0.75).abs() < 0.01);
    }
}
