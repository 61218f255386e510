//! The worth of what a player knows, in words a person can follow.

use crate::belief::Belief;
use crate::view::View;

/// One part of an evaluation.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Term {
    /// What it weighs.
    pub name: &'static str,
    /// Its share, in hundredths of a sergeant's worth, positive for the view's player.
    pub value: i32,
}

/// The parts of the evaluation of a view, for its player.
pub fn terms(_view: &View, _belief: &Belief) -> Vec<Term> {
    Vec::new()
}
