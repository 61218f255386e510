//! The evaluators that a host may choose from.

use super::evaluator::{Evaluator, Situation};
use super::hand_made::HandMade;
use crate::named_enum::named_enum;
use crate::rules::{Piece, PieceId};
use crate::sparse::{Evaluation, Pursuits};
use crate::view::View;

named_enum! {
    /// One of the evaluators.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
    pub enum EvaluatorKind (in any case) {
        /// [`HandMade`].
        #[default]
        HandMade = "handmade",
        /// [`Material`].
        Material = "material",
    }
}

impl EvaluatorKind {
    /// What the evaluator advises at the root: see [`Evaluator::policy`].
    pub fn policy(self, view: &View, pursuits: &Pursuits) -> Option<Evaluation> {
        match self {
            EvaluatorKind::HandMade => HandMade.policy(view, pursuits),
            EvaluatorKind::Material => Material.policy(view, pursuits),
        }
    }
}

/// Material alone: who is left, by what each hidden piece may be. A sparring partner, and what any other evaluator has to
/// beat. It keeps up nothing.
#[derive(Copy, Clone, Debug)]
pub struct Material;

impl Evaluator for Material {
    type State = ();
    type Undo = ();

    fn begin(&self, _: Situation<'_>) {}

    fn observe(&self, (): &mut (), _: Situation<'_>, _: &[(PieceId, Piece)]) {}

    fn undo(&self, (): &mut (), (): ()) {}

    fn evaluate(&self, (): &mut (), now: Situation<'_>) -> f32 {
        now.known.material()
    }
}
