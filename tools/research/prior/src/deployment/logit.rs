//! A logistic fit with shrinkage.

use anyhow::{Context, ensure};
use outflank_analyse::matrix::inverted;

/// One game: Red's features less Blue's, and Red's share of the point.
#[derive(Clone, Debug)]
pub struct Case {
    /// The differences.
    pub x: Vec<f64>,
    /// 1, 0.5 or 0.
    pub y: f64,
    /// Cases with the same number are never in different parts when some are held out.
    pub group: u64,
}

/// What was fitted: a coefficient and its standard error for each column.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Coefficients, in logits a unit of the column.
    pub beta: Vec<f64>,
    /// Their errors, shrinkage reckoned in.
    pub error: Vec<f64>,
}

/// Newton's steps: more than the fit needs.
const STEPS: usize = 12;
/// Changes below this are none.
const SETTLED: f64 = 1e-9;

/// Fits `beta` so that a case's logit is the product with its columns; `shrinkage` is the weight of each
/// coefficient's square, in units of a case's information.
///
/// # Errors
/// If there is no case, or a column without shrinkage says nothing.
pub fn fit(cases: &[&Case], shrinkage: &[f64]) -> anyhow::Result<Fitted> {
    ensure!(!cases.is_empty(), "no games");
    let size = shrinkage.len();
    let mut beta = vec![0.0; size];
    let mut inverse = Vec::new();
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = beta.iter().zip(shrinkage).map(|(b, s)| -b * s).collect();
        let mut bend = vec![vec![0.0; size]; size];
        for (row, (bend, &shrinkage)) in bend.iter_mut().zip(shrinkage).enumerate() {
            bend[row] = shrinkage;
        }
        for case in cases {
            let chance = chance(&beta, &case.x);
            let weight = chance * (1.0 - chance);
            for (row, &x) in case.x.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                slope[row] += x * (case.y - chance);
                for (sum, other) in bend[row].iter_mut().zip(&case.x) {
                    *sum += weight * x * other;
                }
            }
        }
        inverse = inverted(bend).context("a column says nothing and is not shrunk")?;
        let change = |row: &Vec<f64>| row.iter().zip(&slope).map(|(a, b)| a * b).sum::<f64>();
        let changes: Vec<f64> = inverse.iter().map(change).collect();
        for (value, change) in beta.iter_mut().zip(&changes) {
            *value += change;
        }
        if changes.iter().all(|change| change.abs() < SETTLED) {
            break;
        }
    }
    let error = inverse.iter().enumerate().map(|(at, row)| row[at].max(0.0).sqrt()).collect();
    Ok(Fitted { beta, error })
}

/// Red's expected share of the point.
pub fn chance(beta: &[f64], x: &[f64]) -> f64 {
    1.0 / (1.0 + (-beta.iter().zip(x).map(|(b, x)| b * x).sum::<f64>()).exp())
}

/// The loss of a forecast, in nats.
pub fn loss(chance: f64, y: f64) -> f64 {
    -y * chance.max(1e-12).ln() - (1.0 - y) * (1.0 - chance).max(1e-12).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rng::Rng;

    fn cases(count: u64) -> Vec<Case> {
        let mut rng = Rng::new(6);
        let mut draw = |_| f64::from(rng.unit()) * 4.0 - 2.0;
        let x: Vec<Vec<f64>> = (0..count).map(|_| (0..3).map(&mut draw).collect()).collect();
        let truth = [0.8, 0.0, -0.4];
        let lot = |group: u64, x: Vec<f64>, rng: &mut Rng| {
            let y = f64::from(u8::from(f64::from(rng.unit()) < chance(&truth, &x)));
            Case { x, y, group }
        };
        x.into_iter().zip(0..).map(|(x, group)| lot(group, x, &mut rng)).collect()
    }

    #[test]
    fn coefficients_are_found_within_their_errors() {
        let cases = cases(4000);
        let fitted = fit(&cases.iter().collect::<Vec<_>>(), &[0.0; 3]).unwrap();
        for ((found, error), truth) in fitted.beta.iter().zip(&fitted.error).zip([0.8, 0.0, -0.4]) {
            assert!((found - truth).abs() < 3.5 * error && *error < 0.06, "{found} {error} {truth}");
        }
    }

    #[test]
    fn shrinkage_draws_to_nothing_and_saves_empty_columns() {
        let mut cases = cases(300);
        for case in &mut cases {
            case.x[1] = 0.0;
        }
        let all: Vec<&Case> = cases.iter().collect();
        assert!(fit(&all, &[0.0; 3]).is_err() && fit(&[], &[1.0; 3]).is_err());
        let [weak, strong] = [1.0, 1e6].map(|shrinkage| fit(&all, &[shrinkage; 3]).unwrap());
        assert!(weak.beta[0] > 0.5 && strong.beta[0].abs() < 0.01, "{weak:?} {strong:?}");
    }
}
