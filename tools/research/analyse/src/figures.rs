//! How figures are worked out and written.

use crate::sample::Estimate;
use serde::Serialize;

/// A part of so many; none of nothing.
pub fn share(part: f64, count: usize) -> Option<f64> {
    (count > 0).then(|| part / count as f64)
}

/// A number with that many decimals, or a dash.
pub fn number(value: Option<f64>, decimals: usize) -> String {
    // Nothing is less than nothing: a sum of nothing may be -0.
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.decimals$}", value + 0.0))
}

/// A share in percent.
pub fn percent(value: Option<f64>, decimals: usize) -> String {
    number(value.map(|value| 100.0 * value), decimals)
}

/// An estimate in some unit, with that many decimals.
pub fn cell(estimate: Option<Estimate>, unit: f64, decimals: usize) -> String {
    let Some(Estimate { value, low, high }) = estimate else { return "-".to_owned() };
    let text = |value: f64| format!("{:.decimals$}", value * unit);
    match (low, high) {
        (Some(low), Some(high)) => format!("{} [{}, {}]", text(value), text(low), text(high)),
        _ => text(value),
    }
}

/// How many numbers, and where they lie.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// How many.
    pub count: usize,
    /// Their mean.
    pub mean: Option<f64>,
    /// Their median: between the two in the middle, if there are two.
    pub median: Option<f64>,
}

impl Spread {
    /// The spread of these numbers.
    pub fn of(numbers: impl IntoIterator<Item = u32>) -> Spread {
        let mut sorted: Vec<u32> = numbers.into_iter().collect();
        sorted.sort_unstable();
        let count = sorted.len();
        let sum: u64 = sorted.iter().map(|number| u64::from(*number)).sum();
        let middle = (count > 0).then(|| f64::from(sorted[(count - 1) / 2]) + f64::from(sorted[count / 2]));
        Spread { count, mean: share(sum as f64, count), median: middle.map(|sum| sum / 2.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_lies_in_the_middle() {
        assert_eq!(Spread::of([]), Spread { count: 0, mean: None, median: None });
        assert_eq!(Spread::of([7, 1, 4]), Spread { count: 3, mean: Some(4.0), median: Some(4.0) });
        assert_eq!(Spread::of([9, 1, 4, 2]), Spread { count: 4, mean: Some(4.0), median: Some(3.0) });
    }

    #[test]
    fn nothing_is_written_without_a_sign() {
        assert_eq!(
            (number(Some(-0.0), 1), percent(Some(-0.0), 1), number(None, 1)),
            ("0.0".into(), "0.0".into(), "-".into())
        );
        assert_eq!((number(Some(-1.25), 2), percent(Some(0.125), 1)), ("-1.25".into(), "12.5".into()));
    }
}
