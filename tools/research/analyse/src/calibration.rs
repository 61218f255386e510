//! Whether what is predicted with 30% comes true in 30% of cases.

use crate::figures::share;
use crate::sample::{Estimate, Sample, Sums};
use outflank::belief::RankProbabilities;
use outflank::rules::Rank;
use serde::Serialize;

/// Bins of predicted chances: 0-5%, 5-15%, ... 85-95%, 95-100%.
pub const BINS: usize = 11;

/// Where bins begin and end, in percent.
pub const fn bounds(bin: usize) -> (usize, usize) {
    let begin = if bin == 0 { 0 } else { 10 * bin - 5 };
    (begin, if bin + 1 == BINS { 100 } else { 10 * bin + 5 })
}

/// One bin of predictions, for readers.
#[derive(Clone, Debug, Serialize)]
pub struct BinReport {
    /// Its bounds in percent.
    pub percent: (usize, usize),
    /// Predictions in it.
    pub predictions: u64,
    /// Their mean.
    pub predicted: Option<f64>,
    /// The share that came true.
    pub came_true: Option<Estimate>,
}

impl BinReport {
    /// The bins that are not empty, of the predictions that `of` finds in the sums of games.
    pub fn all<S: Sums>(sample: &Sample<S>, of: impl Fn(&S) -> Calibration) -> Vec<BinReport> {
        of(&sample.whole).bins(|number, bin| BinReport {
            percent: bounds(number),
            predictions: bin.predictions,
            predicted: bin.mean(),
            came_true: sample.estimate(|sums| of(sums).0[number].share()),
        })
    }
}

/// Predictions of about the same chance.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Bin {
    /// How many.
    pub predictions: u64,
    /// Sum of the predicted chances.
    pub predicted: f64,
    /// How many came true; a draw, of a predicted score, is a half.
    pub came_true: f64,
}

impl Bin {
    /// Adds other predictions.
    pub fn merge(&mut self, other: &Bin) {
        self.predictions += other.predictions;
        self.predicted += other.predicted;
        self.came_true += other.came_true;
    }

    /// The mean predicted chance.
    pub fn mean(&self) -> Option<f64> {
        share(self.predicted, self.predictions as usize)
    }

    /// The share that came true.
    pub fn share(&self) -> Option<f64> {
        share(self.came_true, self.predictions as usize)
    }
}

/// One set of predictions, bin by bin.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Calibration(pub [Bin; BINS]);

impl Calibration {
    /// Adds what is said of one hidden piece: a prediction for each rank that it may have. That others are impossible
    /// is no prediction.
    pub fn add(&mut self, probabilities: &RankProbabilities, truth: Rank) {
        for rank in Rank::ALL {
            let chance = f64::from(probabilities[rank]);
            if chance > 0.0 {
                self.note(chance, f64::from(u8::from(rank == truth)));
            }
        }
    }

    /// Adds one prediction, and what came of it, from 0 to 1.
    pub fn note(&mut self, chance: f64, came_true: f64) {
        let bin = &mut self.0[((chance * 10.0 + 0.5) as usize).min(BINS - 1)];
        bin.predictions += 1;
        bin.predicted += chance;
        bin.came_true += came_true;
    }

    /// All predictions together.
    pub fn whole(&self) -> Bin {
        let mut whole = Bin::default();
        self.0.iter().for_each(|bin| whole.merge(bin));
        whole
    }

    /// What `report` makes of the bins that are not empty, with their numbers.
    pub fn bins<T>(&self, report: impl Fn(usize, &Bin) -> T) -> Vec<T> {
        let full = self.0.iter().enumerate().filter(|(_, bin)| bin.predictions > 0);
        full.map(|(number, bin)| report(number, bin)).collect()
    }

    /// Adds other predictions.
    pub fn merge(&mut self, other: &Calibration) {
        self.0.iter_mut().zip(&other.0).for_each(|(bin, other)| bin.merge(other));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::ByRank;

    #[test]
    fn bins_meet_without_gaps() {
        assert_eq!([0, 1, 9, 10].map(bounds), [(0, 5), (5, 15), (85, 95), (95, 100)]);
        for bin in 1..BINS {
            assert_eq!(bounds(bin - 1).1, bounds(bin).0);
        }
    }

    #[test]
    fn predictions_fall_into_their_bins() {
        let mut calibration = Calibration::default();
        let mut probabilities = ByRank::filled(0.0);
        for (rank, chance) in [(Rank::Spy, 0.0499), (Rank::Scout, 0.051), (Rank::Miner, 0.8991)] {
            probabilities[rank] = chance;
        }
        calibration.add(&probabilities, Rank::Miner);
        calibration.add(&probabilities, Rank::Spy);
        let counts = calibration.0.map(|bin| bin.predictions);
        assert_eq!(counts, [2, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0]);
        assert_eq!(calibration.0.map(|bin| bin.came_true as u64), [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
        assert_eq!(calibration.0[0].share(), Some(0.5));
        assert!((calibration.0[9].mean().unwrap() - 0.8991).abs() < 1e-6);
        assert_eq!((calibration.0[5].mean(), calibration.0[5].share()), (None, None));
        let mut twice = calibration;
        twice.merge(&calibration);
        assert_eq!(twice.0.map(|bin| bin.predictions), counts.map(|count| 2 * count));
        assert!((twice.0[1].predicted - 0.204).abs() < 1e-6);
    }

    /// A sure prediction belongs to the last bin.
    #[test]
    fn certainty_has_a_bin() {
        let mut calibration = Calibration::default();
        let mut probabilities = ByRank::filled(0.0);
        probabilities[Rank::Bomb] = 1.0;
        calibration.add(&probabilities, Rank::Bomb);
        assert_eq!(calibration.0[BINS - 1], Bin { predictions: 1, predicted: 1.0, came_true: 1.0 });
    }
}
