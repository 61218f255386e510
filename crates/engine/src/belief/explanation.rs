//! What each likelihood does to what is believed of a piece.

use super::army_model::RankProbabilities;
use super::likelihood::Likelihood;
use super::posterior::Belief;
use crate::rules::{ByRank, PieceId};

/// What one likelihood did to a piece.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Weighing {
    /// The likelihood.
    pub likelihood: Likelihood,
    /// What it multiplied the weight of each rank by; only proportions between ranks count.
    pub factors: ByRank<f32>,
}

/// What was believed of a piece at one point on the way from counts to the belief.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Stage {
    /// The likelihood that weighed in last, on all pieces; `None` by facts and counts alone.
    pub after: Option<Likelihood>,
    /// The rank probabilities then.
    pub probabilities: RankProbabilities,
}

impl Belief {
    /// By how much each likelihood multiplied the weights of a piece's ranks, in the order in which they weighed in.
    /// Empty for a piece that the belief does not know.
    pub fn explanation(&self, id: PieceId) -> Vec<Weighing> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let ratio = |before: &ByRank<f32>, after: &ByRank<f32>| {
            ByRank::from_fn(|rank| if before[rank] > 0.0 { after[rank] / before[rank] } else { 1.0 })
        };
        let likelihoods = self.army.likelihoods();
        likelihoods
            .map(|(likelihood, before, after)| Weighing {
                likelihood,
                factors: ratio(&before[index], &after[index]),
            })
            .collect()
    }

    /// The rank probabilities of a piece by facts and the army's counts alone (no likelihood), then after each further
    /// likelihood has weighed in on all pieces; the last is what is believed. Empty for a piece that the belief does
    /// not know, or where no army fits what is known. Takes as long as so many beliefs.
    pub fn stages(&self, id: PieceId) -> Vec<Stage> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let mut after = None;
        let mut stages: Vec<Stage> = Vec::new();
        let mut last: Option<&Vec<ByRank<f32>>> = None;
        for (next, weights) in &self.army.before {
            // Many a likelihood has nothing to say.
            let same = stages.last().filter(|_| last == Some(weights)).map(|stage| stage.probabilities);
            let Some(probabilities) = same.or_else(|| self.army.weighed(weights).get(index).copied()) else {
                return Vec::new();
            };
            stages.push(Stage { after, probabilities });
            (after, last) = (Some(*next), Some(weights));
        }
        stages.push(Stage { after, probabilities: self.pieces[index].1 });
        stages
    }

    fn index(&self, id: PieceId) -> Option<usize> {
        self.pieces.iter().position(|(other, _)| *other == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::army_model::multiply;
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
                explanation.iter().map(|weighing| weighing.likelihood).collect::<Vec<_>>(),
                Likelihood::ALL
            );
            for weighing in &explanation {
                multiply(&mut product, &weighing.factors);
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
        let likelihoods: Vec<_> = stages.iter().map(|stage| stage.after).collect();
        assert_eq!(likelihoods[0], None);
        assert_eq!(likelihoods[1..], Likelihood::ALL.map(Some));
        // As much is believed with the likelihoods up to here and no other.
        for (count, Stage { probabilities, .. }) in stages.iter().enumerate() {
            let so_far = Belief::of_enemies_weighing(&view, &Likelihood::ALL[..count]);
            let so_far = so_far.probabilities(moved).unwrap().map(f32::to_bits);
            assert_eq!(probabilities.map(f32::to_bits), so_far, "{count}");
        }
        // It moved in its side's first turn: scouts do.
        let scout = |stage: usize| stages[stage].probabilities[Rank::Scout];
        assert!(scout(3) > scout(2));
    }

    #[test]
    fn a_stranger_has_no_reasons() {
        let belief = Belief::of_enemies(&opening());
        let stranger = PieceId::new(Side::Red, 0);
        assert!(belief.explanation(stranger).is_empty() && belief.stages(stranger).is_empty());
    }
}
