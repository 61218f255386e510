//! Many games at once.

use crate::game::Game;
use crate::player::Config;
use crate::queue::Queue;
use crate::rules::Rules;
use crate::shard::Shard;
use anyhow::{Context, ensure};
use outflank::rules::BySide;
use outflank_record::{Record, RecordFile};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Contest {
    /// How many games.
    pub games: u64,
    /// Whether games 2k and 2k+1 share their setups.
    pub pairs: bool,
    /// The rule systems.
    pub rules: Rules,
    /// Seeds everything.
    pub seed: u64,
    /// The players; the first is Red in even games.
    pub players: [Config; 2],
    /// Whether records tell how long each action took.
    pub clocks: bool,
}

impl Contest {
    /// One of its games. Colours alternate.
    pub fn game(&self, number: u64) -> Game {
        let players = BySide::new(self.players.clone());
        let players = if number.is_multiple_of(2) { players } else { players.swapped() };
        let pair = self.pairs.then_some(number / 2);
        let rules = self.rules.of(self.seed, pair.unwrap_or(number));
        Game { number, pair, rules, seed: self.seed, players, clocks: self.clocks }
    }

    /// Plays the games that `done` lacks on `threads` threads and hands their records over in order.
    ///
    /// A record waits until those of smaller number are there, so the order does not depend on the threads.
    ///
    /// # Errors
    /// The first of a game's or of `keep`'s; games not begun are then left out.
    pub fn play(
        &self,
        threads: usize,
        done: &HashSet<u64>,
        keep: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.play_share(Shard::WHOLE, threads, done, keep)
    }

    /// As [`play`](Contest::play), but only the games of a share. The records tell of it.
    ///
    /// # Errors
    /// As [`play`](Contest::play).
    pub fn play_share(
        &self,
        shard: Shard,
        threads: usize,
        done: &HashSet<u64>,
        mut keep: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let wanted = || self.numbers(shard).filter(|number| !done.contains(number));
        let (queue, left) = (&Queue::new(wanted()), self.left(shard, done));
        let mut keep = |record| keep(Record { shard: shard.record(self.games), ..record });
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..(threads as u64).clamp(1, left.max(1)) {
                let sender = sender.clone();
                scope.spawn(move || self.work(queue, &sender));
            }
            drop(sender);
            let kept = in_order(wanted(), &receiver, &mut keep);
            // Whoever plays on now finds no further game and nobody listening.
            queue.close();
            kept
        })
    }

    /// The numbers of a share's games, in order. A pair is never shared out.
    fn numbers(&self, shard: Shard) -> impl Iterator<Item = u64> + Send + use<> {
        let (games, together) = (self.games, self.games_a_round());
        shard
            .rounds(games.div_ceil(together))
            .flat_map(move |round| round * together..((round + 1) * together).min(games))
    }

    const fn games_a_round(&self) -> u64 {
        if self.pairs { 2 } else { 1 }
    }

    /// How many games of a share are to be played when these are there.
    pub fn left(&self, shard: Shard, done: &HashSet<u64>) -> u64 {
        let (together, rounds) = (self.games_a_round(), self.games.div_ceil(self.games_a_round()));
        let here =
            |number: &u64| *number < self.games && (*number / together) % shard.count.max(1) == shard.index;
        let all = (shard.size(rounds) * together).min(self.games);
        all.saturating_sub(done.iter().filter(|number| here(number)).count() as u64)
    }

    fn work(&self, queue: &Queue, sender: &Sender<anyhow::Result<Record>>) {
        while let Some(number) = queue.next() {
            let played = self.game(number).play().with_context(|| format!("game {number}"));
            if sender.send(played).is_err() {
                return;
            }
        }
    }

    /// Opens the file of a share's records to go on with: a last line cut short is dropped. Returns the games it has.
    ///
    /// # Errors
    /// As [`RecordFile::resume`], and if it holds games of another contest, or one twice.
    pub fn resume(&self, shard: Shard, path: &Path) -> anyhow::Result<(RecordFile, HashSet<u64>)> {
        let mut done = HashSet::new();
        let file = RecordFile::resume(path, |record| {
            self.check_own(shard, &record).with_context(|| format!("game {}", record.game))?;
            ensure!(done.insert(record.game), "game {} is there twice", record.game);
            Ok(())
        })?;
        Ok((file, done))
    }

    fn check_own(&self, shard: Shard, record: &Record) -> anyhow::Result<()> {
        let game = self.game(record.game);
        ensure!(record.seed == self.seed, "it has seed {}", record.seed);
        ensure!(record.rules == game.rules.to_string(), "its rules are {}", record.rules);
        ensure!(record.pair == game.pair, "it belongs to pair {:?}", record.pair);
        if let Some((told, own)) = record.shard.zip(shard.record(self.games)) {
            let same = (told.index, told.count) == (own.index, own.count);
            ensure!(same, "it is of shard {}/{}", told.index, told.count);
        }
        ensure!(record.players == game.players.each_ref().map(Config::record), "other players met in it");
        Ok(())
    }
}

fn in_order(
    mut turn: impl Iterator<Item = u64>,
    receiver: &Receiver<anyhow::Result<Record>>,
    keep: &mut impl FnMut(Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut waiting = BTreeMap::new();
    let mut next = turn.next();
    for played in receiver {
        let record = played?;
        waiting.insert(record.game, record);
        while let Some(record) = next.and_then(|number| waiting.remove(&number)) {
            keep(record)?;
            next = turn.next();
        }
    }
    ensure!(next.is_none(), "a thread gave up before its game was over");
    Ok(())
}
