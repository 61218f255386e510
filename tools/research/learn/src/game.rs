//! One game: the referee, and both players' views fed by its events and by nothing else.

use crate::critic;
use anyhow::{Context, anyhow};
use outflank::engine::{Ablation, Control, Engine, Settings, Stopwatch};
use outflank::rules::{Action, BySide, Ruleset, Setup, Side};
use outflank::search::Budget;
use outflank::sparse::{Observation, Pursuits};
use outflank::view::View;
use outflank_referee::{Events, Referee};
use std::sync::atomic::AtomicBool;

/// Plies without a strike after which a game counts as drawn, whatever its rules say.
const MOST_QUIET: u32 = 200;
/// Plies after which it does.
const MOST_PLIES: u32 = 2000;

/// A game in progress.
#[derive(Clone)]
pub struct Game {
    referee: Referee,
    views: BySide<View>,
    pursuits: Pursuits,
    start: Start,
    plies: Vec<Action>,
    strikes: u32,
    /// The engine, where it plays a side.
    engine: Option<Box<Engine>>,
}

/// What a game begins with.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Start {
    /// Its rules.
    pub rules: Ruleset,
    /// Its armies.
    pub setups: BySide<Setup>,
}

/// How a game ended: who won, or nobody.
pub type Result = Option<Side>;

impl Game {
    /// Two armies before the first ply.
    ///
    /// # Errors
    /// If a setup is not the whole army.
    pub fn new(start: Start) -> anyhow::Result<Game> {
        let Start { rules, setups } = start;
        let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
        let views = BySide::from_fn(|side| View::without_behaviour(side, rules));
        let mut game = Game {
            referee,
            views,
            pursuits: Pursuits::default(),
            start,
            plies: Vec::new(),
            strikes: 0,
            engine: None,
        };
        for events in game.referee.opening() {
            game.show(&events)?;
        }
        Ok(game)
    }

    /// The engine plays this side, by its search alone. It is shown what the side has seen so far.
    ///
    /// # Errors
    /// If the game cannot have gone so.
    pub fn invite_engine(self, side: Side) -> anyhow::Result<Game> {
        let ablation = Ablation { policy: true, ..Ablation::default() };
        let settings = Settings { seed: 1, ablation, ..Settings::default() };
        let engine = Box::new(Engine::new(side, self.start.rules, settings));
        let mut game = Game { engine: Some(engine), ..Game::new(self.start)? };
        for events in game.referee.opening() {
            game.show_engine(&events)?;
        }
        for action in self.plies {
            game.play(action)?;
        }
        Ok(game)
    }

    fn show_engine(&mut self, events: &Events) -> anyhow::Result<()> {
        if let Some(engine) = &mut self.engine {
            let side = engine.view().viewer();
            engine.observe(&events[side])?;
        }
        Ok(())
    }

    /// What the engine plays with so many nodes; nothing if it is not here.
    pub fn engine_action(&mut self, nodes: u64) -> Option<Action> {
        let (watch, stop) = (Stopwatch::start(), AtomicBool::new(false));
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let engine = self.engine.as_mut()?;
        engine.think(&budget.into(), Control::new(&watch, &stop), &mut |_| ()).action
    }

    /// The game after these plies.
    ///
    /// # Errors
    /// If it cannot have gone so.
    pub fn replayed(start: Start, plies: &[Action]) -> anyhow::Result<Game> {
        let mut game = Game::new(start)?;
        for &action in plies {
            game.play(action)?;
        }
        Ok(game)
    }

    fn show(&mut self, events: &Events) -> anyhow::Result<()> {
        for (side, view) in self.views.iter_mut() {
            view.observe(&events[side])?;
        }
        self.show_engine(events)
    }

    /// Plays an action.
    ///
    /// # Errors
    /// If the referee refuses it.
    pub fn play(&mut self, action: Action) -> anyhow::Result<()> {
        let events = self.referee.play(action).map_err(|refusal| anyhow!("{action:?}: {refusal}"))?;
        self.show(&events)?;
        let position = self.views[Side::Red].position();
        self.pursuits.note_latest(position);
        let (_, latest) = position.latest_plies().next().context("the referee showed no ply")?;
        self.strikes += u32::from(latest.verdict.is_some());
        self.plies.push(action);
        Ok(())
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.referee.to_move()
    }

    /// What the player to move knows.
    pub fn view(&self) -> &View {
        &self.views[self.to_move()]
    }

    /// What the player to move sees, as a network is shown it.
    pub fn observation(&self) -> Observation {
        Observation::new(self.view(), &self.pursuits)
    }

    /// Appends the ranks that the enemy's pieces have and the player to move does not know, as features of the
    /// [critic](crate::critic).
    pub fn secrets(&self, features: &mut Vec<u16>) {
        let us = self.to_move();
        let known = self.views[us].position();
        for (id, piece) in self.views[us.enemy()].position().pieces(us.enemy()) {
            if let (Some(square), Some(rank), None) =
                (piece.square, piece.ranks.single(), known.piece(id).ranks.single())
            {
                features.push(critic::feature(us, square, rank));
            }
        }
    }

    /// How it ended, if it has, by its rules or because it takes too long.
    pub fn result(&self) -> Option<Result> {
        let position = self.view().position();
        let long = || (position.quiet() >= MOST_QUIET || position.ply() >= MOST_PLIES).then_some(None);
        self.referee.ending().map(|ending| ending.winner).or_else(long)
    }

    /// What it began with.
    pub const fn start(&self) -> &Start {
        &self.start
    }

    /// The plies made.
    pub fn plies(&self) -> &[Action] {
        &self.plies
    }

    /// Strikes made.
    pub const fn strikes(&self) -> u32 {
        self.strikes
    }
}
