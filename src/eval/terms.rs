//! The parts of an evaluation, for people to read.

use super::hand_made::{Parts, flag_attack, flag_defence};
use super::rescue::rescue_value;
use super::state::InformationState;
use crate::belief::Belief;
use crate::view::View;

/// One part of an evaluation.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Term {
    /// What it counts, as the protocol's `eval` names it.
    pub name: &'static str,
    /// Its share in points: a captain is worth 80. Positive for the view's player.
    pub value: i32,
}

/// The parts of the hand-made evaluation of a view, for its player.
pub fn terms(view: &View, belief: &Belief) -> Vec<Term> {
    let (position, state) = (view.position(), InformationState::new(view, belief));
    let parts = Parts::of(&state);
    let term = |name, value: f32| Term { name, value: value.round() as i32 };
    let mut terms = vec![
        term("material", parts.material),
        term("revealed", -parts.revealed),
        term("known", parts.known),
        term("attack", parts.attack),
        term("threat", -parts.threat),
        term("flag-defence", -flag_defence(position, &state)),
        term("flag-attack", flag_attack(position, &state)),
    ];
    if position.rules().rescue {
        terms.push(term("rescue", rescue_value(position, &state.root.values, view.viewer())));
    }
    terms
}
