//! Many games at once, kept as they end.

use crate::engine::Fault;
use crate::game::{Chair, play};
use crate::plan::Plan;
use crate::queue::Queue;
use crate::start::Starts;
use anyhow::{Context, ensure};
use outflank::rules::BySide;
use outflank_record::console::complain;
use outflank_record::{Record, RecordFile};
use std::collections::HashSet;
use std::mem::take;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

/// Hands over what is played, to the end of it. After a void game no further one begins, and the first of them is the
/// error.
fn keep_all(
    receiver: &Receiver<Result<Record, Fault>>,
    queue: &Queue,
    keep: &mut impl FnMut(Record) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let mut void = Ok(());
    for played in receiver {
        match played {
            Ok(record) => {
                if keep(record)?.is_break() {
                    queue.close();
                }
            }
            Err(fault) if void.is_ok() => {
                queue.close();
                complain(format_args!("no further game begins: {fault}"));
                void = Err(fault.into());
            }
            Err(_) => {}
        }
    }
    void
}

/// The processes of one thread: those of its last game, by the numbers of their contenders.
#[derive(Default)]
struct Processes {
    seats: BySide<usize>,
    chairs: BySide<Chair>,
}

impl Processes {
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
    /// Those of `keep`; and if the machine lacks something, or an engine does not start any more: then, too, the games
    /// that are being played are played out.
    pub fn play(
        &self,
        concurrency: usize,
        done: &HashSet<u64>,
        keep: impl FnMut(Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        self.play_watched(&Starts::default(), concurrency, done, keep)
    }

    /// Like [`Plan::play`], with what its games share.
    ///
    /// # Errors
    /// Those of [`Plan::play`].
    pub fn play_watched(
        &self,
        starts: &Starts,
        concurrency: usize,
        done: &HashSet<u64>,
        mut keep: impl FnMut(Record) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let queue = &Queue::new(self.numbers().filter(|number| !done.contains(number)));
        let left = self.count().saturating_sub(done.len() as u64);
        let (sender, receiver) = channel();
        thread::scope(|scope| {
            for _ in 0..(concurrency as u64).clamp(1, left.max(1)) {
                let own = sender.clone();
                let work = move || self.work(queue, starts, &own);
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                    let _ = sender.send(Err(Fault::of_host("a thread for games", &error)));
                    break;
                }
            }
            drop(sender);
            let kept = keep_all(&receiver, queue, &mut keep);
            // Whoever plays on after an error finds no further game.
            queue.close();
            kept
        })
    }

    /// Plays one game by itself; `None` if it is not played to its end.
    pub fn play_one(&self, number: u64) -> Option<Record> {
        self.play_at(&mut Processes::default(), number, &Starts::default()).ok().flatten()
    }

    fn play_at(
        &self,
        processes: &mut Processes,
        number: u64,
        starts: &Starts,
    ) -> Result<Option<Record>, Fault> {
        let fixture = self.fixture(number);
        processes.seat(fixture.seats);
        let contenders = fixture.seats.map(|seat| &self.contenders[seat]);
        play(&self.house, &fixture, contenders, &mut processes.chairs, starts)
    }

    fn work(&self, queue: &Queue, starts: &Starts, sender: &Sender<Result<Record, Fault>>) {
        let mut processes = Processes::default();
        while let Some(number) = queue.next() {
            let Some(played) = self.play_at(&mut processes, number, starts).transpose() else { return };
            let is_void = played.is_err();
            if sender.send(played).is_err() || is_void {
                return;
            }
        }
    }

    /// Opens the file of records to append to: a last line cut short is put into a file beside it. `look` sees each
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
