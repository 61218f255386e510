//! The joint model of an army's ranks: facts, counts, and weights by piece and rank; and the rank probabilities that follow.
//!
//! Under `silent rescue` it may be open how an army came to be. Where it was not shown whom a rescue brought back, that may
//! be any of several dead, and what lies in their graves follows from which of them it is. So pieces are tied to each other
//! by more than facts and counts: the army is a mixture of armies, one for each way in which the rescue may have come about.

use super::assignment;
use super::assignment::{Problem, marginals, weighed_marginals};
use super::likelihood::Likelihood;
use crate::math;
use crate::rules::{ByRank, Piece, PieceId, Rank, RankSet, Ruleset, WayOfRescue};
use crate::view::{HiddenArmy, View};

/// The probabilities of one piece's ranks; they sum to one.
pub type RankProbabilities = ByRank<f32>;

/// Every rank of a set alike.
pub(super) fn uniform(ranks: RankSet) -> RankProbabilities {
    let share = 1.0 / ranks.len().max(1) as f32;
    ByRank::from_fn(|rank| if ranks.contains(rank) { share } else { 0.0 })
}

/// Probabilities in parts per million that sum to exactly 1,000,000; a possible rank is never 0.
pub fn parts_per_million(probabilities: &RankProbabilities) -> ByRank<u32> {
    let mut parts = probabilities.map(|chance| if chance > 0.0 { ((chance * 1e6) as u32).max(1) } else { 0 });
    let likeliest = Rank::ALL.into_iter().max_by_key(|&rank| parts[rank]).unwrap_or(Rank::Flag);
    let others: u32 = Rank::ALL.into_iter().filter(|&rank| rank != likeliest).map(|rank| parts[rank]).sum();
    parts[likeliest] = 1_000_000u32.saturating_sub(others);
    parts
}

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
    /// How it may have come to be what it is.
    pub(super) hypotheses: Hypotheses,
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
        ArmyModel {
            allowed,
            weights,
            counts: *army.counts(),
            before: Vec::new(),
            hypotheses: Hypotheses::default(),
        }
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
        debug_assert_eq!(*last, likelihood, "only the last likelihood can be taken apart");
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

/// How an army may have come to be what it is: one of these holds. Empty if there is but one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Hypotheses(Vec<Hypothesis>);

/// One of several hypotheses.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Hypothesis {
    /// How many equal ones it stands for.
    count: u32,
    /// The ranks left to some pieces, by index.
    ranks: Vec<(usize, RankSet)>,
}

impl Hypotheses {
    /// The ways in which the latest rescue of the side of `pieces` may have come about, by what the other side knows.
    pub(super) fn of_rescue(pieces: &HiddenArmy, view: &View) -> Hypotheses {
        let Some(side) = pieces.side() else { return Hypotheses::default() };
        let indexed = |WayOfRescue { graves, ranks }| {
            let ranks = ranks.into_iter().filter_map(|(id, ranks)| Some((pieces.index(id)?, ranks)));
            Hypothesis { count: graves, ranks: ranks.collect() }
        };
        let ways = view.position().ways_of_rescue(side, view.viewer());
        Hypotheses(ways.into_iter().map(indexed).collect())
    }

    /// Whether there is but one.
    pub(super) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left of these sets by each of several ways, with how many it stands for; none if there is but one.
    pub(super) fn narrowed(&self, allowed: &[RankSet]) -> impl Iterator<Item = (u32, Vec<RankSet>)> {
        self.0.iter().map(|Hypothesis { count, ranks }| {
            let mut allowed = allowed.to_vec();
            for &(index, ranks) in ranks {
                allowed[index] = allowed[index].and(ranks);
            }
            (*count, allowed)
        })
    }

    /// In how many ways pieces with these ranks, by index, may have come to be.
    #[cfg(test)]
    pub(super) fn count(&self, ranks: &[crate::rules::Rank]) -> u32 {
        if self.is_one() {
            return 1;
        }
        let fits = |one: &&Hypothesis| one.ranks.iter().all(|&(index, set)| set.contains(ranks[index]));
        self.0.iter().filter(fits).map(|one| one.count).sum()
    }
}

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
        if !self.hypotheses.is_one() {
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
        ArmyModel {
            allowed,
            weights,
            counts: self.counts,
            before: Vec::new(),
            hypotheses: Hypotheses::default(),
        }
    }

    /// The army with these weights by each of several ways, with how many it stands for; none if there is but one.
    pub(super) fn by_way(&self, weights: &[ByRank<f32>]) -> impl Iterator<Item = (u32, ArmyModel)> {
        let armies = self.hypotheses.narrowed(&self.allowed);
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
