//! Exact dynamic programming over count vectors.
//!
//! A state is how many pieces of each rank have been handed out so far. Pieces are
//! served in order, so a state's digits sum to the number of pieces served: every
//! state belongs to one piece and one array over all states is enough.

use super::core::Core;
use crate::rules::{ByRank, Rank};

/// A rank that still has pieces to hand out.
#[derive(Clone, Copy)]
struct Axis {
    rank: Rank,
    count: u8,
    stride: usize,
}

/// The mixed-radix space of count vectors of one problem.
pub(super) struct ExactDp {
    axes: Vec<Axis>,
    size: usize,
}

impl ExactDp {
    /// The space of `counts`.
    pub(super) fn new(counts: &ByRank<u8>) -> Self {
        let mut size = 1;
        let mut axes = Vec::with_capacity(Rank::COUNT);
        for (rank, &count) in counts.iter().filter(|&(_, &count)| count > 0) {
            axes.push(Axis { rank, count, stride: size });
            size *= usize::from(count) + 1;
        }
        Self { axes, size }
    }

    /// Number of states.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Number of states times ranks: what one pass costs.
    pub(super) fn work(&self) -> usize {
        self.size * self.axes.len()
    }

    /// Per state the total weight of all ways to serve the remaining pieces.
    pub(super) fn completions(&self, core: &Core) -> Vec<f64> {
        let mut total = vec![0.0; self.size];
        total[self.size - 1] = 1.0;
        let mut at = Cursor::default();
        // Walking the complement's digits upwards visits the states downwards.
        for x in (0..self.size - 1).rev() {
            at.step(self);
            let weights = &core.weights[core.weights.len() - at.level];
            let mut sum = 0.0;
            for axis in at.nonzero(self) {
                sum += weights[axis.rank] * total[x + axis.stride];
            }
            total[x] = sum;
        }
        total
    }

    /// Marginal probabilities of the core's pieces, and the logarithm of all its assignments' weight.
    pub(super) fn marginals(&self, core: &Core) -> (Vec<ByRank<f64>>, f64) {
        let total = self.completions(core);
        let n = core.weights.len();
        let mut out = vec![ByRank::filled(0.0); n];
        let mut ways = vec![0.0; self.size];
        ways[0] = 1.0 / total[0];
        let mut at = Cursor::default();
        for x in 0..self.size {
            if x > 0 {
                at.step(self);
                let weights = &core.weights[at.level - 1];
                let mut sum = 0.0;
                for axis in at.nonzero(self) {
                    let before = ways[x - axis.stride];
                    let flow = weights[axis.rank] * before;
                    out[at.level - 1][axis.rank] += flow * total[x];
                    sum += flow;
                }
                ways[x] = sum;
            }
        }
        (out, total[0].ln())
    }

    /// Draws a rank for every free piece of the core, given [`Self::completions`];
    /// `world` holds all pieces.
    pub(super) fn draw(&self, core: &Core, total: &[f64], mut unit: impl FnMut() -> f64, world: &mut [Rank]) {
        let mut x = 0;
        let mut left = core.counts;
        for (weights, &piece) in core.weights.iter().zip(&core.free) {
            let mut rest = unit() * total[x];
            let mut pick = None;
            for axis in self.axes.iter().filter(|a| left[a.rank] > 0) {
                let part = weights[axis.rank] * total[x + axis.stride];
                // The last rank with any weight also takes what rounding left over.
                if part > 0.0 {
                    pick = Some(axis);
                    rest -= part;
                    if rest < 0.0 {
                        break;
                    }
                }
            }
            let Some(axis) = pick else { return };
            left[axis.rank] -= 1;
            x += axis.stride;
            world[piece] = axis.rank;
        }
    }
}

/// The digits of a state that is counted upwards from zero.
#[derive(Default)]
struct Cursor {
    digits: [u8; Rank::COUNT],
    nonzero: u16,
    level: usize,
}

impl Cursor {
    /// Counts one up.
    fn step(&mut self, dp: &ExactDp) {
        for (k, axis) in dp.axes.iter().enumerate() {
            let digit = &mut self.digits[k];
            if *digit < axis.count {
                *digit += 1;
                self.nonzero |= 1 << k;
                self.level += 1;
                return;
            }
            self.level -= usize::from(*digit);
            *digit = 0;
            self.nonzero &= !(1 << k);
        }
    }

    /// Axes of the nonzero digits.
    fn nonzero<'a>(&self, dp: &'a ExactDp) -> impl Iterator<Item = &'a Axis> + use<'a> {
        let mut left = self.nonzero;
        std::iter::from_fn(move || {
            let axis = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            dp.axes.get(axis)
        })
    }
}
