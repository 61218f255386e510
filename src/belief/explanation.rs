//! What a belief weighs, one factor after another, and what each of them is worth to a piece.

use super::{Belief, Chances, Joint, assignment};
use crate::math;
use crate::rules::{PieceId, Rank};

/// Something that favours some ranks of a piece over others. Facts and the army's counts are no factors: they hold.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Factor {
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

impl Factor {
    /// Every factor, in the order in which they weigh in: later ones may look at what earlier ones made of the weights.
    pub const ALL: [Factor; 8] = [
        Factor::Place,
        Factor::FirstMove,
        Factor::History,
        Factor::Rescue,
        Factor::Neighbours,
        Factor::Contact,
        Factor::OpponentTypes,
        Factor::MoveEvidence,
    ];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Factor::Place => "place",
            Factor::FirstMove => "firstmove",
            Factor::History => "history",
            Factor::Rescue => "rescue",
            Factor::Neighbours => "neighbours",
            Factor::Contact => "contact",
            Factor::OpponentTypes => "types",
            Factor::MoveEvidence => "moves",
        }
    }

    /// The factor of that name.
    pub fn from_name(name: &str) -> Option<Factor> {
        Factor::ALL.into_iter().find(|factor| factor.name() == name)
    }
}

impl Joint {
    /// Lets a factor change the weights of the pieces, which come in the belief's order.
    pub(super) fn weigh(&mut self, factor: Factor, change: impl FnOnce(&mut Joint)) {
        self.before.push((factor, self.weights.clone()));
        change(self);
    }

    /// Raises what the factor that weighed in last has said to a power. 1 leaves it as it is.
    pub(super) fn sharpen(&mut self, factor: Factor, power: f32) {
        let Some((last, before)) = self.before.last().filter(|_| (power - 1.0).abs() > f32::EPSILON) else {
            return;
        };
        debug_assert_eq!(*last, factor, "only the last factor can be told apart");
        for (weights, before) in self.weights.iter_mut().zip(before) {
            for (weight, before) in weights.iter_mut().zip(before).filter(|(_, before)| **before > 0.0) {
                *weight = before * math::pow(*weight / before, power);
            }
        }
    }

    /// Each factor with the weights before and after it.
    fn factors(&self) -> impl Iterator<Item = (Factor, &[Chances], &[Chances])> {
        let later = self.before.iter().skip(1).map(|(_, weights)| weights).chain([&self.weights]);
        self.before.iter().zip(later).map(|((factor, before), after)| (*factor, &before[..], &after[..]))
    }

    /// Chances of the pieces were these their weights; none if no army fits.
    fn weighed(&self, weights: &[Chances]) -> Vec<Chances> {
        let mut chances = Vec::new();
        assignment::marginals(&assignment::Problem { weights, ..self.problem() }, &mut chances);
        chances
    }
}

impl Belief {
    /// By how much each factor multiplied the weights of a piece's ranks, in the order in which they weighed in. Only
    /// proportions between ranks count. Empty for a piece that the belief does not know.
    pub fn reasons(&self, id: PieceId) -> Vec<(Factor, Chances)> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let ratio = |before: &Chances, after: &Chances| -> Chances {
            std::array::from_fn(|rank| if before[rank] > 0.0 { after[rank] / before[rank] } else { 1.0 })
        };
        let factors = self.army.factors();
        factors.map(|(factor, before, after)| (factor, ratio(&before[index], &after[index]))).collect()
    }

    /// The chances of a piece by facts and the army's counts alone (no factor), then after each further factor has
    /// weighed in on all pieces; the last is what is believed. Empty for a piece that the belief does not know, or where
    /// no army fits what has been told. Takes as long as so many beliefs.
    pub fn stages(&self, id: PieceId) -> Vec<(Option<Factor>, Chances)> {
        let Some(index) = self.index(id) else { return Vec::new() };
        let mut factor = None;
        let mut stages = Vec::new();
        for (next, weights) in &self.army.before {
            let Some(chances) = self.army.weighed(weights).get(index).copied() else { return Vec::new() };
            stages.push((factor, chances));
            factor = Some(*next);
        }
        stages.push((factor, self.pieces[index].1));
        stages
    }

    fn index(&self, id: PieceId) -> Option<usize> {
        self.pieces.iter().position(|(other, _)| *other == id)
    }
}

/// Multiplies every rank's weight by what the factor says of it.
pub(super) fn multiply(weights: &mut Chances, by: &Chances) {
    for rank in Rank::ALL {
        weights[rank.index()] *= by[rank.index()];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::event::Event;
    use crate::rules::{Played, Side};
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
            let mut product = [1.0; Rank::COUNT];
            let reasons = belief.reasons(*id);
            assert_eq!(reasons.iter().map(|(factor, _)| *factor).collect::<Vec<_>>(), Factor::ALL);
            for (_, by) in &reasons {
                multiply(&mut product, by);
            }
            for (weight, product) in belief.army.weights[index].iter().zip(product) {
                assert!((weight / product - 1.0).abs() < 1e-4, "{weight} {product}");
            }
        }
    }

    #[test]
    fn stages_lead_from_counts_to_what_is_believed() {
        let (view, moved) = after_a_move();
        let belief = Belief::of_enemies(&view);
        let stages = belief.stages(moved);
        let factors: Vec<_> = stages.iter().map(|(factor, _)| *factor).collect();
        assert_eq!(factors[0], None);
        assert_eq!(factors[1..], Factor::ALL.map(Some));
        // As much is believed with the factors up to here and no other.
        for (count, (_, chances)) in stages.iter().enumerate() {
            let so_far = Belief::of_enemies_weighing(&view, &Factor::ALL[..count]);
            let so_far = so_far.chances(moved).unwrap().map(f32::to_bits);
            assert_eq!(chances.map(f32::to_bits), so_far, "{count}");
        }
        // It moved in its side's first turn: scouts do.
        let scout = |stage: usize| stages[stage].1[Rank::Scout.index()];
        assert!(scout(3) > scout(2));
    }

    #[test]
    fn a_stranger_has_no_reasons() {
        let belief = Belief::of_enemies(&opening());
        let stranger = PieceId::new(Side::Red, 0);
        assert!(belief.reasons(stranger).is_empty() && belief.stages(stranger).is_empty());
    }
}
