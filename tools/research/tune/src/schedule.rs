//! How far numbers are changed and moved, from the first games to the last.

use crate::parameter::Parameter;
use outflank::rng::Rng;
use serde::{Deserialize, Serialize};

/// How steps and rates shrink. With these exponents, Spall's, the numbers settle.
const STEP_FADE: f64 = 0.101;
const RATE_FADE: f64 = 0.602;
/// Share of all rounds by which the start is held back: else the first few would throw the numbers about.
const HELD_BACK: f64 = 0.1;

/// The whole course of the tuning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// How many rounds there will be.
    pub rounds: u64,
    /// In the last round, by how many of its steps a number moves for a lead of one point.
    pub rate: f64,
    /// Seeds the coins and the games.
    pub seed: u64,
}

/// One round: what is tried, and how far a result moves the numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// By how much each number is changed: up in one engine, down in the other.
    pub changes: Vec<f64>,
    /// How many changes the numbers move for a lead of one point.
    rate: f64,
    /// For numbers that are whole: where between two of them the border is, from 0 to 1.
    borders: Vec<f64>,
    /// Seeds its games.
    pub seed: u64,
}

impl Schedule {
    /// The round of this number, from 0.
    pub fn round(&self, number: u64, parameters: &[Parameter]) -> Round {
        let mut rng = Rng::stream(self.seed, number);
        let (rounds, done) = (self.rounds.max(1) as f64, (number + 1) as f64);
        let wider = (rounds / done).max(1.0).powf(STEP_FADE);
        let held_back = HELD_BACK * rounds;
        let faster = ((held_back + rounds) / (held_back + done)).powf(RATE_FADE);
        let mut coin = || if rng.below(2) == 0 { -1.0 } else { 1.0 };
        let changes = parameters.iter().map(|parameter| coin() * parameter.step * wider).collect();
        let borders = parameters.iter().map(|_| f64::from(rng.unit())).collect();
        Round { changes, rate: self.rate * faster / wider.powi(2), borders, seed: rng.bits() >> 1 }
    }
}

impl Round {
    /// The values that one of the two engines plays with: `direction` 1 or -1.
    pub fn values(&self, parameters: &[Parameter], at: &[f64], direction: f64) -> Vec<f64> {
        let changed = at.iter().zip(&self.changes).map(|(at, change)| at + direction * change);
        let borders = changed.zip(&self.borders).zip(parameters);
        borders
            .map(|((value, border), parameter)| {
                let value = if parameter.whole { (value + border).floor() } else { value };
                parameter.within(value)
            })
            .collect()
    }

    /// Where the numbers go from `at` after the engine with the changes led by `lead` points.
    pub fn moved(&self, parameters: &[Parameter], at: &[f64], lead: f64) -> Vec<f64> {
        let moved = at.iter().zip(&self.changes).map(|(at, change)| at + self.rate * lead * change);
        moved.zip(parameters).map(|(value, parameter)| parameter.within(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        ["a 10 0 100 real", "b 4 0 9 whole"].iter().map(|line| Parameter::read(line).unwrap()).collect()
    }

    #[test]
    fn a_round_is_the_same_whenever_it_is_asked_for() {
        let (schedule, parameters) = (Schedule { rounds: 100, rate: 0.1, seed: 5 }, parameters());
        assert_eq!(schedule.round(7, &parameters), schedule.round(7, &parameters));
        assert_ne!(schedule.round(7, &parameters), schedule.round(8, &parameters));
        let last = schedule.round(99, &parameters);
        assert!((last.changes[0].abs() - parameters[0].step).abs() < 1e-9);
        assert!(schedule.round(0, &parameters).changes[0].abs() > 1.5 * parameters[0].step);
    }

    #[test]
    fn values_stay_whole_and_within_their_range() {
        let (schedule, parameters) = (Schedule { rounds: 10, rate: 0.1, seed: 1 }, parameters());
        for number in 0..50 {
            let round = schedule.round(number, &parameters);
            for direction in [-1.0, 1.0] {
                let values = round.values(&parameters, &[99.0, 8.6], direction);
                assert!(values[0] <= 100.0 && values[1] <= 9.0 && values[1].fract() == 0.0, "{values:?}");
            }
        }
    }

    /// Numbers that are the better the nearer they are to a goal find it, though single games are mostly luck.
    #[test]
    fn numbers_find_their_goal_by_noisy_games() {
        let (schedule, parameters) = (Schedule { rounds: 4_000, rate: 0.05, seed: 3 }, parameters());
        let loss = |values: &[f64]| ((values[0] - 30.0) / 20.0).powi(2) + ((values[1] - 7.0) / 4.0).powi(2);
        let (mut at, mut luck) = (vec![10.0, 4.0], Rng::new(9));
        for number in 0..schedule.rounds {
            let round = schedule.round(number, &parameters);
            let [plus, minus] = [1.0, -1.0].map(|direction| loss(&round.values(&parameters, &at, direction)));
            let chance = 1.0 / (1.0 + (plus - minus).exp());
            let lead = if f64::from(luck.unit()) < chance { 1.0 } else { -1.0 };
            at = round.moved(&parameters, &at, lead);
        }
        assert!((at[0] - 30.0).abs() < 4.0 && (at[1] - 7.0).abs() < 1.0, "{at:?}");
    }
}
