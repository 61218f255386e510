//! The thinker's way to the owner.

use super::driver::Event;
use super::job::{Desk, Done, Job, Report};
use crate::engine::{Searcher, Stopwatch};
use crate::search::Info;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Reports of a search that may wait for the owner; the reader bounds what waits besides.
const REPORTS: usize = 256;
/// Reports of a search that are collected; `None` once each of them is sent.
pub(super) type Collected = Arc<Mutex<Option<Vec<Box<Info>>>>>;

/// What ties the thinker to the owner.
pub(super) struct Wire {
    pub stop: Arc<AtomicBool>,
    pub reports: Arc<AtomicUsize>,
    pub events: Sender<Event>,
    pub collected: Collected,
}

impl Wire {
    /// Sends a report. One of a search in progress is collected at first, and lost when many are on their way; a line
    /// to print never is.
    fn send(&self, mut report: Report) {
        if let Report::Info(info) = report {
            let mut collected = self.collected.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(collected) = collected.as_mut().filter(|collected| collected.len() < REPORTS) {
                collected.push(info);
                return;
            }
            report = Report::Info(info);
            if self.reports.load(Ordering::Relaxed) >= REPORTS {
                return;
            }
            self.reports.fetch_add(1, Ordering::Relaxed);
        }
        // Nobody listens any more: the process is about to end.
        let _ = self.events.send(Event::Report(report));
    }
}

/// Does a job and sends what it has to say; a panic is one of the ways to end.
pub(super) fn think(job: Job, searcher: Searcher, at: Instant, wire: &Wire) {
    let mut report = |report: Report| wire.send(report);
    let mut desk = Desk { searcher, clock: Stopwatch(at), stop: &wire.stop, report: &mut report };
    let done = catch_unwind(AssertUnwindSafe(|| job.run(&mut desk))).unwrap_or(Done::Panicked);
    wire.send(Report::Done(done));
}
