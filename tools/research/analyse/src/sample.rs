//! Games added up, with intervals by bootstrap.
//!
//! The games are drawn anew, with replacement and as many as there were, many times over; between the 2.5% and the
//! 97.5% quantile of a figure over these resamples lies its 95% interval. Games that share their setups depend on each
//! other: they are drawn together, as one unit.

use crate::options::Resampling;
use outflank::rng::Rng;
use rayon::prelude::*;
use serde::Serialize;

/// The quantiles between which 95% lie.
const QUANTILES: [f64; 2] = [0.025, 0.975];

/// A figure with its interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Over all games.
    pub value: f64,
    /// Lower end of the 95% interval; none with fewer than two units or without resamples.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
}

/// Sums over games, which add up.
pub trait Sums: Clone + Default + Send + Sync {
    /// Adds the sums of other games.
    fn merge(&mut self, other: &Self);
}

/// All games, and resamples of them.
#[derive(Debug)]
pub struct Sample<S> {
    /// All of them together.
    pub whole: S,
    /// What was drawn from: games, or pairs that share their setups.
    pub units: usize,
    resamples: Vec<S>,
}

impl<S: Sums> Sample<S> {
    /// Adds up `units` and draws resamples; equal seeds give equal figures, on any number of threads.
    pub fn new(units: &[S], Resampling { resamples, seed }: Resampling) -> Sample<S> {
        let mut whole = S::default();
        for unit in units {
            whole.merge(unit);
        }
        let count = if units.len() < 2 { 0 } else { resamples };
        let draw = |number: usize| {
            let mut rng = Rng::stream(seed, number as u64);
            let mut sum = S::default();
            for _ in units {
                sum.merge(&units[rng.below(units.len())]);
            }
            sum
        };
        let resamples = (0..count).into_par_iter().map(draw).collect();
        Sample { whole, units: units.len(), resamples }
    }

    /// A figure of all games with its interval; `None` where it is not defined.
    pub fn estimate(&self, figure: impl Fn(&S) -> Option<f64>) -> Option<Estimate> {
        let value = figure(&self.whole)?;
        let mut values: Vec<f64> = self.resamples.iter().filter_map(figure).collect();
        values.sort_by(f64::total_cmp);
        let [low, high] = QUANTILES.map(|share| quantile(&values, share));
        Some(Estimate { value, low, high })
    }
}

/// The value below which a share of the sorted values lies, between two of them in proportion.
fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let place = share * sorted.len().checked_sub(1)? as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_values() {
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(quantile(&[3.0], 0.975), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.5), Some(2.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 0.75), Some(3.0));
        assert_eq!(quantile(&[1.0, 2.0, 4.0], 1.0), Some(4.0));
    }

    /// Numbers, and how many they are.
    #[derive(Clone, Debug, Default)]
    struct Numbers(f64, u32);

    impl Sums for Numbers {
        fn merge(&mut self, other: &Numbers) {
            *self = Numbers(self.0 + other.0, self.1 + other.1);
        }
    }

    fn unit(number: f64) -> Numbers {
        Numbers(number, 1)
    }

    fn mean(numbers: &Numbers) -> Option<f64> {
        (numbers.1 > 0).then(|| numbers.0 / f64::from(numbers.1))
    }

    fn sample(units: &[Numbers], resamples: usize, seed: u64) -> Sample<Numbers> {
        Sample::new(units, Resampling { resamples, seed })
    }

    /// Of two games a resample holds either twice with chance 1/4 each: the interval spans both.
    #[test]
    fn two_games_span_the_interval() {
        let units: Vec<_> = [1.0, 2.0].into_iter().map(unit).collect();
        let estimate = sample(&units, 400, 3).estimate(mean).unwrap();
        assert_eq!(estimate, Estimate { value: 1.5, low: Some(1.0), high: Some(2.0) });
    }

    /// The mean of n values has the standard error s/√n, and 95% lie within 1.96 of it on either side.
    #[test]
    fn the_interval_is_as_wide_as_the_error() {
        let units: Vec<Numbers> = (0..100).map(|n| unit(f64::from(n % 2))).collect();
        let estimate = sample(&units, 2000, 1).estimate(mean).unwrap();
        let expected = 1.96 * 0.5 / 10.0;
        for end in [estimate.low.unwrap() - 0.5, estimate.high.unwrap() - 0.5] {
            assert!((end.abs() / expected - 1.0).abs() < 0.1, "{end} {expected}");
        }
    }

    #[test]
    fn equal_seeds_give_equal_figures() {
        let units: Vec<Numbers> = (0..30).map(|n| unit(f64::from(n * n))).collect();
        let figures = |seed| sample(&units, 100, seed).estimate(mean).unwrap();
        assert_eq!(figures(5), figures(5));
        assert_ne!(figures(5), figures(6));
    }

    #[test]
    fn one_game_has_no_interval() {
        let one = sample(&[unit(1.0)], 100, 1);
        assert_eq!(one.estimate(mean), Some(Estimate { value: 1.0, low: None, high: None }));
        assert_eq!(sample(&[], 100, 1).estimate(mean), None);
    }
}
