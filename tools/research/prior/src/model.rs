//! A linear model of a setup's value: the sum of the weights of its [features](crate::features), fitted to games.
//!
//! A ridge fit: the first setup's points, less one half, are its value less the other's.
//! Solved by conjugate gradients (M. R. Hestenes and E. Stiefel, 1952), which never write the matrix down.

use crate::features::{FEATURES, Kinds, SINGLE, each, sum};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

/// How strongly the weight of one square's feature is pulled to nothing: as strongly as so many games that have it pull
/// to what they say. Chosen by hand (`docs/log/setups.md`, "Setups by a fit").
const SINGLE_RIDGE: f64 = 600.0;
/// The same for two squares.
const PAIR_RIDGE: f64 = 3000.0;
/// Most steps of a fit.
const STEPS: usize = 60;
/// The fit ends when what is left of the gradient is this share of what there was.
const PRECISION: f64 = 1e-3;
/// Games that one task sums up: a constant, so that every machine adds in the same order.
const TASK: usize = 4096;

/// Two setups that played each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Of whom the points are, and the other.
    pub setups: [Kinds; 2],
    /// The first one's, 0 to 1.
    pub points: f64,
}

/// A weight for each feature, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct SetupModel(Vec<f64>);

impl SetupModel {
    /// What this setup scores beyond one of value 0, in points, 1 a game.
    pub fn value(&self, setup: &Kinds) -> f64 {
        sum(setup, &self.0)
    }

    /// The weights, a number for each feature.
    pub fn weights(&self) -> &[f64] {
        &self.0
    }

    /// What the first of two is expected to score, in points.
    pub fn expected(&self, setups: &[Kinds; 2]) -> f64 {
        0.5 + self.value(&setups[0]) - self.value(&setups[1])
    }

    /// Fitted to these games; without any, all values are 0.
    pub fn fitted(games: &[Game]) -> SetupModel {
        let ridge = |feature: usize| if feature < SINGLE { SINGLE_RIDGE } else { PAIR_RIDGE };
        let mut weights = vec![0.0; FEATURES];
        let mut rest = gathered(games, |game| game.points - 0.5);
        let mut direction = rest.clone();
        let mut size = dot(&rest, &rest);
        let end = size * PRECISION * PRECISION;
        for _ in 0..STEPS {
            if size <= end {
                break;
            }
            let mut curved =
                gathered(games, |game| sum(&game.setups[0], &direction) - sum(&game.setups[1], &direction));
            for (feature, curved) in curved.iter_mut().enumerate() {
                *curved += ridge(feature) * direction[feature];
            }
            let step = size / dot(&direction, &curved);
            add(&mut weights, step, &direction);
            add(&mut rest, -step, &curved);
            let before = size;
            size = dot(&rest, &rest);
            for (direction, rest) in direction.iter_mut().zip(&rest) {
                *direction = rest + size / before * *direction;
            }
        }
        SetupModel(weights)
    }
}

/// The sum over games of a number each, for the features of the first setup, and less that for those of the second.
fn gathered(games: &[Game], number: impl Fn(&Game) -> f64 + Sync) -> Vec<f64> {
    let part = |games: &[Game]| {
        let mut sums = vec![0.0; FEATURES];
        for game in games {
            let number = number(game);
            each(&game.setups[0], |feature| sums[feature] += number);
            each(&game.setups[1], |feature| sums[feature] -= number);
        }
        sums
    };
    let parts: Vec<Vec<f64>> = games.par_chunks(TASK).map(part).collect();
    let mut sums = vec![0.0; FEATURES];
    for part in &parts {
        add(&mut sums, 1.0, part);
    }
    sums
}

fn add(sums: &mut [f64], factor: f64, other: &[f64]) {
    for (sum, other) in sums.iter_mut().zip(other) {
        *sum += factor * other;
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// How what was expected of games agrees with their points.
#[derive(Copy, Clone, Debug)]
pub struct Agreement {
    /// The correlation, -1 to 1.
    pub correlation: f64,
    /// Points gained for each point expected.
    pub slope: f64,
}

impl Agreement {
    /// Compares them.
    pub fn of(model: &SetupModel, games: &[Game]) -> Agreement {
        let count = games.len().max(1) as f64;
        let expected: Vec<f64> = games.par_iter().map(|game| model.expected(&game.setups)).collect();
        let mean = expected.iter().sum::<f64>() / count;
        let points = games.iter().map(|game| game.points).sum::<f64>() / count;
        let (mut both, mut spread, mut noise) = (0.0, 1e-12, 1e-12);
        for (game, expected) in games.iter().zip(expected) {
            let (dx, dy) = (expected - mean, game.points - points);
            (both, spread, noise) = (both + dx * dy, spread + dx * dx, noise + dy * dy);
        }
        Agreement { correlation: both / (spread * noise).sqrt(), slope: both / spread }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::kinds;
    use outflank::deployment::shuffled;
    use outflank::rng::Rng;
    use outflank::rules::Ruleset;

    /// Games in which the setup with the Marshal farther in front wins three in four.
    fn games(count: usize, seed: u64) -> Vec<Game> {
        let mut rng = Rng::new(seed);
        let draw = |rng: &mut Rng| kinds(&shuffled(&Ruleset::default(), rng)).unwrap();
        let row = |setup: &Kinds| setup.iter().position(|&kind| kind == 10).unwrap() / 10;
        let mut one = |_| {
            let setups = [draw(&mut rng), draw(&mut rng)];
            let ahead = row(&setups[0]).cmp(&row(&setups[1])) as i8;
            let wins = rng.unit() < 0.5 + 0.25 * f32::from(ahead);
            Game { setups, points: f64::from(u8::from(wins)) }
        };
        (0..count).map(&mut one).collect()
    }

    #[test]
    fn a_fit_finds_what_wins() {
        let model = SetupModel::fitted(&games(6000, 3));
        let Agreement { correlation, slope } = Agreement::of(&model, &games(2000, 4));
        assert!(correlation > 0.3 && (0.7..1.5).contains(&slope), "{correlation} {slope}");
    }

    #[test]
    fn without_games_all_values_are_nothing() {
        assert!(SetupModel::fitted(&[]).weights().iter().all(|&weight| weight == 0.0));
    }
}
