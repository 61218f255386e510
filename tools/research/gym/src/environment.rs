//! Many games in step, each shown from the view of its player to move.

use crate::adviser::{self, Advisers};
use crate::batch::Batch;
use crate::game::Game;
use crate::seat::Seat;
use crate::setups::{Mix, Pool};
use anyhow::{Context, ensure};
use outflank::policy::encoding::{GLOBALS, PLANE_BYTES};
use outflank::rng::Rng;
use outflank::rules::{BySide, Ending, Played, Ruleset, SQUARES, Side};
use outflank_players::Config;
use outflank_record::{Outcome, PlayerRecord, Record};
use rayon::prelude::*;

/// A player that is built in, and in which share of the games it sits.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// The player.
    pub config: Config,
    /// The share of games in which it plays one side, its colour drawn.
    pub share: f32,
}

/// What games to play.
#[derive(Clone, Debug)]
pub struct Options {
    /// Games in step.
    pub games: usize,
    /// Seeds setups, rules, opponents and what they roll.
    pub seed: u64,
    /// The rule systems, each game's drawn from them; caps are keys like any other.
    pub rules: Vec<Ruleset>,
    /// Where setups come from.
    pub mix: Mix,
    /// Built-in opponents; where none sits, both sides are played from outside.
    pub opponents: Vec<Opponent>,
    /// A search that tells players from outside what it expects of their actions ([`Batch::advice`]).
    pub adviser: Option<Config>,
    /// Whether finished games are kept as records.
    pub records: bool,
}

/// A finished game.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Finished {
    /// How it ended.
    pub ending: Ending,
    /// Plies and strikes made.
    pub plies: u32,
    /// Strikes among them.
    pub strikes: u32,
    /// The built-in opponent that sat in it, and its side.
    pub opponent: Option<(usize, Side)>,
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
    opponent: Option<Seated>,
    advisers: Advisers,
    /// What the mover's adviser says of each legal action; nothing without one.
    advice: Vec<f32>,
    /// Whether a player from outside has acted in the game.
    met: bool,
    finished: Option<Finished>,
    /// The number of its game among the records of all slots.
    number: u64,
    records: Vec<Record>,
}

struct Seated {
    index: usize,
    seat: Seat,
}

impl Environment {
    /// Begins the games.
    ///
    /// # Errors
    /// If there are no games, rules or setups, the shares of opponents are more than 1, or the adviser tells no
    /// candidates.
    pub fn new(options: Options) -> anyhow::Result<Environment> {
        ensure!(options.games > 0 && !options.rules.is_empty(), "no games, or no rules");
        let shares: f32 = options.opponents.iter().map(|opponent| opponent.share).sum();
        ensure!((0.0..=1.0).contains(&shares), "opponents sit in {shares} of the games");
        if let Some(config) = &options.adviser {
            adviser::ensure_advises(config)?;
        }
        let pool = |(index, rules): (usize, &Ruleset)| {
            Pool::new(rules, options.mix, &mut Rng::stream(options.seed, (1 << 40) + index as u64))
        };
        let pools: Vec<Pool> = options.rules.iter().enumerate().map(pool).collect::<anyhow::Result<_>>()?;
        let slot = |index: usize| Slot::new(&options, &pools, index as u64);
        let slots = (0..options.games).into_par_iter().map(slot).collect::<anyhow::Result<_>>()?;
        Ok(Environment { options, pools, slots })
    }

    /// Plays one action in each game, by its code; games that end are followed by new ones, and built-in opponents
    /// answer at once, so that a player from outside is to move in every game again.
    ///
    /// # Errors
    /// If an action is not legal; the games are void then.
    pub fn step(&mut self, codes: &[u16]) -> anyhow::Result<()> {
        ensure!(codes.len() == self.slots.len(), "{} actions for {} games", codes.len(), self.slots.len());
        let (options, pools) = (&self.options, &self.pools);
        let step = |(index, (slot, &code)): (usize, (&mut Slot, &u16))| {
            slot.step(code, options, pools).with_context(|| format!("game {index}"))
        };
        self.slots.par_iter_mut().zip(codes).enumerate().try_for_each(step)
    }

    /// Shows each game to its player to move.
    pub fn observe(&self, batch: &mut Batch) {
        batch.resize(self.slots.len());
        batch.gather(self.slots.iter().map(|slot| (slot.game.codes(), slot.advice.as_slice())));
        let rows = batch.planes.par_chunks_mut(PLANE_BYTES).zip(batch.globals.par_chunks_mut(GLOBALS));
        rows.zip(batch.hidden.par_chunks_mut(SQUARES)).zip(&self.slots).for_each(
            |(((planes, globals), hidden), slot)| {
                slot.game.observe(planes, globals);
                slot.game.hidden(hidden);
            },
        );
    }

    /// Whose turn it is in each game.
    pub fn movers(&self) -> impl Iterator<Item = Side> {
        self.slots.iter().map(|slot| slot.game.to_move())
    }

    /// What ended in each game with the last step.
    pub fn finished(&self) -> impl Iterator<Item = Option<Finished>> {
        self.slots.iter().map(|slot| slot.finished)
    }

