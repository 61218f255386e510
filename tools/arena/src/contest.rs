//! Many games at once, kept as they end.

use crate::game::{Chair, play};
use crate::plan::Plan;
use anyhow::Context;
use outflank_selfplay::record::{Record, reopen};
use std::collections::HashSet;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// The processes of one thread: those of its last game, by the numbers of their contenders, Red's first.
#[derive(Default)]
struct Desk {
    seats: [usize; 2],
    chairs: [Chair; 2],
}

impl Desk {
    /// Keeps whom the next game needs, in their new places; the others go home.
    fn seat(&mut self, seats: [usize; 2]) {
        if self.seats == [seats[1], seats[0]] {
            self.chairs.reverse();
        } else {
            for (place, seat) in seats.into_iter().enumerate() {
                if self.seats[place] != seat {
                    self.chairs[place] = Chair::default();
                }
            }
        }
        self.seats = seats;
    }
}

impl Plan {
    /// Plays the games that `done` lacks, `concurrency` at once, and hands each over as it ends. Once `keep` breaks off, no
    /// further game begins; those that are being played are played out and handed over too.
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn play(
        &self,
        concurrency: usize,
        done: &HashSet<u64>,
        mut keep: impl FnMut(Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let wanted: Vec<u64> = self.numbers().filter(|number| !done.contains(number)).collect();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..concurrency.clamp(1, wanted.len().max(1)) {
                let sender = sender.clone();
                let (wanted, next) = (&wanted, &next);
                scope.spawn(move || self.work(wanted, next, &sender));
            }
            drop(sender);
            let kept = receiver.iter().try_for_each(|record| {
                if keep(record)?.is_break() {
                    next.store(wanted.len(), Ordering::Relaxed);
                }
                Ok(())
            });
            // Whoever plays on after an error finds no further game.
            next.store(wanted.len(), Ordering::Relaxed);
            kept
        })
    }

    fn work(&self, wanted: &[u64], next: &AtomicUsize, sender: &Sender<Record>) {
        let mut desk = Desk::default();
        while let Some(&number) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            let fixture = self.fixture(number);
            desk.seat(fixture.seats);
            let contenders = fixture.seats.map(|seat| &self.contenders[seat]);
            if sender.send(play(&self.house, &fixture, contenders, &mut desk.chairs)).is_err() {
                return;
            }
        }
    }

    /// Opens the file of records to go on with: a last line cut short is dropped. Returns the games it has.
    ///
    /// # Errors
    /// If the file cannot be read, or holds games of another match.
    pub fn resume(&self, path: &Path) -> anyhow::Result<(File, Vec<Record>)> {
        let (file, records) = reopen(path)?;
        for record in &records {
            let place = || format!("{}: game {} is of another match", path.display(), record.game);
            self.check_own(record).with_context(place)?;
        }
        Ok((file, records))
    }
}
