//! Writing answers: one thread owns the output, so that nobody else ever waits inside a write.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Unread answers in bytes from which nothing new is answered.
pub const BACKLOG_BYTES: usize = 4 << 20;
/// Unread answers in bytes from which reports of a search are left out.
pub const INFO_BACKLOG_BYTES: usize = 64 << 10;

/// Prints a text and an LF on stdout. Whoever has stopped reading does not want to hear of it.
///
/// # Errors
/// If it cannot be written for another reason: a full disk, say.
pub fn print(text: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{text}").or_else(|error| heard(&error))
}

/// What a failed write is to the program: nothing, if whoever read has gone.
fn heard(error: &io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        kind => Err(io::Error::new(kind, format!("standard output: {error}"))),
    }
}

#[derive(Debug, Default)]
struct Backlog {
    text: String,
    /// No more will come.
    finished: bool,
    /// Nobody reads any more.
    gone: bool,
    /// Why writing failed.
    error: Option<io::Error>,
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
pub(crate) struct Output {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

impl Output {
    /// Starts the writer. It calls `gone` when nobody reads any more.
    pub(crate) fn start(
        sink: Box<dyn Write + Send>,
        gone: impl FnOnce() + Send + 'static,
    ) -> io::Result<Output> {
        let shared = Arc::new(Shared::default());
        let theirs = Arc::clone(&shared);
        let writer = std::thread::Builder::new()
            .name("writer".to_owned())
            .spawn(move || write_all(&theirs, sink, gone))?;
        Ok(Output { shared, writer: Some(writer) })
    }

    /// Says one line; waits while too much is unread.
    pub(crate) fn say(&self, line: &dyn std::fmt::Display) {
        let mut backlog = self.shared.lock();
        while backlog.text.len() > BACKLOG_BYTES && !backlog.gone {
            backlog = self.shared.wait(backlog);
        }
        self.push(backlog, line);
    }

    /// Says one line that may be left out while much is unread.
    pub(crate) fn say_if_room(&self, line: &dyn std::fmt::Display) {
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
    pub(crate) fn is_gone(&self) -> bool {
        self.shared.lock().gone
    }

    /// Writes what is left and ends.
    ///
    /// # Errors
    /// If something could not be written, for another reason than that nobody reads any more.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.shared.lock().finished = true;
        self.shared.changed.notify_all();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
        let error = self.shared.lock().error.take();
        error.map_or(Ok(()), |error| heard(&error))
    }
}

fn write_all(shared: &Shared, mut sink: Box<dyn Write + Send>, gone: impl FnOnce()) {
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
        if let Err(error) = sink.write_all(text.as_bytes()).and_then(|()| sink.flush()) {
            let mut backlog = shared.lock();
            (backlog.gone, backlog.error) = (true, Some(error));
            drop(backlog);
            shared.changed.notify_all();
            return gone();
        }
    }
}
