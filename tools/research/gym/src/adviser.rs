//! The engine's search beside a player from outside: what it expects of the best actions.
//!
//! A learner that chooses from these by what its network adds learns what the search does not see, and nothing else.

use crate::game::Game;
use crate::seat::Seat;
use anyhow::ensure;
use outflank::policy::encoding::code;
use outflank::rng::Rng;
use outflank::rules::{BySide, Played, Side};
use outflank::search::Candidate;
use outflank_players::{Config, Kind};

/// Points of an action whose value the search does not tell: it is not to be chosen.
pub const UNADVISED: f32 = -10_000.0;

/// Whether a player of this configuration can advise.
///
/// # Errors
/// If it does not search, or names no candidates.
pub(crate) fn ensure_advises(config: &Config) -> anyhow::Result<()> {
    ensure!(config.kind == Kind::Engine, "an adviser searches, and {:?} does not", config.kind.name());
    ensure!(config.candidates > 0, "an adviser needs candidates=N to tell");
    Ok(())
}

/// The advisers of a game: one for each side that is played from outside, or none at all.
#[derive(Debug)]
pub struct Advisers(BySide<Option<Seat>>);

impl Advisers {
    /// No advisers.
    pub fn none() -> Advisers {
        Advisers(BySide::from_fn(|_| None))
    }

    /// One beside each side that is played from outside. Each sees what that side may see.
    ///
    /// # Errors
    /// If one cannot follow what it is shown: a fault of the engine's.
    pub fn new(
        config: &Config,
        game: &Game,
        outside: impl Fn(Side) -> bool,
        rng: &mut Rng,
    ) -> anyhow::Result<Advisers> {
        let mut advisers = Advisers::none();
        for side in Side::BOTH.into_iter().filter(|side| outside(*side)) {
            advisers.0[side] = Some(Seat::new(config, game, side, rng)?);
        }
        Ok(advisers)
    }

    /// Shows them a ply that has just been made.
    ///
    /// # Errors
    /// If one cannot follow it.
    pub fn observe(&mut self, game: &Game, ply: Played) -> anyhow::Result<()> {
        self.0
            .iter_mut()
            .filter_map(|(_, adviser)| adviser.as_mut())
            .try_for_each(|one| one.observe(game, ply))
    }

    /// What the adviser of the side to move says of each legal action, in the order of the game's codes; nothing if it
    /// has none. A search that values nothing, as under a limit of a few nodes, leaves all equal.
    pub fn advise(&mut self, game: &Game, advice: &mut Vec<f32>) {
        advice.clear();
        let side = game.to_move();
        let Some(adviser) = &mut self.0[side] else { return };
        let mut candidates = adviser.player.advise();
        // A code has no rescue: it would be that of the same action without one.
        candidates.retain(|candidate| candidate.action.rescue.is_none());
        let sum = |candidate: &Candidate| candidate.points + candidate.added;
        let best = candidates.iter().map(sum).fold(f32::NEG_INFINITY, f32::max);
        advice.resize(game.codes().len(), if candidates.is_empty() { 0.0 } else { UNADVISED });
        for candidate in &candidates {
            if let Ok(place) = game.codes().binary_search(&code(side, candidate.action)) {
                // Where one action wins and another loses, they are farther apart than that.
                advice[place] = (sum(candidate) - best).max(UNADVISED);
            }
        }
    }
}
