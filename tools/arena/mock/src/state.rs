//! What both sides of the conversation know of it.

use super::fault::Fault;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The fault, and how far the conversation is.
pub(crate) struct State {
    fault: Option<Fault>,
    from: u64,
    inner: Mutex<Inner>,
    changed: Condvar,
}

/// How far the conversation is.
#[derive(Default)]
pub(crate) struct Inner {
    /// Lines that begin with `go`.
    pub(crate) gos: u64,
    /// Those of them that are not answered yet.
    pub(crate) open: u64,
    /// Whether the last of them has a time.
    pub(crate) timed: bool,
    /// Whether the last of them has no end.
    pub(crate) infinite: bool,
    /// First words of answers to questions that the mock asked by itself, in order.
    pub(crate) own: Vec<&'static str>,
    /// The legal actions, as last asked for.
    pub(crate) legal: Vec<String>,
    /// A number made of ranks that a player cannot know.
    pub(crate) secret: u64,
}

impl State {
    pub(crate) fn new(fault: Option<Fault>, from: u64) -> State {
        State { fault, from, inner: Mutex::default(), changed: Condvar::new() }
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether this is the fault, now or later.
    pub(crate) fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault)
    }

    /// Whether this is the fault, and it shows by now.
    pub(crate) fn shows(&self, fault: Fault) -> bool {
        self.has(fault) && self.lock().gos >= self.from
    }

    /// Tells whoever waits for it that something has changed.
    pub(crate) fn tell(&self) {
        self.changed.notify_all();
    }

    /// Waits until no `go` is open.
    pub(crate) fn wait_until_idle(&self) {
        let mut inner = self.lock();
        while inner.open > 0 {
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
