//! Players inside the arena's own process.

use crate::engine::{Fault, Flaw, stood_still, stopped};
use crate::player::{Choice, Offer, Player, Seat, Turn};
use outflank::deployment;
use outflank::event::Event;
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Setup, Side};
use outflank_players::{Clocks, Config, Kind, Player as Mind};
use std::time::Instant;

/// A player that needs no process.
#[derive(Debug)]
pub struct InsidePlayer {
    config: Config,
    about: String,
    game: Option<Game>,
}

/// What it needs for one game.
#[derive(Debug)]
struct Game {
    rules: Ruleset,
    mind: Mind,
    setups: Rng,
}

/// The stream of a game's seed that its setup is drawn from; actions are drawn from others.
const SETUPS: u64 = 1;

impl InsidePlayer {
    /// A player that has not begun a game.
    pub fn new(config: &Config) -> InsidePlayer {
        let about = match &config.kind {
            Kind::Engine => concat!("Outflank ", env!("CARGO_PKG_VERSION")).to_owned(),
            Kind::Random => String::new(),
            Kind::Network(policy) => policy.network().to_string(),
        };
        InsidePlayer { config: config.clone(), about, game: None }
    }

    fn game(&mut self) -> Result<&mut Game, Fault> {
        self.game.as_mut().ok_or_else(|| Fault::new(Flaw::Garbage, "no game has begun"))
    }
}

impl Player for InsidePlayer {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        let Seat { side, rules, seed } = *seat;
        let mind = Mind::new(&self.config, side, rules, seed);
        self.game = Some(Game { rules, mind, setups: Rng::stream(seed, SETUPS) });
        Ok(())
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        let Game { rules, setups, .. } = self.game()?;
        Ok(deployment::choose(rules, None, setups))
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        let seen = self.game()?.mind.observe(event);
        seen.map_err(|error| Fault::new(Flaw::Illegal, format!("{error:#}")))
    }

    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault> {
        let clocks = Clocks { left: turn.left, increment: turn.increment };
        let (still, since) = (stood_still(), Instant::now());
        let offer = self.game()?.mind.choose_by(&clocks, stopped());
        let taken = since.elapsed().saturating_sub(stood_still().saturating_sub(still));
        turn.check(taken)?;
        let action = offer.action.ok_or_else(|| Fault::new(Flaw::Illegal, "it finds no action"))?;
        let chances = offer.chances.map(|chances| chances.map(u32::from));
        let candidates = offer.candidates;
        Ok(Offer { choice: Choice::Act(action), nodes: offer.nodes, chances, candidates, taken })
    }

    fn end(&mut self, _: Option<Side>) -> Result<(), Fault> {
        self.game = None;
        Ok(())
    }

    fn about(&self) -> &str {
        &self.about
    }
}