    /// The games as they stand.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.slots.iter().map(|slot| &slot.game)
    }

    /// The records of games finished since the last call, in the order of their slots.
    pub fn take_records(&mut self) -> Vec<Record> {
        self.slots.iter_mut().flat_map(|slot| std::mem::take(&mut slot.records)).collect()
    }
}

impl Slot {
    fn new(options: &Options, pools: &[Pool], number: u64) -> anyhow::Result<Slot> {
        let mut rng = Rng::stream(options.seed, number);
        let (game, opponent, advisers) = set_up(options, pools, &mut rng)?;
        let (advice, records) = (Vec::new(), Vec::new());
        let mut slot =
            Slot { rng, game, opponent, advisers, advice, met: false, finished: None, number, records };
        slot.settle(options, pools)?;
        Ok(slot)
    }

    fn step(&mut self, code: u16, options: &Options, pools: &[Pool]) -> anyhow::Result<()> {
        (self.finished, self.met) = (None, true);
        let played = self.game.play_code(code)?;
        self.tell(played)?;
        self.settle(options, pools)
    }

    /// Shows a ply that has just been made to whoever sits beside the players from outside.
    fn tell(&mut self, played: Played) -> anyhow::Result<()> {
        if let Some(seated) = &mut self.opponent {
            seated.seat.observe(&self.game, played)?;
        }
        self.advisers.observe(&self.game, played)
    }

    /// Goes on until a player from outside is to move. A game that an opponent's first ply ends concerns nobody
    /// outside: it is followed by another without a word.
    fn settle(&mut self, options: &Options, pools: &[Pool]) -> anyhow::Result<()> {
        loop {
            if let Some(ending) = self.game.ending() {
                if self.met {
                    self.finish(ending, options);
                }
                self.met = false;
                (self.game, self.opponent, self.advisers) = set_up(options, pools, &mut self.rng)?;
            } else if let Some(seated) =
                self.opponent.as_mut().filter(|one| one.seat.side == self.game.to_move())
            {
                let action = seated.seat.player.choose().action.context("a built-in player has no action")?;
                let played = self.game.play(action)?;
                self.tell(played)?;
            } else {
                self.advisers.advise(&self.game, &mut self.advice);
                return Ok(());
            }
        }
    }

    fn finish(&mut self, ending: Ending, options: &Options) {
        let game = &self.game;
        let opponent = self.opponent.as_ref().map(|seated| (seated.index, seated.seat.side));
        let (plies, strikes) = (game.moves().len() as u32, game.strikes());
        self.finished = Some(Finished { ending, plies, strikes, opponent });
        if options.records {
            self.records.push(self.record(ending, options));
        }
        self.number += options.games as u64;
    }

    fn record(&self, ending: Ending, options: &Options) -> Record {
        let game = &self.game;
        let player = |side: Side| match &self.opponent {
            Some(seated) if seated.seat.side == side => options.opponents[seated.index].config.record(),
            _ => PlayerRecord { name: "outside".into(), player: "outside".into(), ..PlayerRecord::default() },
        };
        Record {
            game: self.number,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            rules: game.rules().to_string(),
            seed: options.seed,
            players: BySide::from_fn(player),
            setups: game.setups().map(|setup| setup.to_string()),
            moves: game.moves().iter().map(ToString::to_string).collect(),
            nodes: vec![0; game.moves().len()],
            outcome: Outcome::of(ending),
            plies: game.moves().len() as u32,
            strikes: game.strikes(),
            ..Record::default()
        }
    }
}

/// Sets up a game, with an opponent in its seat if one is drawn and advisers beside the others; games over before the
/// first ply are drawn anew.
fn set_up(
    options: &Options,
    pools: &[Pool],
    rng: &mut Rng,
) -> anyhow::Result<(Game, Option<Seated>, Advisers)> {
    let index = rng.below(options.rules.len());
    let (rules, pool) = (options.rules[index], &pools[index]);
    let mut game = Game::new(rules, BySide::from_fn(|_| pool.draw(rng)))?;
    while game.ending().is_some() {
        game = Game::new(rules, BySide::from_fn(|_| pool.draw(rng)))?;
    }
    let opponent = draw_opponent(options, &game, rng)?;
    let outside = |side| opponent.as_ref().is_none_or(|seated: &Seated| seated.seat.side != side);
    let advisers = match &options.adviser {
        Some(config) => Advisers::new(config, &game, outside, rng)?,
        None => Advisers::none(),
    };
    Ok((game, opponent, advisers))
}

/// The built-in opponent that sits in a game, if one is drawn, and its colour.
fn draw_opponent(options: &Options, game: &Game, rng: &mut Rng) -> anyhow::Result<Option<Seated>> {
    let mut roll = rng.unit();
    for (index, opponent) in options.opponents.iter().enumerate() {
        if roll < opponent.share {
            let side = Side::BOTH[rng.below(2)];
            let seat = Seat::new(&opponent.config, game, side, rng)?;
            return Ok(Some(Seated { index, seat }));
        }
        roll -= opponent.share;
    }
    Ok(None)
}
