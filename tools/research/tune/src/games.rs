//! The games of a round, played by `outflank-arena`.

use crate::parameter::{Parameter, assignment};
use anyhow::{Context, bail, ensure};
use outflank::rules::Side;
use outflank_record::Record;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What games are played with.
#[derive(Clone, Debug)]
pub struct Host {
    /// `outflank-arena`.
    pub arena: PathBuf,
    /// The engine, built with the feature `tune`.
    pub engine: String,
    /// Games of a match, an even number.
    pub games: u32,
    /// What each engine is given, as `--each` of a match takes it: `nodes=2000`.
    pub each: Vec<String>,
    /// Other players, each as `--engine` of a match takes it.
    pub opponents: Vec<Vec<String>>,
    /// Further options of a match.
    pub options: Vec<String>,
}

/// How the games of a round ended for the engine with the changes.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Its points less the other's, a draw being half a point each. Where both played against a third, half of what it
    /// scored more there, so that a round counts the same.
    pub lead: f64,
    /// Games.
    pub games: u32,
    /// Drawn ones.
    pub drawn: u32,
    /// Plies of all games.
    pub plies: u64,
}

/// The names of the two engines in their records.
const PLUS: &str = "plus";
const MINUS: &str = "minus";
const OTHER: &str = "other";

impl Host {
    /// Plays a round: the engine with the values `plus` against the one with `minus`, or each of them against the
    /// opponent of this number.
    ///
    /// # Errors
    /// If a match cannot be played.
    pub fn play(
        &self,
        parameters: &[Parameter],
        [plus, minus]: [&[f64]; 2],
        opponent: Option<usize>,
        seed: u64,
    ) -> anyhow::Result<Points> {
        let [plus, minus] = [(PLUS, plus), (MINUS, minus)].map(|(name, values)| {
            self.words(name, &assignment(parameters.iter().zip(values.iter().copied())))
        });
        let Some(opponent) = opponent.map(|number| self.opponent(number)) else {
            return points(&self.game_records(&[plus, minus], seed)?, PLUS);
        };
        // The same setups and seeds for both.
        let [plus, minus] = [(PLUS, plus), (MINUS, minus)].map(|(name, words)| {
            let records = self.game_records(&[words, opponent.clone()], seed)?;
            points(&records, name)
        });
        let (plus, minus) = (plus?, minus?);
        Ok(Points {
            lead: 0.5 * (plus.lead - minus.lead),
            games: plus.games + minus.games,
            drawn: plus.drawn + minus.drawn,
            plies: plus.plies + minus.plies,
        })
    }

    /// The words for an engine with these values.
    fn words(&self, name: &str, values: &str) -> Vec<String> {
        vec![format!("name={name}"), format!("cmd={}", self.engine), format!("env.OUTFLANK_PARAMS={values}")]
    }

    fn opponent(&self, number: usize) -> Vec<String> {
        [vec![format!("name={OTHER}")], self.opponents[number % self.opponents.len()].clone()].concat()
    }

    fn game_records(&self, engines: &[Vec<String>; 2], seed: u64) -> anyhow::Result<Vec<Record>> {
        // A folder that nobody else has, for the time of a match.
        let folder = tempfile::Builder::new().prefix("outflank-tune-").tempdir()?;
        let out = folder.path().join("games.jsonl");
        let mut command = Command::new(&self.arena);
        command.args(["match", "--games", &self.games.to_string(), "--seed", &seed.to_string()]);
        command.arg("--out").arg(&out).args(&self.options);
        if !self.each.is_empty() {
            command.arg("--each").args(&self.each);
        }
        for words in engines {
            command.arg("--engine").args(words);
        }
        let output = command.stdin(Stdio::null()).output();
        let output = output.with_context(|| self.arena.display().to_string())?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {}", self.arena.display(), error.trim());
        self.finished(&out)
    }

    fn finished(&self, out: &Path) -> anyhow::Result<Vec<Record>> {
        let records: Vec<Record> = outflank_record::open(out)?.collect::<anyhow::Result<_>>()?;
        ensure!(records.len() == self.games as usize, "{} of {} games", records.len(), self.games);
        Ok(records)
    }
}

/// The points of the player of this name.
fn points(records: &[Record], name: &str) -> anyhow::Result<Points> {
    let mut points = Points::default();
    // A game that the arena broke off says nothing of either.
    for record in records.iter().filter(|record| !record.outcome.is_unfinished()) {
        if let Some(fault) = &record.outcome.fault {
            bail!("game {}: {fault}", record.game);
        }
        points.games += 1;
        points.plies += record.moves.len() as u64;
        let own = Side::BOTH.into_iter().zip(record.names()).find(|(_, other)| *other == name);
        let (own, _) = own.with_context(|| format!("game {} is without {name}", record.game))?;
        match record.outcome.side()? {
            None => points.drawn += 1,
            Some(winner) => points.lead += if winner == own { 1.0 } else { -1.0 },
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::rules::{BySide, Reason};
    use outflank_record::{EndReason, Outcome, PlayerRecord};

    #[test]
    fn a_game_that_was_broken_off_counts_for_nobody() {
        let players = BySide::new([PLUS, MINUS]);
        let players = players.map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
        let won = Outcome::new(Side::Red, EndReason::Rule(Reason::Flag));
        let won = Record { outcome: won, players, ..Record::default() };
        let broken = Record { outcome: Outcome::broken_off("silent: plus".to_owned()), ..won.clone() };
        let found = points(&[broken, won.clone()], PLUS).unwrap();
        assert!(found.games == 1 && found.lead > 0.5, "{found:?}");
        let failed = Record { outcome: Outcome::of_fault(Side::Blue, "late: 9 ms".to_owned()), ..won };
        assert!(points(&[failed], PLUS).is_err());
    }
}
