//! The hand-made evaluator: material, information, attacks and threats, races for the flags.

use super::evaluator::Evaluator;
use super::state::InformationState;
use super::terms::Terms;
use crate::rules::Position;

/// The hand-made evaluator, which players use unless another is chosen: the sum of its [`Terms`]. Its numbers are
/// in `crates/engine/src/eval/params.rs`.
#[derive(Copy, Clone, Debug)]
pub struct HandMade;

impl Evaluator for HandMade {
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32 {
        Terms::of(position, state).total()
    }
}
