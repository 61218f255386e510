//! What is left of a problem once everything that is certain has been taken out.

use super::feasible::feasible;
use super::problem::Problem;
use crate::rules::{ByRank, RankSet};

/// Weights below this share of a piece's best one are raised to it, so that no
/// product over an army underflows; what is possible never becomes impossible.
const FLOOR: f64 = 1e-7;

/// A problem after its certain pieces have been taken out.
pub(super) struct Core {
    /// Per piece of the original problem the ranks it may really have.
    pub(super) allowed: Vec<RankSet>,
    /// Original indices of the pieces with more than one possible rank.
    pub(super) free: Vec<usize>,
    /// Weights of the free pieces: each row sums to one, zero where impossible.
    pub(super) weights: Vec<ByRank<f64>>,
    /// Counts of the ranks among the free pieces.
    pub(super) counts: ByRank<u8>,
    /// Logarithm of the weight that every assignment has beyond its free pieces' weights here.
    pub(super) log_scale: f64,
}

impl Core {
    /// Reduces `problem`; `None` if no assignment is consistent with it.
    pub(super) fn new(problem: &Problem) -> Option<Self> {
        let allowed = feasible(problem)?;
        let mut counts = problem.counts;
        let mut free = Vec::with_capacity(allowed.len());
        let mut weights = Vec::with_capacity(allowed.len());
        let mut log_scale = 0.0;
        for (i, &ranks) in allowed.iter().enumerate() {
            if let Some(rank) = ranks.single() {
                counts[rank] -= 1;
                log_scale += f64::from(problem.weights[i][rank]).max(f64::MIN_POSITIVE).ln();
            } else {
                free.push(i);
                let (row, scale) = row(&problem.weights[i], ranks);
                weights.push(row);
                log_scale += scale.ln();
            }
        }
        Some(Self { allowed, free, weights, counts, log_scale })
    }
}

/// One piece's weights over its possible ranks, floored and scaled to sum one; and what they were divided by.
fn row(weights: &ByRank<f32>, ranks: RankSet) -> (ByRank<f64>, f64) {
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
    (out.map(|w| w / sum), sum * best)
}
