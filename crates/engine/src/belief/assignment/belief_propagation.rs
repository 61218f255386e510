//! Loopy belief propagation between pieces and rank counts.
//!
//! One factor per rank demands that exactly `count` of the pieces have it. Its message
//! to a piece compares the elementary symmetric polynomials of the other pieces' odds,
//! `e[count - 1] / e[count]`, and is exact given those odds. What is lost are the
//! correlations between factors, of order one over the squared number of pieces.

use super::core::Core;
use crate::rules::{ByRank, Rank};

/// Sweeps stop when no belief moved by more than this. A sweep takes away about nine
/// tenths of what is left, so that less than the method's own error remains.
const TOLERANCE: f64 = 1e-3;

/// Most sweeps; four or five are usual.
const SWEEPS: usize = 60;

/// From this sweep on messages move half way only, lest they oscillate.
const DAMPED: usize = 20;

/// Least share of a piece's weight that its other ranks are taken to have.
const SLIVER: f64 = 1e-12;

/// Messages between the pieces and the rank counts of one problem.
pub(super) struct BeliefPropagation<'a> {
    core: &'a Core,
    /// Per piece and rank the weight times the rank's message: an unscaled belief.
    scores: Vec<ByRank<f64>>,
    /// Per piece the sum of its scores.
    totals: Vec<f64>,
    /// Pieces that may have the current rank, with their scaled odds for it.
    odds: Vec<(usize, f64)>,
    /// Symmetric polynomials of all prefixes of `odds`, one row each.
    prefix: Vec<f64>,
    /// Symmetric polynomials of the suffix of `odds` behind the current piece.
    suffix: Vec<f64>,
}

impl<'a> BeliefPropagation<'a> {
    /// Starts with every rank's count for its messages.
    pub(super) fn new(core: &'a Core) -> Self {
        let start = core.counts.map(f64::from);
        let mut scores = core.weights.clone();
        for row in &mut scores {
            for (score, m) in row.values_mut().zip(start.values()) {
                *score *= m;
            }
        }
        Self {
            core,
            totals: scores.iter().map(|row| row.values().sum()).collect(),
            odds: Vec::with_capacity(scores.len()),
            scores,
            prefix: Vec::new(),
            suffix: Vec::new(),
        }
    }

    /// Sweeps over the ranks until the beliefs stand still.
    pub(super) fn settle(&mut self) {
        for sweep in 0..SWEEPS {
            let damped = sweep >= DAMPED;
            let mut change: f64 = 0.0;
            for rank in Rank::ALL {
                if self.core.counts[rank] > 0 {
                    change = change.max(self.update(rank, damped));
                }
            }
            // Running totals collect rounding errors; start each sweep afresh.
            for (total, row) in self.totals.iter_mut().zip(&self.scores) {
                *total = row.values().sum();
            }
            if change < TOLERANCE {
                break;
            }
        }
    }

    /// Beliefs by piece: each row sums to one.
    pub(super) fn beliefs(&self) -> Vec<ByRank<f64>> {
        let scaled = |(row, &total): (&ByRank<f64>, &f64)| row.map(|s| s / total);
        self.scores.iter().zip(&self.totals).map(scaled).collect()
    }

    /// Logarithm of all assignments' weight, by Bethe's approximation: what each piece and each count says of it, less
    /// what both say.
    pub(super) fn log_weight(&mut self) -> f64 {
        let mut log: f64 = self.totals.iter().map(|total| total.ln()).sum();
        for rank in Rank::ALL.into_iter().filter(|&rank| self.core.counts[rank] > 0) {
            let count = usize::from(self.core.counts[rank]);
            let scale = self.gather(rank);
            self.expand(count + 1);
            let met = self.prefix.last().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
            log += met.ln() + count as f64 * scale.ln();
            for &(piece, _) in &self.odds {
                log -= (self.totals[piece] / self.others(piece, rank)).ln();
            }
        }
        log
    }

    /// Renews the messages of `rank` and returns the largest change of a belief.
    fn update(&mut self, rank: Rank, damped: bool) -> f64 {
        let count = usize::from(self.core.counts[rank]);
        let scale = self.gather(rank);
        self.expand(count + 1);
        self.suffix.clear();
        self.suffix.resize(count + 1, 0.0);
        self.suffix[0] = 1.0;
        let mut change: f64 = 0.0;
        for k in (0..self.odds.len()).rev() {
            let (piece, odds) = self.odds[k];
            let message = self.message(k, count) / scale;
            change = change.max(self.store(piece, rank, message, damped));
            extend(&mut self.suffix, odds);
        }
        change
    }

    /// Collects the odds of the pieces for `rank`, scaled to at most one; the scale.
    fn gather(&mut self, rank: Rank) -> f64 {
        self.odds.clear();
        let mut top = f64::MIN_POSITIVE;
        for (i, weights) in self.core.weights.iter().enumerate() {
            if weights[rank] > 0.0 {
                let odds = weights[rank] / self.others(i, rank);
                top = top.max(odds);
                self.odds.push((i, odds));
            }
        }
        for (_, odds) in &mut self.odds {
            *odds /= top;
        }
        top
    }

    /// What piece `i` scores on all ranks but `rank`.
    fn others(&self, i: usize, rank: Rank) -> f64 {
        let total = self.totals[i];
        (total - self.scores[i][rank]).max(total * SLIVER)
    }

    /// Symmetric polynomials below degree `width` of every prefix of the odds.
    fn expand(&mut self, width: usize) {
        self.prefix.clear();
        self.prefix.resize((self.odds.len() + 1) * width, 0.0);
        self.prefix[0] = 1.0;
        let mut rows = self.prefix.chunks_exact_mut(width);
        let Some(mut before) = rows.next() else {
            return;
        };
        for (row, &(_, odds)) in rows.zip(&self.odds) {
            row.copy_from_slice(before);
            extend(row, odds);
            before = row;
        }
    }

    /// The rank's message to its `k`-th piece: how much likelier its count is met
    /// by the others if this piece has the rank than if it has not.
    fn message(&self, k: usize, count: usize) -> f64 {
        let prefix = &self.prefix[k * (count + 1)..][..=count];
        let suffix = self.suffix[..count].iter().rev();
        let mut with = 0.0;
        let mut without = prefix[0] * self.suffix[count];
        for ((p, next), s) in prefix.iter().zip(&prefix[1..]).zip(suffix) {
            with += p * s;
            without += next * s;
        }
        with / without.max(f64::MIN_POSITIVE)
    }

    /// Stores a message, or if it is damped the geometric mean of the old one and it, and returns how far the piece's
    /// belief moved.
    fn store(&mut self, piece: usize, rank: Rank, message: f64, damped: bool) -> f64 {
        let old = self.scores[piece][rank];
        let others = self.others(piece, rank);
        let full = (self.core.weights[piece][rank] * message).clamp(1e-200, 1e200);
        let new = if damped { old.sqrt() * full.sqrt() } else { full };
        let before = old / self.totals[piece];
        self.scores[piece][rank] = new;
        self.totals[piece] = others + new;
        (new / (others + new) - before).abs()
    }
}

/// Multiplies a polynomial, cut at its length, by `1 + odds * x`.
fn extend(poly: &mut [f64], odds: f64) {
    for j in (1..poly.len()).rev() {
        poly[j] += odds * poly[j - 1];
    }
}
