//! Which games of a match a set of records has, and which it lacks.

use anyhow::ensure;
use outflank_record::Record;
use std::collections::BTreeSet;

/// The numbers of the games, and what they tell of the shards they were played with.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    numbers: BTreeSet<u64>,
    /// Games of the whole match, as far as that is known.
    games: u64,
    /// How many shards the match has; 0 if nothing is known of any.
    count: u64,
    shards: BTreeSet<u64>,
}

/// Gaps and shards that a message names before it says how many more there are.
const NAMED: usize = 5;

impl Coverage {
    /// Notes a game.
    ///
    /// # Errors
    /// If it is of a match that was shared out otherwise.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        self.numbers.insert(record.game);
        self.games = self.games.max(record.game.saturating_add(1));
        if let Some(shard) = record.shard {
            let same = self.count == 0 || self.count == shard.count;
            ensure!(same, "one game is of {} shards, another of {}", self.count, shard.count);
            self.games = self.games.max(shard.games);
            self.count = shard.count;
            self.shards.insert(shard.index);
        }
        Ok(())
    }

    /// What the records lack of the whole match, in words; `None` if they lack nothing, as far as they tell.
    pub fn missing(&self) -> Option<String> {
        let missing = self.games - self.numbers.len() as u64;
        if missing == 0 {
            return None;
        }
        let shards: Vec<String> = (1..=self.count)
            .filter(|index| !self.shards.contains(index))
            .take(NAMED)
            .map(|index| format!("{index}/{}", self.count))
            .collect();
        let gaps: Vec<String> = self.gaps().take(NAMED).collect();
        let more = if self.gaps().nth(NAMED).is_some() { ", ..." } else { "" };
        let gaps = format!("{missing} of {} games: {}{more}", self.games, gaps.join(", "));
        Some(if shards.is_empty() { gaps } else { format!("shard {}; {gaps}", shards.join(", ")) })
    }

    /// Numbers that are missing between others, before them and after them.
    fn gaps(&self) -> impl Iterator<Item = String> {
        let afters = self.numbers.iter().map(|number| number.saturating_add(1));
        let nexts = self.numbers.iter().copied().chain([self.games]);
        [0].into_iter().chain(afters).zip(nexts).filter(|(from, next)| from < next).map(|(from, next)| {
            if from + 1 == next { from.to_string() } else { format!("{from} to {}", next - 1) }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_record::ShardRecord;

    fn of(games: &[u64], shards: &[ShardRecord]) -> Option<String> {
        let mut coverage = Coverage::default();
        for (place, &game) in games.iter().enumerate() {
            let shard = (!shards.is_empty()).then(|| shards[place % shards.len()]);
            coverage.add(&Record { game, shard, ..Record::default() }).unwrap();
        }
        coverage.missing()
    }

    #[test]
    fn gaps_are_named() {
        assert_eq!(of(&[], &[]), None);
        assert_eq!(of(&[2, 0, 1], &[]), None);
        assert_eq!(of(&[2, 6, 7], &[]).unwrap(), "5 of 8 games: 0 to 1, 3 to 5");
        let odd: Vec<u64> = (0..20).map(|number| 2 * number + 1).collect();
        assert_eq!(of(&odd, &[]).unwrap(), "20 of 40 games: 0, 2, 4, 6, 8, ...");
    }

    #[test]
    fn shards_tell_what_lies_behind_the_last_game() {
        let shard = |index| ShardRecord { index, count: 3, games: 6 };
        assert_eq!(of(&[0, 1, 2], &[shard(1), shard(2)]).unwrap(), "shard 3/3; 3 of 6 games: 3 to 5");
        assert_eq!(of(&[0, 1, 2, 3, 4], &[shard(1), shard(2), shard(3)]).unwrap(), "1 of 6 games: 5");
        // A match may have more shards than rounds.
        assert_eq!(of(&[0, 1, 2, 3, 4, 5], &[shard(1), shard(2)]), None);
        let mut coverage = Coverage::default();
        let record =
            |count| Record { shard: Some(ShardRecord { index: 1, count, games: 6 }), ..Record::default() };
        coverage.add(&record(2)).unwrap();
        assert!(coverage.add(&record(3)).is_err());
    }
}
