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

/// Number of ranks, in the order F, S, 2..9, M, B.
pub(crate) const RANKS: usize = 12;

/// Most pieces one problem may hold: an army of 40 and some room.
pub(crate) const MAX_PIECES: usize = 42;

/// Weights below this share of a piece's best one are raised to it, so that no
/// product over an army underflows; what is possible never becomes impossible.
const FLOOR: f64 = 1e-7;

/// The hidden pieces of one army and what is known of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'a> {
    /// Per piece the ranks that hard facts allow, bit `r` for rank `r`.
    pub(crate) allowed: &'a [u16],
    /// Per piece the positive, not necessarily normalised, weight of each rank.
    pub(crate) weights: &'a [[f32; RANKS]],
    /// How many of the pieces have each rank; sums to the number of pieces.
    pub(crate) counts: [u8; RANKS],
}

/// A problem after its certain pieces have been taken out.
struct Core {
    /// Per piece of the original problem the ranks it may really have.
    allowed: Vec<u16>,
    /// Original indices of the pieces with more than one possible rank.
    free: Vec<usize>,
    /// Weights of the free pieces: each row sums to one, zero where impossible.
    weights: Vec<[f64; RANKS]>,
    /// Counts of the ranks among the free pieces.
    counts: [u8; RANKS],
}

impl Core {
    /// Reduces `problem`; `None` if no assignment is consistent with it.
    fn new(problem: &Problem) -> Option<Self> {
        let allowed = feasible(problem)?;
        let mut counts = problem.counts;
        let mut free = Vec::with_capacity(allowed.len());
        let mut weights = Vec::with_capacity(allowed.len());
        for (i, &mask) in allowed.iter().enumerate() {
            if mask.is_power_of_two() {
                counts[mask.trailing_zeros() as usize] -= 1;
            } else {
                free.push(i);
                weights.push(row(&problem.weights[i], mask));
            }
        }
        Some(Self { allowed, free, weights, counts })
    }
}

/// One piece's weights over its possible ranks, floored and scaled to sum one.
fn row(weights: &[f32; RANKS], mask: u16) -> [f64; RANKS] {
    let inside = |r: usize| mask >> r & 1 == 1;
    let best = (0..RANKS)
        .filter(|&r| inside(r))
        .map(|r| f64::from(weights[r]))
        .filter(|w| w.is_finite())
        .fold(f64::MIN_POSITIVE, f64::max);
    let mut out = [0.0; RANKS];
    for r in (0..RANKS).filter(|&r| inside(r)) {
        // In this order a weight that is not a number ends at the floor, too.
        out[r] = FLOOR.max(f64::from(weights[r]) / best).min(1.0);
    }
    let sum: f64 = out.iter().sum();
    out.map(|w| w / sum)
}
