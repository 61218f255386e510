//! What search asks of an evaluator, whoever made it.

use super::state::InformationState;
use crate::rules::Position;

/// Gives the leaves of a search their value. Search knows nothing else of it, so that a learned one can stand beside
/// the hand-made one.
pub trait Evaluator: Sync {
    /// The value of `position` for the player of `state`, in points: a captain is worth 80. `state` is what that
    /// player knows there. The same position and state always have the same value, on every thread.
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32;
}
