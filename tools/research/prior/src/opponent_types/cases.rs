//! Moments of recorded games, as the player who does not know saw them.

use outflank::belief::Belief;
use outflank::belief::opponent_types::{NO_TYPES, features};
use outflank::rules::{Rank, Side};
use outflank_record::{Record, Replay};

/// Moments taken of one game, at most about so many.
const MOMENTS: u32 = 40;

/// A hidden piece.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// Its [`Rank::index`].
    pub truth: u8,
    /// What is believed of it without opponent types.
    pub before: [f32; Rank::COUNT],
    /// Where its features end in [`Case::features`].
    pub end: u32,
}

/// One player's hidden pieces at one moment.
#[derive(Clone, Debug)]
pub struct Case {
    /// The game, by its place among all that were read.
    pub game: usize,
    /// The names of both players, the owner of the pieces first.
    pub names: [usize; 2],
    /// The pieces of more than one possible rank.
    pub pieces: Vec<Hidden>,
    /// The features that they have given, one piece after another.
    pub features: Vec<u16>,
}

/// Everything read.
#[derive(Debug, Default)]
pub struct Cases {
    /// All moments, game by game.
    pub cases: Vec<Case>,
    /// The players' names.
    pub names: Vec<String>,
    games: usize,
}

/// A player's name and where its games come from, as `source/name`.
pub fn full_name(source: &str, name: &str) -> String {
    format!("{source}/{name}")
}

/// Whether `asked`, a name, a source or both, means the player.
pub fn is_meant(full_name: &str, asked: &str) -> bool {
    full_name == asked || full_name.split('/').any(|part| part == asked)
}

/// Plies from one moment to the next in a game of so many.
pub fn spacing(plies: usize, every: u32) -> u32 {
    every.max(plies as u32 / MOMENTS)
}

impl Cases {
    /// The number of a player's name.
    fn name(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Adds the moments of a game, at least `every` plies apart; its players are named after `source`, too. Games of
    /// other armies than the classic one teach nothing here.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn add(&mut self, record: &Record, source: &str, every: u32) -> anyhow::Result<()> {
        if record.ruleset()?.barrage {
            return Ok(());
        }
        let names = record.players.each_ref().map(|player| self.name(&full_name(source, &player.name)));
        let every = spacing(record.moves.len(), every);
        let mut replay = Replay::new(record)?;
        while replay.step()?.is_some() {
            if replay.is_running() && replay.ply().is_multiple_of(every) {
                for viewer in Side::BOTH {
                    let owner = viewer.enemy();
                    let names = [names[owner], names[viewer]];
                    let case = look(&replay, viewer, self.games, names)?;
                    self.cases.push(case);
                }
            }
        }
        self.games += 1;
        Ok(())
    }
}

fn look(replay: &Replay, viewer: Side, game: usize, names: [usize; 2]) -> anyhow::Result<Case> {
    let view = replay.view(viewer);
    let belief = Belief::of_enemies_by(view, &NO_TYPES);
    let mut case = Case { game, names, pieces: Vec::new(), features: Vec::new() };
    for (id, probabilities) in belief.pieces() {
        let piece = view.position().piece(*id);
        if probabilities.values().filter(|chance| **chance > 0.0).count() > 1 {
            features(&view.behaviours().snapshot(view.position(), *id, piece), &mut case.features);
            let (truth, end) = (replay.truth(*id)?.index() as u8, case.features.len() as u32);
            case.pieces.push(Hidden { truth, before: *probabilities.as_array(), end });
        }
    }
    Ok(case)
}
