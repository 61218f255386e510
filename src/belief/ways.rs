//! An army of which it is open how it came to be: whom a rescue brought back.
//!
//! Where it was not shown, the piece that came back may be any of several dead, and what lies in their graves follows from
//! which of them it is. So pieces are tied to each other by more than facts and counts: the army is a mixture of armies,
//! one for each way in which the rescue may have come about.

use super::army_model::ArmyModel;
use super::assignment::{Problem, marginals, weighed_marginals};
use super::rank_probabilities::RankProbabilities;
use crate::rules::{ByRank, PieceId, RankSet};
use crate::view::{HiddenArmy, View};

/// The ways in which an army may have come to be what it is, one of which holds: in each the ranks left to some pieces,
/// by index. Empty if there is but one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Ways(Vec<Vec<(usize, RankSet)>>);

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

impl Ways {
    /// The ways in which the latest rescue of the side of `pieces` may have come about, by what the other side knows.
    pub(super) fn of_rescue(pieces: &HiddenArmy, view: &View) -> Ways {
        let Some(side) = pieces.side() else { return Ways::default() };
        let indexed = |way: Vec<(PieceId, RankSet)>| {
            way.into_iter().filter_map(|(id, ranks)| pieces.index(id).map(|index| (index, ranks))).collect()
        };
        let ways = view.position().ways_of_rescue(side, view.viewer());
        Ways(ways.into_iter().map(indexed).collect())
    }

    /// Whether there is but one.
    pub(super) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether pieces with these ranks, by index, came to be in one of the ways.
    #[cfg(test)]
    pub(super) fn allow(&self, ranks: &[crate::rules::Rank]) -> bool {
        let fits = |way: &Vec<(usize, RankSet)>| way.iter().all(|&(index, set)| set.contains(ranks[index]));
        self.0.is_empty() || self.0.iter().any(fits)
    }
}

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

    /// The same, as `solve` finds them.
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

    /// The same army with these weights, where nothing but facts and counts ties pieces together.
    pub(super) fn plain(&self, weights: &[ByRank<f32>]) -> ArmyModel {
        let (allowed, weights) = (self.allowed.clone(), weights.to_vec());
        ArmyModel { allowed, weights, counts: self.counts, before: Vec::new(), ways: Ways::default() }
    }

    /// The same army with these weights by each of several ways; none if there is but one.
    pub(super) fn by_way(&self, weights: &[ByRank<f32>]) -> impl Iterator<Item = ArmyModel> {
        self.ways.0.iter().map(|way| {
            let mut army = self.plain(weights);
            for &(index, ranks) in way {
                army.allowed[index] = army.allowed[index].and(ranks);
            }
            army
        })
    }

    fn split(&self, weights: &[ByRank<f32>], solve: Solve) -> Vec<Part> {
        let mut parts: Vec<Part> = self.by_way(weights).filter_map(|army| army.solved(solve)).collect();
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
