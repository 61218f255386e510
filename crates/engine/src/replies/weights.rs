//! What each feature is worth, in logits.

use super::features::Feature;
use std::sync::OnceLock;

/// Fitted as docs/log/search.md, "An enemy that knows what it can know", says. Little-endian numbers of four bytes.
const BYTES: &[u8; 4 * Feature::COUNT] = include_bytes!("replies.weights");

/// A weight for each [`Feature`], in logits.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights([f32; Feature::COUNT]);

impl Weights {
    /// Those that the engine is built with.
    pub fn embedded() -> &'static Weights {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| {
            let (numbers, _) = BYTES.as_chunks::<4>();
            Weights(std::array::from_fn(|index| f32::from_le_bytes(numbers[index])))
        })
    }

    /// Weights by the places of the features.
    pub const fn new(by_place: [f32; Feature::COUNT]) -> Weights {
        Weights(by_place)
    }

    /// All of them, by the places of the features.
    pub const fn all(&self) -> &[f32; Feature::COUNT] {
        &self.0
    }

    /// The weight of a feature.
    pub const fn of(&self, feature: Feature) -> f32 {
        self.0[feature.index()]
    }

    /// The logit of an action with these features.
    pub fn score(&self, features: &[(Feature, f32)]) -> f32 {
        features.iter().map(|&(feature, share)| self.of(feature) * share).sum()
    }

    /// The bytes of the file that [`Weights::embedded`] was read from.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|weight| weight.to_le_bytes()).collect()
    }
}
