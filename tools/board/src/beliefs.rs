//! What the person before the page may believe, as the engine would in its place: of the enemy's hidden pieces, and what
//! the enemy may believe of its own. All of it follows from what that player was shown.

use crate::game::{Eyes, Match, Refused};
use crate::room::Room;
use outflank::belief::{Belief, RankProbabilities};
use outflank::engine::Engine;
use outflank::rules::{Rank, Side};
use serde::Serialize;

/// What is believed at a ply.
#[derive(Clone, Debug, Serialize)]
pub struct Beliefs {
    /// Plies made.
    pub ply: usize,
    /// The ranks of the army, in the order of the chances.
    pub ranks: String,
    /// The enemy's hidden pieces.
    pub theirs: Vec<Believed>,
    /// Pieces of the person whose rank the enemy cannot tell.
    pub ours: Vec<Believed>,
}

/// What one piece may be.
#[derive(Clone, Debug, Serialize)]
pub struct Believed {
    /// Its square.
    pub at: String,
    /// Of each rank the chance in permille; they sum to about a thousand.
    pub chances: Vec<u16>,
}

impl Match {
    /// What the player before the page may believe now.
    ///
    /// # Errors
    /// In a game that is not friendly, and if nobody sits before the page or nothing is played.
    pub fn beliefs(&self) -> Result<Beliefs, Refused> {
        if !self.options().friendly && !self.options().is_watched() {
            return Err(Refused::Serious);
        }
        let side = self.eyes().ok_or(Refused::Turn)?;
        if !self.is_running() {
            return Err(Refused::Stage);
        }
        Ok(Beliefs::of(&self.player(side, self.ply())?, self.ply()))
    }
}

impl Beliefs {
    /// What this player may believe after so many plies.
    pub fn of(player: &Engine, ply: usize) -> Beliefs {
        let (view, position) = (player.view(), player.view().position());
        Beliefs {
            ply,
            ranks: position.rules().army().ranks().iter().map(Rank::letter).collect(),
            theirs: believed(player, &player.belief(), view.viewer().enemy()),
            ours: believed(player, &player.belief_about_us(), view.viewer()),
        }
    }
}

/// The hidden pieces of a side on the board, by square.
fn believed(engine: &Engine, belief: &Belief, owner: Side) -> Vec<Believed> {
    let position = engine.view().position();
    let ranks = position.rules().army().ranks();
    let permille = |chance: f32| (chance * 1000.0).round() as u16;
    let chances = |of: &RankProbabilities| ranks.iter().map(|rank| permille(of[rank])).collect();
    let pieces = position.pieces(owner).filter_map(|(id, piece)| {
        let known = if owner == engine.view().viewer() { piece.learned } else { piece.ranks };
        let of = belief.probabilities(id).filter(|_| known.single().is_none())?;
        Some(Believed { at: piece.square?.to_string(), chances: chances(of) })
    });
    let mut pieces: Vec<Believed> = pieces.collect();
    // By square: the order of the army's slots is nobody's business.
    pieces.sort_by(|a, b| a.at.cmp(&b.at));
    pieces
}

impl Room {
    /// What the person before the page may believe now: reckoned on a copy of the game, so that nobody waits for it.
    ///
    /// # Errors
    /// Those of [`Match::beliefs`].
    pub fn beliefs(&self, eyes: Eyes) -> Result<Beliefs, Refused> {
        let game = self.lock_for(eyes).game.clone();
        game.beliefs()
    }
}
