//! The evaluators that a host may choose from.

use super::evaluator::Evaluator;
use super::hand_made::HandMade;
use super::material::Material;
use crate::named_enum::named_enum;

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
    /// What evaluates.
    pub const fn evaluator(self) -> &'static dyn Evaluator {
        match self {
            EvaluatorKind::HandMade => &HandMade,
            EvaluatorKind::Material => &Material,
        }
    }
}
