//! A built-in player at the board of a game: it is shown what its side may see, and nothing else.

use crate::game::Game;
use outflank::event::{Event, mask_played, mask_setup};
use outflank::rng::Rng;
use outflank::rules::{Played, Side};
use outflank_players::{Config, Player};

/// A player and its side.
#[derive(Debug)]
pub(crate) struct Seat {
    pub(crate) side: Side,
    /// Large, and often moved: a stack of two megabytes does not hold many.
    pub(crate) player: Box<Player>,
}

impl Seat {
    /// One who has seen both armies of `game` take their places.
    ///
    /// # Errors
    /// If it cannot take that in: a fault of the engine's.
    pub(crate) fn new(config: &Config, game: &Game, side: Side, rng: &mut Rng) -> anyhow::Result<Seat> {
        let mut player = Box::new(Player::new(config, side, *game.rules(), rng.bits()));
        for (owner, setup) in game.setups().iter() {
            player.observe(&Event::Deployed(owner, mask_setup(setup, owner, side)))?;
        }
        Ok(Seat { side, player })
    }

    /// Shows it a ply that has just been made in `game`.
    ///
    /// # Errors
    /// If it cannot take that in.
    pub(crate) fn observe(&mut self, game: &Game, played: Played) -> anyhow::Result<()> {
        let mover = game.to_move().enemy();
        self.player.observe(&Event::Played(mask_played(played, mover, self.side, game.rules())))
    }
}
