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

use crate::rules::{ByRank, RankSet};

mod belief_propagation;
mod enumeration;
mod exact_dp;
mod feasible;
mod marginals;
mod sampling;
#[cfg(test)]
mod tests;

pub(super) use enumeration::enumerate;
use feasible::assignment;
pub(super) use feasible::feasible;
pub(super) use marginals::{marginals, marginals_exact};
pub(super) use sampling::sample;
#[cfg(test)]
use sampling::sample_chain;

/// Most pieces one problem may hold: an army of 40 and some room.
pub(crate) const MAX_PIECES: usize = 42;

/// Weights below this share of a piece's best one are raised to it, so that no
/// product over an army underflows; what is possible never becomes impossible.
const FLOOR: f64 = 1e-7;

/// The hidden pieces of one army and what is known of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'a> {
    /// Per piece the ranks that hard facts allow.
    pub(crate) allowed: &'a [RankSet],
    /// Per piece the positive, not necessarily normalised, weight of each rank.
    pub(crate) weights: &'a [ByRank<f32>],
    /// How many of the pieces have each rank; sums to the number of pieces.
    pub(crate) counts: ByRank<u8>,
}

/// A problem after its certain pieces have been taken out.
struct Core {
    /// Per piece of the original problem the ranks it may really have.
    allowed: Vec<RankSet>,
    /// Original indices of the pieces with more than one possible rank.
    free: Vec<usize>,
    /// Weights of the free pieces: each row sums to one, zero where impossible.
    weights: Vec<ByRank<f64>>,
    /// Counts of the ranks among the free pieces.
    counts: ByRank<u8>,
}

impl Core {
    /// Reduces `problem`; `None` if no assignment is consistent with it.
    fn new(problem: &Problem) -> Option<Self> {
        let allowed = feasible(problem)?;
        let mut counts = problem.counts;
        let mut free = Vec::with_capacity(allowed.len());
        let mut weights = Vec::with_capacity(allowed.len());
        for (i, &ranks) in allowed.iter().enumerate() {
            if let Some(rank) = ranks.single() {
                counts[rank] -= 1;
            } else {
                free.push(i);
                weights.push(row(&problem.weights[i], ranks));
            }
        }
        Some(Self { allowed, free, weights, counts })
    }
}

/// One piece's weights over its possible ranks, floored and scaled to sum one.
fn row(weights: &ByRank<f32>, ranks: RankSet) -> ByRank<f64> {
    let best = ranks
        .iter()
        .map(|rank| f64::from(weights[rank]))
        .filter(|w| w.is_finite())
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut out = ByRank::filled(0.0);
    for rank in ranks.iter() {
        // In this order a weight that is not a number ends at the floor, too.
        out[rank] = FLOOR.max(f64::from(weights[rank]) / best).min(1.0);
    }
    let sum: f64 = out.values().sum();
    out.map(|w| w / sum)
}
