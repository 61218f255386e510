//! The evaluators that a host may choose from.

use super::evaluator::Evaluator;
use super::hand_made::HandMade;
use super::material::Material;

/// One of the evaluators.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub enum EvaluatorKind {
    /// [`HandMade`].
    #[default]
    HandMade,
    /// [`Material`].
    Material,
}

impl EvaluatorKind {
    /// All of them; the first is the strongest.
    pub const ALL: [EvaluatorKind; 2] = [EvaluatorKind::HandMade, EvaluatorKind::Material];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            EvaluatorKind::HandMade => "handmade",
            EvaluatorKind::Material => "material",
        }
    }

    /// The one of that name, in either case.
    pub fn from_name(name: &str) -> Option<EvaluatorKind> {
        EvaluatorKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name))
    }

    /// What evaluates.
    pub const fn evaluator(self) -> &'static dyn Evaluator {
        match self {
            EvaluatorKind::HandMade => &HandMade,
            EvaluatorKind::Material => &Material,
        }
    }
}
