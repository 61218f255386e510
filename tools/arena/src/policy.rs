//! Players inside the arena's own process that choose by a policy network.

use crate::engine::{Fault, Flaw};
use crate::player::{Choice, Offer, Player, Seat, Turn};
use outflank::deployment;
use outflank::event::Event;
use outflank::policy::Evaluation;
use outflank::rng::Rng;
use outflank::rules::{Setup, Side};
use outflank::view::View;
use outflank_selfplay::policy::{Chooser, Policy};
use std::time::Instant;

/// A policy network that plays without a search.
#[derive(Debug)]
pub struct PolicyPlayer {
    policy: Policy,
    about: String,
    game: Option<Game>,
}

/// What it needs for one game.
#[derive(Debug)]
struct Game {
    view: View,
    chooser: Chooser,
    setups: Rng,
}

/// The stream of a game's seed that its setup is drawn from; actions are drawn from the first one.
const SETUPS: u64 = 1;

impl PolicyPlayer {
    /// A player that has not begun a game.
    pub fn new(policy: &Policy) -> PolicyPlayer {
        PolicyPlayer { policy: policy.clone(), about: policy.network().to_string(), game: None }
    }

    fn game(&mut self) -> Result<&mut Game, Fault> {
        self.game.as_mut().ok_or_else(|| Fault::new(Flaw::Garbage, "no game has begun"))
    }
}

impl Player for PolicyPlayer {
    fn begin(&mut self, seat: &Seat) -> Result<(), Fault> {
        self.game = Some(Game {
            view: View::without_behaviour(seat.side, seat.rules),
            chooser: Chooser::new(self.policy.clone(), seat.seed),
            setups: Rng::stream(seat.seed, SETUPS),
        });
        Ok(())
    }

    fn choose_setup(&mut self) -> Result<Setup, Fault> {
        let Game { view, setups, .. } = self.game()?;
        Ok(deployment::choose(view.position().rules(), None, setups))
    }

    fn observe(&mut self, event: &Event) -> Result<(), Fault> {
        self.game()?.view.observe(event).map_err(|error| Fault::new(Flaw::Illegal, error.to_string()))
    }

    fn choose(&mut self, turn: &Turn) -> Result<Offer, Fault> {
        let Game { view, chooser, .. } = self.game()?;
        let since = Instant::now();
        let (action, evaluation) = chooser.choose(view);
        let taken = since.elapsed();
        turn.check(taken)?;
        let action = action.ok_or_else(|| Fault::new(Flaw::Illegal, "it finds no action"))?;
        Ok(Offer { choice: Choice::Act(action), nodes: 1, chances: Some(permille(&evaluation)), taken })
    }

    fn end(&mut self, _: Option<Side>) -> Result<(), Fault> {
        self.game = None;
        Ok(())
    }

    fn about(&self) -> &str {
        &self.about
    }
}

/// Its probabilities of a win, a draw and a loss.
fn permille(evaluation: &Evaluation) -> [u32; 3] {
    [evaluation.win, evaluation.draw, evaluation.loss].map(|share| (share * 1000.0).round() as u32)
}
