//! Recorded games, seen again by both players.

use crate::record::Record;
use anyhow::Context;
use outflank::belief::Known;
use outflank::engine::{Control, Engine, Settings, Stopwatch};
use outflank::rules::{Action, BySide, PieceId, Played, Rank, Side};
use outflank::search::Budget;
use outflank::view::View;
use outflank_referee::{Events, Referee};
use std::sync::atomic::AtomicBool;
use std::vec::IntoIter;

/// A game that is played again, one ply at a time.
pub struct Replay {
    referee: Referee,
    players: BySide<Engine>,
    actions: IntoIter<Played>,
    last: Option<Events>,
}

impl Replay {
    /// Stands before the first ply of the recorded game.
    ///
    /// # Errors
    /// If the record's rules, setups or actions cannot be read.
    pub fn new(record: &Record) -> anyhow::Result<Replay> {
        let (rules, setups) = (record.ruleset()?, record.armies()?);
        let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
        let players = BySide::from_fn(|side| Engine::new(side, rules, Settings::default()));
        let mut replay = Replay { referee, players, actions: record.actions()?.into_iter(), last: None };
        for events in replay.referee.opening() {
            replay.show(&events)?;
        }
        Ok(replay)
    }

    /// The action of the next ply; `None` at the record's end.
    pub fn next_action(&self) -> Option<Action> {
        self.actions.as_slice().first().map(|played| played.action)
    }

    /// Plays the next ply; the side that made it, or `None` at the record's end.
    ///
    /// # Errors
    /// If the referee refuses the action or a player cannot follow.
    pub fn step(&mut self) -> anyhow::Result<Option<Side>> {
        let Some(played) = self.actions.next() else { return Ok(None) };
        let mover = self.referee.to_move();
        let place = || format!("ply {}: {played}", self.players[Side::Red].view().position().ply() + 1);
        let events = self.referee.play(played.action).with_context(place)?;
        self.show(&events)?;
        self.last = Some(events);
        Ok(Some(mover))
    }

    /// What the players were shown of the last ply; `None` before the first.
    pub const fn last_events(&self) -> Option<&Events> {
        self.last.as_ref()
    }

    /// The player of `side`, who saw what it was shown and nothing else.
    pub const fn player(&self, side: Side) -> &Engine {
        self.players.of(side)
    }

    fn show(&mut self, events: &Events) -> anyhow::Result<()> {
        for (side, player) in self.players.iter_mut() {
            player.observe(&events[side])?;
        }
        Ok(())
    }

    /// What `side` knows by now.
    pub const fn view(&self, side: Side) -> &View {
        self.players.of(side).view()
    }

    /// What `side` knows by now, and what it found out about that.
    pub const fn known(&self, side: Side) -> Known<'_> {
        self.players.of(side).known()
    }

    /// Lets `side` ask what the enemy's last move tells, as before a search of so many nodes; only nodes and the seed
    /// limit it.
    pub fn infer(&mut self, side: Side, nodes: u64, seed: u64) {
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
        let player = &mut self.players[side];
        player.configure(Settings { seed, ..Settings::default() });
        player.infer(budget, Control::new(clock, stop));
    }

    /// Plies made.
    pub fn ply(&self) -> u32 {
        self.referee.ply()
    }

    /// Whether the game goes on.
    pub fn is_running(&self) -> bool {
        self.referee.ending().is_none()
    }

    /// A piece's rank, which its owner knows.
    ///
    /// # Errors
    /// If there is no such piece.
    pub fn truth(&self, id: PieceId) -> anyhow::Result<Rank> {
        let piece = self.view(id.side()).position().piece(id);
        piece.ranks.single().with_context(|| format!("{id:?} has no rank"))
    }
}
