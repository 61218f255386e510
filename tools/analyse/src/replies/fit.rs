//! Fitting the weights.

use super::turns::Turn;
use crate::softmax;
use outflank::replies::{Feature, Weights};

/// The weights after so many passes over the turns, in an order that `seed` draws.
pub fn fit(turns: &[Turn], passes: u32, seed: u64) -> Weights {
    let fitted = softmax::fit(turns.iter().map(|turn| &turn.choice), Feature::COUNT, passes, seed);
    let mut weights = [0.0; Feature::COUNT];
    weights.copy_from_slice(&fitted);
    Weights::new(weights)
}
