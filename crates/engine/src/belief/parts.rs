//! The armies of which an army is a mixture where several ways led to it, each with its share.

use super::army_model::ArmyModel;
use super::assignment::{Problem, marginals, weighed_marginals};
use super::rank_probabilities::RankProbabilities;
use super::ways::Ways;
use crate::rules::ByRank;

/// An army by one of the ways in which it may have come to be.
pub(super) struct Part {
    /// How likely that way is.
    pub(super) share: f64,
    /// The army then: there is but one way left.
    pub(super) army: ArmyModel,
    /// The rank probabilities then, phantoms included.
    pub(super) probabilities: Vec<RankProbabilities>,
}

/// Fills in the rank probabilities of a problem and gives the logarithm of all its assignments' weight; `None` if it
/// has none.
type Solve = fn(&Problem<'_>, &mut Vec<RankProbabilities>) -> Option<f64>;

/// Least share of a way that is possible: what is possible never becomes impossible.
const LEAST: f64 = 1e-30;

impl ArmyModel {
    /// Probabilities of the pieces and phantoms were these their weights; none if no army fits.
    pub(super) fn weighed(&self, weights: &[ByRank<f32>]) -> Vec<RankProbabilities> {
        if !self.ways.is_one() {
            return self.weighed_by(weights, weighed_marginals);
        }
        let mut probabilities = Vec::new();
        marginals(&Problem { weights, ..self.problem() }, &mut probabilities);
        probabilities
    }

    /// The rank probabilities with these weights, as `solve` finds them.
    pub(super) fn weighed_by(&self, weights: &[ByRank<f32>], solve: Solve) -> Vec<RankProbabilities> {
        let parts = self.split(weights, solve);
        let mixed = |index: usize| {
            ByRank::from_fn(|rank| {
                let of = |part: &Part| part.share * f64::from(part.probabilities[index][rank]);
                let possible = parts.iter().any(|part| part.probabilities[index][rank] > 0.0);
                let least = if possible { f32::MIN_POSITIVE } else { 0.0 };
                (parts.iter().map(of).sum::<f64>() as f32).max(least)
            })
        };
        if parts.is_empty() { Vec::new() } else { (0..self.allowed.len()).map(mixed).collect() }
    }

    /// The army by each way in which it may have come to be; none if no army fits.
    pub(super) fn parts(&self) -> Vec<Part> {
        self.split(&self.weights, weighed_marginals)
    }

    /// The army with these weights, where nothing but facts and counts ties pieces together.
    pub(super) fn plain(&self, weights: &[ByRank<f32>]) -> ArmyModel {
        let (allowed, weights) = (self.allowed.clone(), weights.to_vec());
        ArmyModel { allowed, weights, counts: self.counts, before: Vec::new(), ways: Ways::default() }
    }

    /// The army with these weights by each of several ways, with how many it stands for; none if there is but one.
    pub(super) fn by_way(&self, weights: &[ByRank<f32>]) -> impl Iterator<Item = (u32, ArmyModel)> {
        let armies = self.ways.narrowed(&self.allowed);
        armies.map(|(count, allowed)| (count, ArmyModel { allowed, ..self.plain(weights) }))
    }

    fn split(&self, weights: &[ByRank<f32>], solve: Solve) -> Vec<Part> {
        let part = |(count, army): (u32, ArmyModel)| {
            let part = army.solved(solve)?;
            Some(Part { share: part.share + f64::from(count).ln(), ..part })
        };
        let mut parts: Vec<Part> = self.by_way(weights).filter_map(part).collect();
        if parts.is_empty() {
            // There is but one way, or what a host tells contradicts all.
            parts.extend(self.plain(weights).solved(solve));
        }
        let best = parts.iter().map(|part| part.share).fold(f64::MIN, f64::max);
        for part in &mut parts {
            part.share = (part.share - best).exp().max(LEAST);
        }
        let sum: f64 = parts.iter().map(|part| part.share).sum();
        for part in &mut parts {
            part.share /= sum;
        }
        parts
    }

    /// This army with the logarithm of its weight for its share; `None` if no army fits.
    fn solved(self, solve: Solve) -> Option<Part> {
        let mut probabilities = Vec::new();
        let share = solve(&self.problem(), &mut probabilities)?;
        Some(Part { share, army: self, probabilities })
    }
}
