//! One game: the referee, and both players' views fed by its events and by nothing else.

use crate::encoding::{action_of, encode, legal_codes_into};
use anyhow::{Context, ensure};
use outflank::rules::{Action, BySide, Ending, Played, Ruleset, Setup, Side};
use outflank::view::View;
use outflank_record::truth;
use outflank_referee::{Events, Referee};

/// A game in progress.
#[derive(Clone)]
pub struct Game {
    referee: Referee,
    views: BySide<View>,
    setups: BySide<Setup>,
    rules: Ruleset,
    /// The legal actions of the side to move, by rising code.
    codes: Vec<u16>,
    moves: Vec<Played>,
    strikes: u32,
}

impl Game {
    /// Two armies before the first ply.
    ///
    /// # Errors
    /// If a setup is not the whole army.
    pub fn new(rules: Ruleset, setups: BySide<Setup>) -> anyhow::Result<Game> {
        let referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue])?;
        let views = BySide::from_fn(|side| View::without_behaviour(side, rules));
        let (codes, moves) = (Vec::new(), Vec::new());
        let mut game = Game { referee, views, setups, rules, codes, moves, strikes: 0 };
        for events in game.referee.opening() {
            game.show(&events)?;
        }
        game.list();
        Ok(game)
    }

    fn show(&mut self, events: &Events) -> anyhow::Result<()> {
        for (side, view) in self.views.iter_mut() {
            view.observe(&events[side])?;
        }
        Ok(())
    }

    fn list(&mut self) {
        let mover = self.to_move();
        legal_codes_into(&self.views[mover], &mut self.codes);
    }

    /// Plays an action.
    ///
    /// # Errors
    /// If the referee refuses it.
    pub fn play(&mut self, action: Action) -> anyhow::Result<Played> {
        let mover = self.to_move();
        let events = self.referee.play(action).map_err(|refusal| anyhow::anyhow!("{action:?}: {refusal}"))?;
        let played = truth(&events, mover).context("the referee reported no ply")?;
        self.strikes += u32::from(played.verdict.is_some());
        self.moves.push(played);
        self.show(&events)?;
        self.list();
        Ok(played)
    }

    /// Plays the legal action of this code.
    ///
    /// # Errors
    /// If it is not legal.
    pub fn play_code(&mut self, wanted: u16) -> anyhow::Result<Played> {
        ensure!(self.codes.binary_search(&wanted).is_ok(), "the action {wanted} is not legal");
        self.play(action_of(self.to_move(), wanted).context("no action has this code")?)
    }

    /// Writes what the player to move sees.
    pub fn observe(&self, planes: &mut [u8], globals: &mut [u8]) {
        encode(self.view(self.to_move()), planes, globals);
    }

    /// What `side` knows.
    pub const fn view(&self, side: Side) -> &View {
        self.views.of(side)
    }

    /// The codes of the legal actions, rising; none when the game is over.
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Side {
        self.referee.to_move()
    }

    /// How it ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.referee.ending()
    }

    /// The plies made, as they truly were.
    pub fn moves(&self) -> &[Played] {
        &self.moves
    }

    /// Strikes made.
    pub const fn strikes(&self) -> u32 {
        self.strikes
    }

    /// The setups.
    pub const fn setups(&self) -> &BySide<Setup> {
        &self.setups
    }

    /// The rules in force.
    pub const fn rules(&self) -> &Ruleset {
        &self.rules
    }
}
