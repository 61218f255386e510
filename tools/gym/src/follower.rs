//! A built-in player that follows a game from one side: it is shown what that side may see, and nothing else.

use crate::game::Game;
use outflank::event::{Event, mask_played, mask_setup};
use outflank::rng::Rng;
use outflank::rules::{Played, Side};
use outflank_players::{Config, Player};

/// A player of a side.
#[derive(Debug)]
pub(crate) struct Follower {
    pub(crate) side: Side,
    /// Large, and often moved: a stack of two megabytes does not hold many.
    pub(crate) player: Box<Player>,
}

impl Follower {
    /// One who has seen both armies of `game` take their places.
    ///
    /// # Errors
    /// If it cannot follow that: a fault of the engine's.
    pub(crate) fn new(config: &Config, game: &Game, side: Side, rng: &mut Rng) -> anyhow::Result<Follower> {
        let mut player = Box::new(Player::new(config, side, *game.rules(), rng.bits()));
        for (owner, setup) in game.setups().iter() {
            player.observe(&Event::Deployed(owner, mask_setup(setup, owner, side)))?;
        }
        Ok(Follower { side, player })
    }

    /// Shows it a ply that has just been made in `game`.
    ///
    /// # Errors
    /// If it cannot follow that.
    pub(crate) fn observe(&mut self, game: &Game, played: Played) -> anyhow::Result<()> {
        let mover = game.to_move().enemy();
        self.player.observe(&Event::Played(mask_played(played, mover, self.side, game.rules())))
    }
}
