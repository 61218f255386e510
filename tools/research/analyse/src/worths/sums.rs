//! Sums over decisions, and the worths that follow from them.

use super::{Covariate, Decision, Settings};
use crate::matrix::inverted;
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

const COUNT: usize = Covariate::COUNT;

/// What is kept of all decisions of some games.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sums {
    /// The covariates, by name, so that sums over others are refused.
    features: Vec<String>,
    /// What games were played, as [`Settings`](super::Settings) prints it; empty while there are none.
    #[serde(default)]
    pub settings: String,
    /// Games and decisions.
    pub games: u64,
    /// Turns in which there was a choice.
    pub decisions: u64,
    /// Of the squared advantages.
    spread: f64,
    /// Of the products of two differences, row by row.
    gram: Vec<f64>,
    /// Of the differences times the advantage.
    moment: Vec<f64>,
    /// Of the products of two games' moments, row by row.
    scatter: Vec<f64>,
}

/// What one more of a covariate is worth, in hundredths of a point of the game.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The covariate.
    pub covariate: Covariate,
    /// In how many decisions, about, it made a difference: the sum of the squared differences.
    pub seen: f64,
    /// By itself, whatever goes with it, and the standard error.
    pub alone: (f64, f64),
    /// With all other covariates held as they are.
    pub together: (f64, f64),
}

impl Default for Sums {
    fn default() -> Sums {
        let names = Covariate::all().map(|covariate| covariate.to_string());
        let square = vec![0.0; COUNT * COUNT];
        Sums {
            features: names.collect(),
            settings: String::new(),
            games: 0,
            decisions: 0,
            spread: 0.0,
            gram: square.clone(),
            moment: vec![0.0; COUNT],
            scatter: square,
        }
    }
}

impl Sums {
    /// Those of one game.
    pub fn of(game: &[Decision]) -> Sums {
        let mut sums = Sums { games: 1, decisions: game.len() as u64, ..Sums::default() };
        for Decision { difference, advantage } in game {
            let advantage = f64::from(*advantage);
            sums.spread += advantage * advantage;
            for &(one, own) in difference {
                sums.moment[one.index()] += f64::from(own) * advantage;
                for &(other, its) in difference {
                    sums.gram[one.index() * COUNT + other.index()] += f64::from(own * its);
                }
            }
        }
        for one in 0..COUNT {
            for other in 0..COUNT {
                sums.scatter[one * COUNT + other] = sums.moment[one] * sums.moment[other];
            }
        }
        sums
    }

    /// Reads what [`Sums::text`] wrote.
    ///
    /// # Errors
    /// If it is something else, or about other features.
    pub fn read(text: &str) -> anyhow::Result<Sums> {
        let sums: Sums = serde_json::from_str(text).context("no sums of worths")?;
        ensure!(sums.features == Sums::default().features, "the file is of a version with other covariates");
        let square = COUNT * COUNT;
        ensure!(
            sums.gram.len() == square && sums.scatter.len() == square && sums.moment.len() == COUNT,
            "sums of another size"
        );
        Ok(sums)
    }

    /// Notes what games are played, or checks that it is those which were.
    ///
    /// # Errors
    /// If there are games of other settings: their sums are of another thing.
    pub fn take_settings(&mut self, settings: &Settings) -> anyhow::Result<()> {
        let settings = settings.to_string();
        ensure!(
            self.games == 0 || self.settings == settings,
            "its games are of other settings: {}",
            self.settings
        );
        self.settings = settings;
        Ok(())
    }

