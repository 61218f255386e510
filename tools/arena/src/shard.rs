//! Shares of a match, for many machines.

use anyhow::{Context, ensure};
use outflank_record::ShardRecord;
use std::str::FromStr;

/// A share: the rounds whose number leaves `index` when divided by `count`.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Shard {
    /// From 0.
    pub index: u64,
    /// How many there are.
    pub count: u64,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// The numbers of its rounds, in order, of `rounds` in all.
    pub fn rounds(self, rounds: u64) -> impl Iterator<Item = u64> + Send {
        let step = usize::try_from(self.count.max(1)).unwrap_or(usize::MAX);
        (self.index..rounds).step_by(step)
    }

    /// How many rounds it has, of `rounds` in all.
    pub const fn size(self, rounds: u64) -> u64 {
        let count = if self.count == 0 { 1 } else { self.count };
        rounds.saturating_sub(self.index).div_ceil(count)
    }

    /// What records tell of the share; nothing of the whole. `games` are those of the whole match.
    pub fn record(self, games: u64) -> Option<ShardRecord> {
        (self.count > 1).then(|| ShardRecord { index: self.index + 1, count: self.count, games })
    }
}

impl FromStr for Shard {
    type Err = anyhow::Error;

    /// Reads `2/5`, the second of five.
    fn from_str(text: &str) -> anyhow::Result<Shard> {
        let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse().ok()?)));
        let (index, count) = numbers.context("a shard is written 2/5, the second of five")?;
        ensure!((1..=count).contains(&index), "there is no shard {index} of {count}");
        Ok(Shard { index: index - 1, count })
    }
}
