//! What a belief weighs, one likelihood after another, and what each of them is worth to a piece.

use super::{ArmyModel, Belief, RankProbabilities, assignment};
use crate::math;
use crate::rules::{ByRank, PieceId};
use std::fmt;

/// Something that favours some ranks of a piece over others. Facts and the army's counts are no likelihoods: they
/// hold.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Likelihood {
    /// Where the piece stood when the game began.
    Place,
    /// When it first moved, or that it has not.
    FirstMove,
    /// What its public history tells, by a learned model.
    History,
    /// That it came back by a rescue.
    Rescue,
    /// What is known of the pieces that began elsewhere, those beside it above all.
    Neighbours,
    /// Whom it has just come beside.
    Contact,
    /// What it has been seen to do.
    OpponentTypes,
    /// What its moves were good for.
    MoveEvidence,
}

impl Likelihood {
    /// Every likelihood, in the order in which they weigh in: later ones may look at what earlier ones made of the
    /// weights.
    pub const ALL: [Likelihood; 8] = [
        Likelihood::Place,
        Likelihood::FirstMove,
        Likelihood::History,
        Likelihood::Rescue,
        Likelihood::Neighbours,
        Likelihood::Contact,
        Likelihood::OpponentTypes,
        Likelihood::MoveEvidence,
    ];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Likelihood::Place => "place",
            Likelihood::FirstMove => "firstmove",
            Likelihood::History => "history",
            Likelihood::Rescue => "rescue",
            Likelihood::Neighbours => "neighbours",
            Likelihood::Contact => "contact",
            Likelihood::OpponentTypes => "types",
            Likelihood::MoveEvidence => "moves",
        }
    }

    /// Its place in [`Likelihood::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The likelihood of that name.
    pub fn from_name(name: &str) -> Option<Likelihood> {
        Likelihood::ALL.into_iter().find(|likelihood| likelihood.name() == name)
    }
}

impl fmt::Display for Likelihood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ArmyModel {
    /// Lets a likelihood change the weights of the pieces, which come in the belief's order.
    pub(super) fn weigh(&mut self, likelihood: Likelihood, change: impl FnOnce(&mut ArmyModel)) {
        self.before.push((likelihood, self.weights.clone()));
        change(self);
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
    fn likelihoods(&self) -> impl Iterator<Item = (Likelihood, &[ByRank<f32>], &[ByRank<f32>])> {
        let later = self.before.iter().skip(1).map(|(_, weights)| weights).chain([&self.weights]);
        self.before
            .iter()
            .zip(later)
            .map(|((likelihood, before), after)| (*likelihood, &before[..], &after[..]))
    }

    /// Probabilities of the pieces were these their weights; none if no army fits.
    fn weighed(&self, weights: &[ByRank<f32>]) -> Vec<RankProbabilities> {
        let mut probabilities = Vec::new();
        assignment::marginals(&assignment::Problem { weights, ..self.problem() }, &mut probabilities);
        probabilities
    }
}

impl Belief {
    /// By how much each likelihood multiplied the weights of a piece's ranks, in the order in which they weighed in.
    /// Only proportions between ranks count. Empty for a piece that the belief does not know.
    pub fn explanation(&self, id: PieceId) -> Vec<(Likelihood, ByRank<f32>)> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let ratio = |before: &ByRank<f32>, after: &ByRank<f32>| {
            ByRank::from_fn(|rank| if before[rank] > 0.0 { after[rank] / before[rank] } else { 1.0 })
        };
        let likelihoods = self.army.likelihoods();
        likelihoods
            .map(|(likelihood, before, after)| (likelihood, ratio(&before[index], &after[index])))
            .collect()
    }

    /// The rank probabilities of a piece by facts and the army's counts alone (no likelihood), then after each further
    /// likelihood has weighed in on all pieces; the last is what is believed. Empty for a piece that the belief does
    /// not know, or where no army fits what has been told. Takes as long as so many beliefs.
    pub fn stages(&self, id: PieceId) -> Vec<(Option<Likelihood>, RankProbabilities)> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let mut likelihood = None;
        let mut stages = Vec::new();
        for (next, weights) in &self.army.before {
            let Some(probabilities) = self.army.weighed(weights).get(index).copied() else {
                return Vec::new();
            };
            stages.push((likelihood, probabilities));
            likelihood = Some(*next);
        }
        stages.push((likelihood, self.pieces[index].1));
        stages
    }

    fn index(&self, id: PieceId) -> Option<usize> {
        self.pieces.iter().position(|(other, _)| *other == id)
    }
}

/// Multiplies every rank's weight by what the likelihood says of it.
pub(super) fn multiply(weights: &mut ByRank<f32>, by: &ByRank<f32>) {
    for (weight, by) in weights.values_mut().zip(by.values()) {
        *weight *= by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::event::Event;
    use crate::rules::{Played, Rank, Side};
    use crate::view::View;

    /// Blue's b7 walks out.
    fn after_a_move() -> (View, PieceId) {
        let mut view = opening();
        for text in ["a4a5", "b7b6"] {
            let played: Played = text.parse().unwrap();
            view.observe(&Event::Played(played)).unwrap();
        }
        (view, PieceId::new(Side::Blue, 38))
    }

    #[test]
    fn reasons_multiply_to_the_weights() {
        let (view, _) = after_a_move();
        let belief = Belief::of_enemies(&view);
        for (index, (id, _)) in belief.pieces().iter().enumerate() {
            let mut product = ByRank::filled(1.0);
            let explanation = belief.explanation(*id);
            assert_eq!(
                explanation.iter().map(|(likelihood, _)| *likelihood).collect::<Vec<_>>(),
                Likelihood::ALL
            );
            for (_, by) in &explanation {
                multiply(&mut product, by);
            }
            for (weight, product) in belief.army.weights[index].values().zip(product.values()) {
                assert!((weight / product - 1.0).abs() < 1e-4, "{weight} {product}");
            }
        }
    }

    #[test]
    fn stages_lead_from_counts_to_what_is_believed() {
        let (view, moved) = after_a_move();
        let belief = Belief::of_enemies(&view);
        let stages = belief.stages(moved);
        let likelihoods: Vec<_> = stages.iter().map(|(likelihood, _)| *likelihood).collect();
        assert_eq!(likelihoods[0], None);
        assert_eq!(likelihoods[1..], Likelihood::ALL.map(Some));
        // As much is believed with the likelihoods up to here and no other.
        for (count, (_, probabilities)) in stages.iter().enumerate() {
            let so_far = Belief::of_enemies_weighing(&view, &Likelihood::ALL[..count]);
            let so_far = so_far.probabilities(moved).unwrap().map(f32::to_bits);
            assert_eq!(probabilities.map(f32::to_bits), so_far, "{count}");
        }
        // It moved in its side's first turn: scouts do.
        let scout = |stage: usize| stages[stage].1[Rank::Scout];
        assert!(scout(3) > scout(2));
    }

    #[test]
    fn a_stranger_has_no_reasons() {
        let belief = Belief::of_enemies(&opening());
        let stranger = PieceId::new(Side::Red, 0);
        assert!(belief.explanation(stranger).is_empty() && belief.stages(stranger).is_empty());
    }
}