    /// A text to keep.
    ///
    /// # Errors
    /// Never, unless a sum is no number.
    pub fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }

    /// Takes in the sums of other games.
    pub fn add(&mut self, other: &Sums) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.spread += other.spread;
        let pairs = [(&mut self.gram, &other.gram), (&mut self.moment, &other.moment)];
        let pairs = pairs.into_iter().chain([(&mut self.scatter, &other.scatter)]);
        for (own, other) in pairs {
            own.iter_mut().zip(other).for_each(|(own, other)| *own += other);
        }
    }

    /// The spread of the advantages, in points of the game.
    pub fn deviation(&self) -> f64 {
        (self.spread / self.decisions.max(1) as f64).sqrt()
    }

    /// What each covariate is worth that made a difference in at least so many decisions.
    pub fn worths(&self, least: f64) -> Vec<Worth> {
        let kept: Vec<usize> = (0..COUNT).filter(|&one| self.gram[one * COUNT + one] >= least).collect();
        let seen: Vec<f64> = kept.iter().map(|&one| self.gram[one * COUNT + one]).collect();
        let Some(inverse) = self.inverse(&kept) else { return Vec::new() };
        let all: Vec<Covariate> = Covariate::all().collect();
        let worth = |(index, &one): (usize, &usize)| {
            let weights = &inverse[index];
            let together: f64 =
                weights.iter().zip(&kept).map(|(weight, &other)| weight * self.moment[other]).sum();
            Worth {
                covariate: all[one],
                seen: seen[index],
                alone: (
                    100.0 * self.moment[one] / seen[index],
                    100.0 * self.scatter[one * COUNT + one].sqrt() / seen[index],
                ),
                together: (100.0 * together, 100.0 * self.variance(&kept, weights).max(0.0).sqrt()),
            }
        };
        kept.iter().enumerate().map(worth).collect()
    }

    /// The inverse of the gram matrix of these covariates.
    fn inverse(&self, kept: &[usize]) -> Option<Vec<Vec<f64>>> {
        let row = |&one: &usize| {
            // Covariates that always come together have no worths of their own: each gets a share.
            let ridge = |other| if one == other { 1.0 + 1e-3 } else { 1.0 };
            kept.iter().map(|&other| self.gram[one * COUNT + other] * ridge(other)).collect()
        };
        inverted(kept.iter().map(row).collect())
    }

    /// Of the moments of these covariates, added up with these weights: the scatter from both sides.
    fn variance(&self, kept: &[usize], weights: &[f64]) -> f64 {
        let pairs = || kept.iter().zip(weights);
        let from =
            |one: usize| pairs().map(move |(&other, weight)| self.scatter[one * COUNT + other] * weight);
        pairs().map(|(&one, weight)| weight * from(one).sum::<f64>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{play, play_all};
    use super::*;
    use outflank::rng::Rng;
    use outflank::rules::Ruleset;

    /// Two features of a known worth, drawn against nothing, in much noise.
    fn drawn(seed: u64, games: usize) -> Sums {
        let (mut rng, mut sums) = (Rng::new(seed), Sums::default());
        let some: Vec<Covariate> = Covariate::all().take(2).collect();
        for _ in 0..games {
            let decision = |_| {
                let [one, other] = [rng.below(2), rng.below(2)].map(|drawn| drawn as f32 - 0.5);
                let advantage = 0.03 * one - 0.01 * other + 0.2 * (rng.unit() - 0.5);
                Decision { difference: vec![(some[0], one), (some[1], other)], advantage }
            };
            sums.add(&Sums::of(&(0..50).map(decision).collect::<Vec<_>>()));
        }
        sums
    }

    #[test]
    fn worths_are_found_within_their_errors() {
        let worths = drawn(3, 400).worths(1.0);
        assert_eq!(worths.len(), 2);
        for (worth, true_worth) in worths.iter().zip([3.0, -1.0]) {
            for (found, error) in [worth.alone, worth.together] {
                assert!((found - true_worth).abs() < 4.0 * error && error < 0.3, "{found} {error}");
            }
        }
    }

    #[test]
    fn sums_are_of_games_of_one_kind() {
        let (mut sums, mut settings) = (Sums::default(), settings(100));
        sums.take_settings(&settings).unwrap();
        sums.add(&drawn(1, 3));
        let mut read = Sums::read(&sums.text().unwrap()).unwrap();
        read.take_settings(&settings).unwrap();
        settings.nodes += 1;
        let error = read.take_settings(&settings).unwrap_err().to_string();
        assert!(error.contains("nodes 100"), "{error}");
    }

    /// What is kept is the sums of the first games, however many threads play, so that a run that was killed goes on.
    #[test]
    fn games_are_handed_over_by_rising_number() {
        let settings = Settings { rules: Ruleset { plies: 40, ..Ruleset::default() }, ..settings(20) };
        let alone: Vec<Sums> = (3..9).map(|game| Sums::of(&play(&settings, game).unwrap())).collect();
        let mut told = Vec::new();
        play_all(&settings, 3..9, 3, |game| {
            told.push(game);
            Ok(())
        })
        .unwrap();
        assert_eq!(told, alone);
    }

    fn settings(nodes: u64) -> Settings {
        Settings {
            rules: Ruleset::default(),
            seed: 1,
            nodes,
            draw: 3.0,
            lines: 8,
            lambda: 0.9,
            policy: false,
        }
    }

    #[test]
    fn sums_are_read_back_and_those_of_others_are_refused() {
        let sums = drawn(1, 3);
        let text = sums.text().unwrap();
        assert_eq!(Sums::read(&text).unwrap(), sums);
        assert!(Sums::read(&text.replacen("moves", "walks", 1)).is_err());
        assert!(Sums::read("{}").is_err());
    }
}
