//! The queue to the event loop, and the thinker's end of it.

use crate::protocol::analysis::context::Report;
use crate::protocol::session::task::Done;
use crate::protocol::transport::input::Input;
use outflank_engine::search::Info;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// Something that the event loop has to deal with.
#[derive(Debug)]
pub(crate) enum Event {
    /// From the host.
    Input(Input),
    /// The thinker has something to say.
    Report(Report),
    /// The thinker has ended.
    Done(Done),
    /// Nobody reads the answers any more.
    OutputGone,
}

/// Reports of a search that may wait for the event loop; the reader bounds what waits besides.
const REPORTS: usize = 256;
/// Reports of a search that are collected; `None` once each of them is sent.
pub(crate) type Collected = Arc<Mutex<Option<Vec<Box<Info>>>>>;

/// What ties the thinker to the event loop.
pub(crate) struct Channel {
    pub stop: Arc<AtomicBool>,
    pub reports: Arc<AtomicUsize>,
    pub events: Sender<Event>,
    pub collected: Collected,
}

impl Channel {
    /// Sends a report. One of a search in progress is collected at first, and lost when many are on their way; a line
    /// to print never is.
    pub(crate) fn report(&self, mut report: Report) {
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
        self.send(Event::Report(report));
    }

    /// Sends how the task ended.
    pub(crate) fn end(&self, done: Done) {
        self.send(Event::Done(done));
    }

    fn send(&self, event: Event) {
        // On an error nobody listens any more: the process is about to end.
        let _ = self.events.send(event);
    }
}
