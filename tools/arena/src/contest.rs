//! Many games at once, kept as they end.

use crate::game::{Chair, play};
use crate::plan::Plan;
use crate::queue::Queue;
use anyhow::{Context, ensure};
use outflank::rules::BySide;
use outflank_record::{Record, RecordFile};
use std::collections::HashSet;
use std::mem::take;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The processes of one thread: those of its last game, by the numbers of their contenders.
#[derive(Default)]
struct Desk {
    seats: BySide<usize>,
    chairs: BySide<Chair>,
}

impl Desk {
    /// Keeps whom the next game needs, in their new places; the others go home.
    fn seat(&mut self, seats: BySide<usize>) {
        if self.seats == seats.swapped() {
            self.chairs = take(&mut self.chairs).swapped();
        } else {
            for (side, &seat) in seats.iter() {
                if self.seats[side] != seat {
                    self.chairs[side] = Chair::default();
                }
            }
        }
        self.seats = seats;
    }
}

impl Plan {
    /// Plays the games that `done` lacks, `concurrency` at once, and hands each over as it ends. Once `keep` breaks
    /// off, no further game begins; those that are being played are played out and handed over too. Once
    /// [`engine::end_all`](crate::engine::end_all) was called, they are broken off and never handed over.
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn play(
        &self,
        concurrency: usize,
        done: &HashSet<u64>,
        mut keep: impl FnMut(Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let queue = &Queue::new(self.numbers().filter(|number| !done.contains(number)));
        let left = self.count().saturating_sub(done.len() as u64);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..(concurrency as u64).clamp(1, left.max(1)) {
                let sender = sender.clone();
                scope.spawn(move || self.work(queue, &sender));
            }
            drop(sender);
            let kept = receiver.iter().try_for_each(|record| {
                if keep(record)?.is_break() {
                    queue.close();
                }
                Ok(())
            });
            // Whoever plays on after an error finds no further game.
            queue.close();
            kept
        })
    }

    /// Plays one game by itself; `None` if the arena is told to end before it is over.
    pub fn play_one(&self, number: u64) -> Option<Record> {
        self.play_at(&mut Desk::default(), number)
    }

    fn play_at(&self, desk: &mut Desk, number: u64) -> Option<Record> {
        let fixture = self.fixture(number);
        desk.seat(fixture.seats);
        let contenders = fixture.seats.map(|seat| &self.contenders[seat]);
        play(&self.house, &fixture, contenders, &mut desk.chairs)
    }

    fn work(&self, queue: &Queue, sender: &Sender<Record>) {
        let mut desk = Desk::default();
        while let Some(number) = queue.next() {
            let Some(record) = self.play_at(&mut desk, number) else { return };
            if sender.send(record).is_err() {
                return;
            }
        }
    }

    /// Opens the file of records to go on with: a last line cut short is put into a file beside it. `look` sees each
    /// record; returns the numbers of the games that are there.
    ///
    /// # Errors
    /// As [`RecordFile::resume`], and if it holds games of another match, or one twice.
    pub fn resume(
        &self,
        path: &Path,
        mut look: impl FnMut(&Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<(RecordFile, HashSet<u64>)> {
        let mut done = HashSet::new();
        let file = RecordFile::resume(path, |record| {
            let place = || format!("game {} is of another match", record.game);
            self.check_own(&record).with_context(place)?;
            ensure!(done.insert(record.game), "game {} is there twice", record.game);
            look(&record)
        })?;
        Ok((file, done))
    }
}
