//! Writing answers: one thread owns the output, so that nobody else ever waits inside a write.

use super::driver::Event;
use super::{BACKLOG_BYTES, INFO_BACKLOG_BYTES};
use std::fmt::Write as _;
use std::io::Write;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

#[derive(Debug, Default)]
struct Backlog {
    text: String,
    /// No more will come.
    finished: bool,
    /// Nobody reads any more.
    gone: bool,
}

#[derive(Debug, Default)]
struct Shared {
    backlog: Mutex<Backlog>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Backlog> {
        self.backlog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, backlog: MutexGuard<'a, Backlog>) -> MutexGuard<'a, Backlog> {
        self.changed.wait(backlog).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way to the writer.
#[derive(Debug)]
pub(super) struct Output {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

impl Output {
    /// Starts the writer. When nobody reads any more it says so to `events`.
    pub(super) fn start(sink: Box<dyn Write + Send>, events: Sender<Event>) -> std::io::Result<Output> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let writer = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write_all(&theirs, sink, &events))?;
        Ok(Output { shared, writer: Some(writer) })
    }

    /// Says one line; waits while too much is unread.
    pub(super) fn say(&self, line: &dyn std::fmt::Display) {
        let mut backlog = self.shared.lock();
        while backlog.text.len() > BACKLOG_BYTES && !backlog.gone {
            backlog = self.shared.wait(backlog);
        }
        self.push(backlog, line);
    }

    /// Says one line that may be left out while much is unread.
    pub(super) fn mention(&self, line: &dyn std::fmt::Display) {
        let backlog = self.shared.lock();
        if backlog.text.len() <= INFO_BACKLOG_BYTES {
            self.push(backlog, line);
        }
    }

    fn push(&self, mut backlog: MutexGuard<'_, Backlog>, line: &dyn std::fmt::Display) {
        if !backlog.gone {
            // Writing to a string cannot fail unless the line's own formatting does, which tells of no I/O.
            let _ = writeln!(backlog.text, "{line}");
            self.shared.changed.notify_all();
        }
    }

    /// Whether nobody reads any more.
    pub(super) fn is_gone(&self) -> bool {
        self.shared.lock().gone
    }

    /// Writes what is left and ends.
    pub(super) fn finish(mut self) {
        self.shared.lock().finished = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn write_all(shared: &Shared, mut sink: Box<dyn Write + Send>, events: &Sender<Event>) {
    loop {
        let mut backlog = shared.lock();
        while backlog.text.is_empty() && !backlog.finished {
            backlog = shared.wait(backlog);
        }
        if backlog.text.is_empty() {
            return;
        }
        let text = std::mem::take(&mut backlog.text);
        drop(backlog);
        shared.changed.notify_all();
        if sink.write_all(text.as_bytes()).and_then(|()| sink.flush()).is_err() {
            shared.lock().gone = true;
            shared.changed.notify_all();
            let _ = events.send(Event::OutputGone);
            return;
        }
    }
}
