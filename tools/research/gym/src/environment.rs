//! Many games in step, each shown from the view of its player to move.

use crate::encoding::{GLOBALS, PLANE_BYTES};
use crate::game::Game;
use crate::setups::{Mix, Pool};
use anyhow::{Context, ensure};
use outflank::rng::Rng;
use outflank::rules::{BySide, Ending, Ruleset, Side};
use rayon::prelude::*;

/// What games to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games in step.
    pub games: usize,
    /// Seeds setups and rules.
    pub seed: u64,
    /// The rule systems, each game's drawn from them; caps are keys like any other.
    pub rules: Vec<Ruleset>,
    /// Where setups come from.
    pub mix: Mix,
}

/// What is shown of many games at once, as flat arrays: one row a game, each from the view of its player to move.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Planes, [`PLANE_BYTES`] a row.
    pub planes: Vec<u8>,
    /// Bytes about the whole game, [`GLOBALS`] a row.
    pub globals: Vec<u8>,
    /// Codes of the legal actions, rising in each row, row after row.
    pub legal: Vec<u16>,
    /// Where each row's legal actions begin in `legal`; one more entry for the end.
    pub starts: Vec<u32>,
}

/// A game that ended with the last step.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Plies and strikes made.
    pub plies: u32,
    /// Strikes among them.
    pub strikes: u32,
}

/// Games in step.
pub struct Environment {
    options: Options,
    pools: Vec<Pool>,
    slots: Vec<Slot>,
}

/// One of the games, and the ones that will follow it.
struct Slot {
    rng: Rng,
    game: Game,
    finished: Option<Finished>,
}

impl Environment {
    /// Begins the games.
    ///
    /// # Errors
    /// If there are no games, rules or setups.
    pub fn new(options: Options) -> anyhow::Result<Environment> {
        ensure!(options.games > 0 && !options.rules.is_empty(), "no games, or no rules");
        let pool = |(index, rules): (usize, &Ruleset)| {
            Pool::new(rules, options.mix, &mut Rng::stream(options.seed, (1 << 40) + index as u64))
        };
        let pools: Vec<Pool> = options.rules.iter().enumerate().map(pool).collect::<anyhow::Result<_>>()?;
        let slot = |index: usize| {
            let mut rng = Rng::stream(options.seed, index as u64);
            let game = set_up(&options.rules, &pools, &mut rng)?;
            anyhow::Ok(Slot { rng, game, finished: None })
        };
        let slots = (0..options.games).into_par_iter().map(slot).collect::<anyhow::Result<_>>()?;
        Ok(Environment { options, pools, slots })
    }

    /// Plays one action in each game, by its code; games that end are followed by new ones.
    ///
    /// # Errors
    /// If an action is not legal; the games are void then.
    pub fn step(&mut self, codes: &[u16]) -> anyhow::Result<()> {
        ensure!(codes.len() == self.slots.len(), "{} actions for {} games", codes.len(), self.slots.len());
        let (rules, pools) = (&self.options.rules, &self.pools);
        let step = |(index, (slot, &code)): (usize, (&mut Slot, &u16))| {
            slot.step(code, rules, pools).with_context(|| format!("game {index}"))
        };
        self.slots.par_iter_mut().zip(codes).enumerate().try_for_each(step)
    }

    /// Shows each game to its player to move.
    pub fn observe(&self, batch: &mut Batch) {
        batch.legal.clear();
        batch.starts.clear();
        batch.starts.push(0);
        for game in self.games() {
            batch.legal.extend_from_slice(game.codes());
            batch.starts.push(batch.legal.len() as u32);
        }
        batch.planes.resize(self.slots.len() * PLANE_BYTES, 0);
        batch.globals.resize(self.slots.len() * GLOBALS, 0);
        let rows = batch.planes.par_chunks_mut(PLANE_BYTES).zip(batch.globals.par_chunks_mut(GLOBALS));
        rows.zip(&self.slots).for_each(|((planes, globals), slot)| slot.game.observe(planes, globals));
    }

    /// Whose turn it is in each game.
    pub fn movers(&self) -> impl Iterator<Item = Side> {
        self.games().map(Game::to_move)
    }

    /// What ended in each game with the last step.
    pub fn finished(&self) -> impl Iterator<Item = Option<Finished>> {
        self.slots.iter().map(|slot| slot.finished)
    }

    /// The games as they stand.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.slots.iter().map(|slot| &slot.game)
    }
}

impl Slot {
    fn step(&mut self, code: u16, rules: &[Ruleset], pools: &[Pool]) -> anyhow::Result<()> {
        self.game.play_code(code)?;
        let (plies, strikes) = (self.game.moves().len() as u32, self.game.strikes());
        self.finished = self.game.ending().map(|ending| Finished { ending, plies, strikes });
        if self.finished.is_some() {
            self.game = set_up(rules, pools, &mut self.rng)?;
        }
        Ok(())
    }
}

/// Sets up a game; games over before the first ply are drawn anew.
fn set_up(rules: &[Ruleset], pools: &[Pool], rng: &mut Rng) -> anyhow::Result<Game> {
    let index = rng.below(rules.len());
    loop {
        let game = Game::new(rules[index], BySide::from_fn(|_| pools[index].draw(rng)))?;
        if game.ending().is_none() {
            return Ok(game);
        }
    }
}
