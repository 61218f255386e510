//! Games that a set of records has twice: they would count double in every figure.

use crate::record::Record;
use anyhow::bail;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Finds the games that were added twice.
///
/// Games of several matches may stand in one file, so a game is known by its number and by what tells matches apart:
/// seed, rules and players.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    matches: HashMap<(u64, String, [String; 2]), HashSet<u64>>,
    doubled: BTreeSet<u64>,
}

impl Duplicates {
    /// Adds a game.
    pub fn add(&mut self, record: &Record) {
        let names = record.names().map(str::to_owned);
        let games = self.matches.entry((record.seed, record.rules.clone(), names)).or_default();
        if !games.insert(record.game) {
            self.doubled.insert(record.game);
        }
    }

    /// # Errors
    /// If a game was there twice; the message names all such games, or the first ones of many.
    pub fn check(&self) -> anyhow::Result<()> {
        match numbers(&self.doubled) {
            None => Ok(()),
            Some(named) if self.doubled.len() == 1 => bail!("game {named} is there twice"),
            Some(named) => bail!("games {named} are there twice"),
        }
    }
}

/// Numbers that a message names before it says how many more there are.
const NAMED: usize = 10;

/// `1, 4 and 9`, or `1, 4, ... and 20 more`; `None` if there are none.
fn numbers(all: &BTreeSet<u64>) -> Option<String> {
    let mut words: Vec<String> = all.iter().take(NAMED).map(u64::to_string).collect();
    if all.len() > NAMED {
        words.push(format!("{} more", all.len() - NAMED));
    }
    let last = words.pop()?;
    Some(if words.is_empty() { last } else { format!("{} and {last}", words.join(", ")) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PlayerRecord;
    use outflank::rules::BySide;

    fn record(game: u64, names: [&str; 2]) -> Record {
        let players =
            BySide::new(names).map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
        Record { game, players, ..Record::default() }
    }

    fn complaint(games: &[u64]) -> String {
        let mut duplicates = Duplicates::default();
        for game in games {
            duplicates.add(&record(*game, ["a", "b"]));
        }
        duplicates.check().map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn doubled_games_are_named() {
        assert_eq!(complaint(&[0, 1, 2]), "");
        assert_eq!(complaint(&[0, 1, 0, 2]), "game 0 is there twice");
        assert_eq!(complaint(&[4, 1, 1, 4, 9, 4, 9]), "games 1, 4 and 9 are there twice");
        let many: Vec<u64> = (0..12).chain(0..12).collect();
        assert_eq!(complaint(&many), "games 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more are there twice");
    }

    #[test]
    fn games_of_two_matches_are_no_doubles() {
        let mut duplicates = Duplicates::default();
        duplicates.add(&record(0, ["a", "b"]));
        duplicates.add(&record(0, ["a", "c"]));
        duplicates.add(&Record { seed: 2, ..record(0, ["a", "b"]) });
        duplicates.check().unwrap();
    }
}
