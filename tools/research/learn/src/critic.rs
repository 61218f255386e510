//! The critic: a value that sees both armies. It judges what came of decisions while a network learns, and never plays.
//!
//! What a player expects jumps whenever a rank is shown, whatever was decided. Who sees all ranks expects what will be shown, so
//! that what is left of a jump belongs more to the decision. On the mean over the ranks that a player must reckon with both
//! say the same (R. Lowe and others, *Multi-agent actor-critic for mixed cooperative-competitive environments*, 2017;
//! G. Yang and others, *PerfectDou: dominating DouDizhu with perfect information distillation*, 2022).

use crate::adam::{Adam, Stride};
use crate::network::Forward;
use crate::parameters::Layout;
use crate::state::{Kept, Learned};
use anyhow::{Context, ensure};
use outflank::rng::Rng;
use outflank::rules::{Rank, SQUARES, Side, Square};
use outflank::sparse::{POSITION_FEATURES, Shape};
use outflank_record::write_whole;
use std::fs;
use std::path::Path;

/// Its inputs: a player's, and each square with each rank that a hidden enemy piece may have.
pub const FEATURES: usize = POSITION_FEATURES + SQUARES * Rank::COUNT;
/// Plies for which it watches before it judges, where nothing else is said: by then it errs less than the network.
pub const WATCHES: u64 = 3_000_000;

/// That an enemy piece of this rank stands there, hidden from `us`, from whose side the board is seen.
pub fn feature(us: Side, square: Square, rank: Rank) -> u16 {
    let seen = match us {
        Side::Red => square.index(),
        Side::Blue => SQUARES - 1 - square.index(),
    };
    (POSITION_FEATURES + seen * Rank::COUNT + rank.index()) as u16
}

/// The critic of a run.
pub struct Critic {
    layout: Layout,
    learned: Learned,
}

impl Critic {
    /// That which is kept in a run's folder, or a new one as wide as the network.
    ///
    /// # Errors
    /// If what is kept cannot be read, or has another width.
    pub fn open(folder: &Path, hidden: usize, rng: &mut Rng) -> anyhow::Result<Critic> {
        let path = folder.join("critic.bin");
        if !path.exists() {
            let layout = Layout::new(Shape { position_features: FEATURES, action_features: 0, hidden });
            let learned = Learned::new(layout.first_weights(rng), 0);
            return Ok(Critic { layout, learned });
        }
        let bytes = fs::read(&path).with_context(|| format!("{}", path.display()))?;
        let Kept { layout, learned, .. } =
            Learned::read(&bytes).with_context(|| format!("{}", path.display()))?;
        ensure!(layout.shape.hidden == hidden, "the critic is {} wide", layout.shape.hidden);
        Ok(Critic { layout, learned })
    }

    /// Keeps it in a run's folder.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, folder: &Path) -> anyhow::Result<()> {
        let bytes = self.learned.to_bytes(self.layout.shape, "");
        write_whole(&folder.join("critic.bin"), bytes)
    }

    /// Where its weights lie.
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What it says.
    pub fn forward<const H: usize>(&self) -> Forward<'_, H> {
        Forward { layout: &self.layout, weights: &self.learned.weights }
    }

    /// Plies that it has watched.
    pub const fn plies(&self) -> u64 {
        self.learned.plies
    }

    /// Makes a step down the sum of the gradients, as [`Adam::step`].
    pub fn step(&mut self, gradients: &mut [Vec<f32>], stride: Stride) {
        let Learned { weights, adam, .. } = &mut self.learned;
        Adam::step(adam, weights, gradients, self.layout.rows.end, stride);
    }

    /// So many plies were watched.
    pub const fn note(&mut self, plies: u64) {
        self.learned.plies += plies;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Start};
    use outflank::rules::{BySide, Ruleset};

    /// Before the first ply it is the whole enemy army, from one's own side of the board; what a strike shows is no secret.
    #[test]
    fn secrets_are_the_ranks_that_the_player_does_not_know() {
        let setup = "B3FB3262452B3B6B5S7325B48269474M62225873".parse().unwrap();
        let start = Start { rules: Ruleset::default(), setups: BySide::new([setup, setup]) };
        let mut game = Game::new(start).unwrap();
        let secrets = |game: &Game| {
            let mut found = Vec::new();
            game.secrets(&mut found);
            found.sort_unstable();
            found
        };
        let first = secrets(&game);
        assert_eq!(first.len(), 40);
        let mut rng = Rng::new(2);
        while game.strikes() == 0 {
            let actions = game.view().position().actions();
            game.play(actions[rng.below(actions.len())]).unwrap();
            if game.plies().len() == 1 {
                // Blue sees what Red saw, but for the piece that moved.
                assert_eq!(secrets(&game).iter().filter(|secret| first.contains(secret)).count(), 39);
            }
        }
        assert!(secrets(&game).len() < 40);
    }
}
