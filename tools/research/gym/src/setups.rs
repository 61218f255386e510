//! Where the games' setups come from: a pool drawn once, wide on purpose.

use anyhow::ensure;
use outflank::deployment::{self, Source};
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Setup};

/// How often each kind of setup is drawn, in any unit.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Mix {
    /// As people set up: drawn from the belief's prior over setups.
    pub human: f32,
    /// From the engine's own book.
    pub book: f32,
    /// The army in random places.
    pub random: f32,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix { human: 0.5, book: 0.35, random: 0.15 }
    }
}

/// Setups of one army; half of what is drawn is mirrored.
#[derive(Debug)]
pub struct Pool {
    setups: Vec<Setup>,
}

/// Setups in a pool.
const SIZE: usize = 4096;

impl Pool {
    /// Draws a pool for games under these rules.
    ///
    /// # Errors
    /// If no share is positive.
    pub fn new(rules: &Ruleset, mix: Mix, rng: &mut Rng) -> anyhow::Result<Pool> {
        let shares = [mix.human, mix.book, mix.random];
        let sum: f32 = shares.iter().sum();
        ensure!(shares.iter().all(|share| *share >= 0.0) && sum > 0.0, "no setups to draw from");
        let [human, book, _] = shares.map(|share| (share / sum * SIZE as f32).round() as usize);
        let mut setups = if human > 0 { deployment::candidates(rules, human, rng) } else { Vec::new() };
        setups.extend((0..book).map(|_| deployment::choose_from(Source::Book, rules, None, rng)));
        while setups.len() < SIZE {
            setups.push(deployment::shuffled(rules, rng));
        }
        Ok(Pool { setups })
    }

    /// A setup, in half of the cases mirrored.
    pub fn draw(&self, rng: &mut Rng) -> Setup {
        let setup = self.setups[rng.below(self.setups.len())];
        if rng.below(2) == 0 { setup.mirrored() } else { setup }
    }
}
