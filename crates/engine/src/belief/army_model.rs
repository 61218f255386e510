//! The joint model of an army's ranks: facts, counts, and weights by piece and rank.

use super::assignment;
use super::likelihood::Likelihood;
use super::ways::Ways;
use crate::math;
use crate::rules::{ByRank, Piece, PieceId, Rank, RankSet, Ruleset};
use crate::view::HiddenArmy;

/// The weights of an army's pieces, in the army's order, then of its phantoms.
pub(super) type Weights = [ByRank<f32>];

/// The joint model of an army's ranks: its pieces, then one phantom for each piece that a study position leaves out.
#[derive(Clone, Debug)]
pub(super) struct ArmyModel {
    pub(super) allowed: Vec<RankSet>,
    pub(super) weights: Vec<ByRank<f32>>,
    pub(super) counts: ByRank<u8>,
    /// The likelihoods that have weighed in, in order, and the weights before each.
    pub(super) before: Vec<(Likelihood, Vec<ByRank<f32>>)>,
    /// The ways in which it may have come to be what it is.
    pub(super) ways: Ways,
}

impl ArmyModel {
    /// Facts and counts, and these weights.
    pub(super) fn new(
        pieces: &HiddenArmy,
        rules: &Ruleset,
        weigh: impl Fn(PieceId, &Piece) -> ByRank<f32>,
    ) -> ArmyModel {
        let army = rules.army();
        let mut allowed: Vec<RankSet> = pieces.iter().map(|(_, piece)| piece.ranks).collect();
        let mut weights: Vec<ByRank<f32>> = pieces.iter().map(|(id, piece)| weigh(*id, piece)).collect();
        // While a game goes on the flag stands: no piece that is missing or dead is one.
        let flag = RankSet::only(Rank::Flag);
        let flag_stands = pieces.iter().any(|(_, piece)| piece.is_alive() && piece.ranks.meets(flag));
        if flag_stands {
            for ((_, piece), allowed) in pieces.iter().zip(&mut allowed) {
                if !piece.is_alive() && piece.ranks != flag {
                    *allowed = allowed.without(flag);
                }
            }
        }
        let phantom = if flag_stands { RankSet::ALL.without(flag) } else { RankSet::ALL };
        allowed.resize(army.size().max(allowed.len()), phantom);
        weights.resize(allowed.len(), ByRank::filled(1.0));
        ArmyModel { allowed, weights, counts: *army.counts(), before: Vec::new(), ways: Ways::default() }
    }

    /// For rank assignment.
    pub(super) fn problem(&self) -> assignment::Problem<'_> {
        assignment::Problem { allowed: &self.allowed, weights: &self.weights, counts: self.counts }
    }

    /// Lets a likelihood change the weights.
    pub(super) fn weigh(&mut self, likelihood: Likelihood, change: impl FnOnce(&mut Weights)) {
        self.before.push((likelihood, self.weights.clone()));
        change(&mut self.weights);
    }

    /// Raises what the likelihood that weighed in last has said to a power. 1 leaves it as it is.
    pub(super) fn sharpen(&mut self, likelihood: Likelihood, power: f32) {
        let Some((last, before)) = self.before.last().filter(|_| (power - 1.0).abs() > f32::EPSILON) else {
            return;
        };
        debug_assert_eq!(*last, likelihood, "only the last likelihood can be told apart");
        for (weights, before) in self.weights.iter_mut().zip(before) {
            for (weight, before) in
                weights.values_mut().zip(before.values()).filter(|(_, before)| **before > 0.0)
            {
                *weight = before * math::pow(*weight / before, power);
            }
        }
    }

    /// Each likelihood with the weights before and after it.
    pub(super) fn likelihoods(&self) -> impl Iterator<Item = (Likelihood, &[ByRank<f32>], &[ByRank<f32>])> {
        let later = self.before.iter().skip(1).map(|(_, weights)| weights).chain([&self.weights]);
        self.before
            .iter()
            .zip(later)
            .map(|((likelihood, before), after)| (*likelihood, &before[..], &after[..]))
    }
}

/// Multiplies every rank's weight by what the likelihood says of it.
pub(super) fn multiply(weights: &mut ByRank<f32>, by: &ByRank<f32>) {
    for (weight, by) in weights.values_mut().zip(by.values()) {
        *weight *= by;
    }
}
