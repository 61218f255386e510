//! An evaluator that counts pieces and nothing else.

use super::evaluator::Evaluator;
use super::state::InformationState;
use super::terms::material;
use crate::rules::Position;

/// Material alone, as [`super::HandMade`] counts it: who is left, by what each hidden piece may be. A sparring partner,
/// and what any other evaluator has to beat.
#[derive(Copy, Clone, Debug)]
pub struct Material;

impl Evaluator for Material {
    fn evaluate(&self, _: &Position, state: &InformationState) -> f32 {
        material(state)
    }
}
