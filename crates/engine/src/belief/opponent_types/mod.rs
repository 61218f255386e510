//! What opponents of several types do with pieces of each rank: a mixture over types.
//!
//! Behaviour features are what a piece has been seen to do. For each type of opponents a table tells how much each
//! feature speaks for each rank. Which type an opponent is of is judged by the ranks revealed so far: a type counts in
//! proportion to the probability that it gave those ranks just before, beside two predictors without behaviour
//! features: the army's counts alone, and all else that is believed. So types unlike this opponent soon count for
//! nothing.

mod features;
pub mod file;
pub(super) mod mixture;

use super::square_prior::prior;
use crate::belief::army_model::Weights;
use crate::belief::case::Case;
use crate::math;
use crate::rules::{Army, ByRank, Rank, RankSet, Side};
use crate::view::View;
use crate::view::behaviour::Snapshot;
pub use features::{FEATURES, FeatureName, TypeTable, features, name};
pub use mixture::{NO_TYPES, TypeMixture, mixture};
use std::sync::OnceLock;

/// What the predictors of the mixture say of a piece: counts alone, all else, then one for each type.
struct Predictors<'a> {
    mixture: &'a TypeMixture<'a>,
    army: Army,
    found: Vec<u16>,
}

impl Predictors<'_> {
    const BLIND: usize = 0;
    const PLAIN: usize = 1;
    /// A type believed less than this is not worked out: it could not show.
    const LEAST: f32 = 1e-3;

    fn count(&self) -> usize {
        self.mixture.tables.len() + 2
    }

    /// The rank probabilities by each predictor of a piece that is one of `ranks` and whose ranks are weighed by
    /// `weights` without opponent types; nothing for types that are hardly `believed`.
    fn probabilities(
        &mut self,
        snapshot: &Snapshot,
        ranks: RankSet,
        weights: &ByRank<f32>,
        believed: Option<&[f32]>,
    ) -> Vec<ByRank<f32>> {
        let among = |rank: Rank| {
            if ranks.contains(rank) { f32::from(self.army.count(rank)) } else { 0.0 }
        };
        let blind: ByRank<f32> = ByRank::from_fn(among);
        let plain: ByRank<f32> = ByRank::from_fn(|rank| blind[rank] * weights[rank]);
        let mut predictions = vec![whole(blind), whole(plain)];
        self.found.clear();
        features(snapshot, &mut self.found);
        for (number, table) in self.mixture.tables.iter().enumerate() {
            let counts = believed.is_none_or(|believed| believed[number + 2] >= Self::LEAST);
            predictions.push(if counts { by_type(table, &self.found, &plain) } else { ByRank::filled(0.0) });
        }
        predictions
    }

    /// How much each predictor is believed, by the ranks of `side` that have been revealed; `None` before one has been,
    /// when only what most players do is to be expected.
    fn believed(&mut self, view: &View, side: Side) -> Option<Vec<f32>> {
        let mixture = self.mixture;
        let share = (1.0 - mixture.blind - mixture.plain) / mixture.tables.len().max(1) as f32;
        let mut logs = vec![math::ln(share.max(f32::MIN_POSITIVE)); self.count()];
        logs[Self::BLIND] = math::ln(mixture.blind.max(f32::MIN_POSITIVE));
        logs[Self::PLAIN] = math::ln(mixture.plain.max(f32::MIN_POSITIVE));
        let mut shown = view.behaviours().shown(view.position(), side).peekable();
        shown.peek()?;
        for (snapshot, rank) in shown {
            let Snapshot { id, piece, .. } = snapshot;
            let weights = prior(*id, piece);
            let predictions =
                self.probabilities(snapshot, piece.ranks.or(RankSet::only(rank)), &weights, None);
            for (log, prediction) in logs.iter_mut().zip(&predictions) {
                let chance =
                    (1.0 - mixture.doubt) * prediction[rank] + mixture.doubt * predictions[Self::PLAIN][rank];
                *log += mixture.trust * math::ln(chance.max(1e-4));
            }
        }
        let most = logs.iter().copied().fold(f32::MIN, f32::max);
        let shares: Vec<f32> = logs.iter().map(|log| math::exp(log - most)).collect();
        let sum: f32 = shares.iter().sum();
        Some(shares.into_iter().map(|share| share / sum).collect())
    }
}

/// Scaled to sum to one.
fn whole(probabilities: ByRank<f32>) -> ByRank<f32> {
    let sum: f32 = probabilities.values().sum();
    if sum > 0.0 { probabilities.map(|chance| chance / sum) } else { probabilities }
}

/// `plain` chances, in any unit, after `found` features.
fn by_type(table: &TypeTable, found: &[u16], plain: &ByRank<f32>) -> ByRank<f32> {
    let mut sums = ByRank::filled(0i32);
    for &feature in found {
        for (sum, &weight) in sums.values_mut().zip(&table[usize::from(feature)]) {
            *sum += i32::from(weight);
        }
    }
    let possible = Rank::ALL.into_iter().filter(|&rank| plain[rank] > 0.0);
    let most = possible.map(|rank| sums[rank]).max().unwrap_or(0);
    whole(ByRank::from_fn(|rank| plain[rank] * exp_of_hundredths(most.saturating_sub(sums[rank]))))
}

