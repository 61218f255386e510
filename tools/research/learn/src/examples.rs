//! Recorded games of stronger players: what they chose is to be foretold, by either side.

use crate::game::Start;
use anyhow::{Context, ensure};
use outflank::rules::{Action, BySide, Side};
use outflank_record::{Winner, open};
use std::path::PathBuf;

/// A recorded game.
#[derive(Clone, Debug)]
pub struct Example {
    /// What it began with.
    pub start: Start,
    /// The plies made.
    pub plies: Vec<Action>,
    /// The points that the player of each ply expected, in 1/1000, where it was recorded.
    pub expected: Vec<Option<u16>>,
    /// Who won.
    pub winner: Option<Side>,
}

impl Example {
    /// Left and right exchanged.
    fn mirrored(&self) -> Example {
        let setups = BySide::from_fn(|side| self.start.setups[side].mirrored());
        Example {
            start: Start { setups, ..self.start },
            plies: self.plies.iter().map(|action| action.mirrored()).collect(),
            expected: self.expected.clone(),
            winner: self.winner,
        }
    }
}

/// Games to learn from, each as it was and mirrored.
#[derive(Clone, Debug, Default)]
pub struct Examples(Vec<Example>);

impl Examples {
    /// All games of these files that ended.
    ///
    /// # Errors
    /// If a file cannot be read, or no game of them ended.
    pub fn open(paths: &[PathBuf]) -> anyhow::Result<Examples> {
        let mut examples = Vec::new();
        for path in paths {
            for record in open(path)? {
                let record = record?;
                let winner = match record.outcome.winner {
                    Winner::Red => Some(Side::Red),
                    Winner::Blue => Some(Side::Blue),
                    Winner::Draw => None,
                    Winner::None => continue,
                };
                let read = || -> anyhow::Result<Example> {
                    let start = Start { rules: record.ruleset()?, setups: record.armies()? };
                    let plies: Vec<_> = record.actions()?.into_iter().map(|played| played.action).collect();
                    let expected = (0..plies.len()).map(|ply| record.expected(ply)).collect();
                    Ok(Example { start, plies, expected, winner })
                };
                let example = read().with_context(|| format!("{}: game {}", path.display(), record.game))?;
                examples.push(example.mirrored());
                examples.push(example);
            }
        }
        ensure!(paths.is_empty() || !examples.is_empty(), "no game among the examples ended");
        Ok(Examples(examples))
    }

    /// How many there are, mirrored ones counted.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one of this number, if there is one.
    pub fn get(&self, number: usize) -> Option<&Example> {
        self.0.get(number)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Example> {
        self.0.iter()
    }
}
