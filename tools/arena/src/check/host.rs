//! The processes of the engine that steps talk to.

use super::talk::{Note, Step, Talk, Terms, Trouble};

/// Starts processes of the engine, one at a time.
#[derive(Debug)]
pub(super) struct Host {
    terms: Terms,
    talk: Option<Talk>,
}

impl Host {
    pub(super) const fn new(terms: Terms) -> Host {
        Host { terms, talk: None }
    }

    /// A fresh process in place of the last one.
    pub(super) fn fresh(&mut self) -> Step<&mut Talk> {
        self.talk = None;
        Ok(self.talk.insert(Talk::start(&self.terms)?))
    }

    /// The last conversation.
    pub(super) fn notes(&self) -> Vec<Note> {
        self.talk.as_ref().map(Talk::notes).unwrap_or_default()
    }
}

/// A step within a step that may be left out; returns whether it was made.
pub(super) fn unless_skipped(made: Step) -> Step<bool> {
    match made {
        Ok(()) => Ok(true),
        Err(Trouble::Skipped(_)) => Ok(false),
        Err(trouble) => Err(trouble),
    }
}