/// `e` to the power of minus so many hundredths; less than none count as none.
///
/// The features' weights are whole hundredths of a nat, and a piece asks for hundreds of them: from a table, with the
/// digits of [`math::exp`].
fn exp_of_hundredths(count: i32) -> f32 {
    /// Beyond it nothing is left that a probability would show; it is worked out all the same.
    const SIZE: usize = 1 << 12;
    static TABLE: OnceLock<Vec<f32>> = OnceLock::new();
    let exp = |count: usize| math::exp(-(count as f32) / 100.0);
    let table = TABLE.get_or_init(|| (0..SIZE).map(exp).collect());
    let count = count.max(0) as usize;
    table.get(count).copied().unwrap_or_else(|| exp(count))
}

/// Weighs the ranks of an army by what its pieces have been seen to do, on top of what `weights` say.
pub(super) fn weigh(case: &Case<'_>, weights: &mut Weights) {
    let (view, mixture, army) = (case.view(), case.mixture, case.rules().army());
    let Some(side) = case.army.side().filter(|_| mixture.doubt < 1.0) else { return };
    let mut predictions = Predictors { mixture, army, found: Vec::new() };
    let Some(believed) = predictions.believed(view, side) else { return };
    for ((id, piece), weights) in case.army.iter().zip(weights) {
        if piece.ranks.len() < 2 {
            continue;
        }
        let snapshot = view.behaviours().snapshot(view.position(), *id, piece);
        let probabilities = predictions.probabilities(&snapshot, piece.ranks, weights, Some(&believed));
        for rank in piece.ranks.iter() {
            let mean: f32 = probabilities
                .iter()
                .zip(&believed)
                .map(|(probabilities, share)| probabilities[rank] * share)
                .sum();
            let mixed = (1.0 - mixture.doubt) * mean + mixture.doubt * probabilities[Predictors::PLAIN][rank];
            let count = f32::from(army.count(rank));
            if count > 0.0 {
                weights[rank] = math::pow(mixed, mixture.sharper) / count;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::tests::opening;
    use crate::belief::{Belief, Likelihood, Trust};
    use crate::event::Event;
    use crate::rules::PieceId;

    /// Says that whatever has moved is a scout, and whatever has not is none.
    fn runners() -> TypeTable {
        let mut table = [[0; Rank::COUNT]; FEATURES];
        for (feature, row) in table.iter_mut().enumerate() {
            row[Rank::Scout.index()] = match name(feature) {
                FeatureName { family: "moves", number: 0 } => 400,
                FeatureName { family: "still among still", .. } => -400,
                _ => 0,
            };
        }
        table
    }

    fn play(view: &mut View, texts: &[&str]) {
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
    }

    /// The chance that the piece of Blue's that began on a place is a scout.
    fn scout(view: &View, place: usize, mixture: &TypeMixture) -> f32 {
        let belief = Belief::of_enemies_by(view, mixture);
        belief.probabilities(PieceId::new(Side::Blue, place)).unwrap()[Rank::Scout]
    }

    #[test]
    fn a_style_is_believed_the_more_the_more_it_was_right() {
        let tables = [runners()];
        let mixture =
            TypeMixture { tables: &tables, blind: 0.1, plain: 0.8, trust: 1.0, doubt: 0.03, sharper: 1.0 };
        let believed = |view: &View| {
            Predictors { mixture: &mixture, army: Army::CLASSIC, found: Vec::new() }
                .believed(view, Side::Blue)
        };
        // Blue's a7, then b7, walk into Red's a4: scouts, or colonels.
        let revealed = |rank: char| {
            let mut view = opening();
            play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5"]);
            assert!(believed(&view).is_none());
            play(&mut view, &[if rank == '2' { "a5xa4=L24" } else { "a5xa4=W84" }, "e5e4", "b7b6"]);
            (believed(&view).unwrap()[2], scout(&view, 38, &mixture))
        };
        let (right, wrong) = (revealed('2'), revealed('8'));
        assert!(right.0 > 0.15 && wrong.0 < 0.02, "{right:?} {wrong:?}");
        assert!(right.1 > wrong.1 + 0.1, "{right:?} {wrong:?}");
    }

    #[test]
    fn no_behaviour_takes_more_than_the_doubt_leaves() {
        let tables = [runners()];
        let mixture =
            TypeMixture { tables: &tables, blind: 0.0, plain: 0.0, trust: 1.0, doubt: 0.05, sharper: 1.0 };
        let mut view = opening();
        play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5", "a5xa4=L24", "e5e4", "b7b6"]);
        let pieces = view.hidden_army();
        let mut weights = vec![ByRank::filled(1.0); pieces.len()];
        let (known, trust) = ((&view).into(), Trust::default());
        let case = Case { army: &pieces, known, trust, mixture: &mixture, likelihoods: &Likelihood::ALL };
        weigh(&case, &mut weights);
        for (weights, (_, piece)) in weights.iter().zip(&pieces) {
            let all: u8 = piece.ranks.iter().map(|rank| Army::CLASSIC.count(rank)).sum();
            for rank in piece.ranks.iter() {
                assert!(weights[rank] * f32::from(all) > 0.049, "{weights:?}");
            }
        }
        assert!(weights[38][Rank::Scout] > 2.0 * weights[38][Rank::Marshal]);
    }

    #[test]
    fn without_styles_nothing_changes() {
        let mut view = opening();
        play(&mut view, &["e4e5", "a7a6", "e5e4", "a6a5", "e4e5", "a5xa4=L24"]);
        let none = TypeMixture { tables: &[], blind: 0.0, plain: 1.0, trust: 1.0, doubt: 0.0, sharper: 1.0 };
        for place in 0..40 {
            let gap = scout(&view, place, &none) - scout(&view, place, &NO_TYPES);
            assert!(gap.abs() < 1e-4, "{gap}");
        }
    }
}
