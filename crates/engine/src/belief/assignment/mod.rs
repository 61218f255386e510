//! Joint model of an enemy army's hidden ranks.
//!
//! `P(assignment)` is proportional to the product of `weights[i][rank of i]` over
//! the assignments in which every piece has an allowed rank and every rank occurs
//! exactly as often as `counts` says. Three questions are answered about it: which
//! ranks are possible at all ([`feasible`]), with which probability ([`marginals`]),
//! and what a whole consistent world looks like ([`sample`]).
//!
//! Small problems are solved exactly by dynamic programming over count vectors,
//! large ones by belief propagation and by a Markov chain over assignments.

mod belief_propagation;
mod core;
mod enumeration;
mod exact_dp;
mod feasible;
mod marginals;
mod problem;
mod sampling;
#[cfg(test)]
mod tests;

pub(super) use enumeration::enumerate;
pub(super) use feasible::feasible;
pub(super) use marginals::{exact_marginals, marginals, weighed_marginals};
pub(super) use problem::Problem;
pub(super) use sampling::sample;
