//! What a setup is worth: the sum of its [patterns](crate::patterns), fitted to games.
//!
//! A ridge fit: the first setup's points, less one half, are what its patterns are worth less what the other's are.
//! Solved by conjugate gradients (M. R. Hestenes and E. Stiefel, 1952), which never write the matrix down.

use crate::patterns::{Kinds, PATTERNS, SINGLE, each, sum};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

/// How strongly the weight of one square's pattern is pulled to nothing: as strongly as so many games that have it pull
/// to what they say. Chosen by hand (`docs/log/setups.md`, "Setups by a fit").
const SINGLE_RIDGE: f64 = 600.0;
/// The same for two squares.
const COUPLE_RIDGE: f64 = 3000.0;
/// Most steps of a fit. It begins where the last one ended, so that a few do.
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

/// The worth of each pattern, in points.
#[derive(Clone, Debug, PartialEq)]
pub struct Worth(Vec<f64>);

impl Default for Worth {
    /// Nobody knows anything yet.
    fn default() -> Worth {
        Worth(vec![0.0; PATTERNS])
    }
}

impl Worth {
    /// What this setup scores beyond one of no worth, in points, 1 a game.
    pub fn of(&self, setup: &Kinds) -> f64 {
        sum(setup, &self.0)
    }

    /// The weights, a number for each pattern.
    pub fn weights(&self) -> &[f64] {
        &self.0
    }

    /// What the first of two is expected to score, in points.
    pub fn expected(&self, setups: &[Kinds; 2]) -> f64 {
        0.5 + self.of(&setups[0]) - self.of(&setups[1])
    }

    /// Fits it to games, from what it is.
    pub fn fit(&mut self, games: &[Game]) {
        let ridge = |pattern: usize| if pattern < SINGLE { SINGLE_RIDGE } else { COUPLE_RIDGE };
        let lacking = gathered(games, |game| game.points - self.expected(&game.setups));
        let pulled = |(pattern, lacking): (usize, f64)| lacking - ridge(pattern) * self.0[pattern];
        let mut rest: Vec<f64> = lacking.into_iter().enumerate().map(pulled).collect();
        let mut direction = rest.clone();
        let mut size = dot(&rest, &rest);
        let end = size * PRECISION * PRECISION;
        for _ in 0..STEPS {
            if size <= end {
                return;
            }
            let mut curved =
                gathered(games, |game| sum(&game.setups[0], &direction) - sum(&game.setups[1], &direction));
            for (pattern, curved) in curved.iter_mut().enumerate() {
                *curved += ridge(pattern) * direction[pattern];
            }
            let step = size / dot(&direction, &curved);
            add(&mut self.0, step, &direction);
            add(&mut rest, -step, &curved);
            let before = size;
            size = dot(&rest, &rest);
            for (direction, rest) in direction.iter_mut().zip(&rest) {
                *direction = rest + size / before * *direction;
            }
        }
    }
}

/// The sum over games of a number each, for the patterns of the first setup, and less that for those of the second.
fn gathered(games: &[Game], number: impl Fn(&Game) -> f64 + Sync) -> Vec<f64> {
    let part = |games: &[Game]| {
        let mut sums = vec![0.0; PATTERNS];
        for game in games {
            let number = number(game);
            each(&game.setups[0], |pattern| sums[pattern] += number);
            each(&game.setups[1], |pattern| sums[pattern] -= number);
        }
        sums
    };
    let parts: Vec<Vec<f64>> = games.par_chunks(TASK).map(part).collect();
    let mut sums = vec![0.0; PATTERNS];
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
    pub fn of(worth: &Worth, games: &[Game]) -> Agreement {
        let count = games.len().max(1) as f64;
        let expected: Vec<f64> = games.par_iter().map(|game| worth.expected(&game.setups)).collect();
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
    use crate::patterns::kinds;
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
        let mut worth = Worth::default();
        worth.fit(&games(6000, 3));
        let Agreement { correlation, slope } = Agreement::of(&worth, &games(2000, 4));
        assert!(correlation > 0.3 && (0.7..1.5).contains(&slope), "{correlation} {slope}");
        // Where it ends, another fit changes hardly anything.
        let before = worth.clone();
        worth.fit(&games(6000, 3));
        let moved = worth.0.iter().zip(&before.0).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(moved < 1e-3, "{moved}");
    }

    #[test]
    fn without_games_nothing_is_worth_anything() {
        let mut worth = Worth::default();
        worth.fit(&[]);
        assert_eq!(worth, Worth::default());
    }
}
