//! What a network says of a position, and what two of them say together.

use crate::math;
use crate::rules::Action;

/// What a network says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// The legal actions.
    pub actions: Vec<Action>,
    /// The natural logarithm of the probability that the network chooses each.
    pub log_probabilities: Vec<f32>,
    /// The probability that the player to move wins.
    pub win: f32,
    /// The probability of a draw.
    pub draw: f32,
    /// The probability that the player to move loses.
    pub loss: f32,
}

impl Evaluation {
    /// The natural logarithm of the probability of an action; `None` if it is not among the actions.
    pub fn logarithm(&self, action: Action) -> Option<f32> {
        let said = self.actions.iter().zip(&self.log_probabilities);
        said.into_iter().find_map(|(&said, &logarithm)| (said == action).then_some(logarithm))
    }

    /// What two networks say together of the same position: how likely each action is, is the geometric mean of both,
    /// scaled to sum to 1. Of the ending it is what `self` says.
    pub(crate) fn pooled_with(mut self, other: &Evaluation) -> Evaluation {
        for (one, other) in self.log_probabilities.iter_mut().zip(&other.log_probabilities) {
            *one = 0.5 * (*one + other);
        }
        log_softmax(&mut self.log_probabilities);
        self
    }
}

/// Natural logarithms of probabilities that are as these numbers' exponentials.
pub(super) fn log_softmax(numbers: &mut [f32]) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = numbers.iter().map(|number| math::exp(number - most)).sum();
    let norm = most + math::ln(sum);
    for number in numbers {
        *number -= norm;
    }
}
