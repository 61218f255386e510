//! The worth of what a player knows.

mod daring;
mod field;
mod gauge;
mod rescue;
mod ways;
mod worth;

pub(crate) use daring::Shown;
pub(crate) use gauge::{Before, Gauge, mass};
pub(crate) use rescue::prospects;
pub(crate) use worth::STEEPNESS;

use crate::belief::Belief;
use crate::view::View;

/// One part of an evaluation.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Term {
    /// What it weighs.
    pub name: &'static str,
    /// Its share; a captain is worth 80. Positive for the view's player.
    pub value: i32,
}

/// The parts of the evaluation of a view, for its player.
pub fn terms(view: &View, belief: &Belief) -> Vec<Term> {
    let gauge = Gauge::new(view, belief);
    let parts = gauge.parts();
    let term = |name, value: f32| Term { name, value: value.round() as i32 };
    let mut terms = vec![
        term("material", parts.material),
        term("exposure", -parts.exposure),
        term("knowledge", parts.knowledge),
        term("attack", parts.attack),
        term("danger", -parts.danger),
    ];
    let position = view.position();
    terms.extend([term("siege", -gauge.siege(position)), term("storm", gauge.storm(position))]);
    if position.rules().rescue {
        terms.push(term("rescue", prospects(position, &gauge)));
    }
    terms
}
