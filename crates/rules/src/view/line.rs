//! Names for the lines of play that a player has been shown: two views whose keys are equal saw the same game so far.

use std::hash::{DefaultHasher, Hash, Hasher};

/// Stands for a beginning and everything shown since, up to some ply. Equal lines have equal keys, in every process of
/// one build; that unequal ones have the same is as unlikely as 1 in 2^64.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash, Default)]
#[doc(hidden)]
pub struct LineKey(u64);

impl LineKey {
    fn then(self, shown: &impl Hash) -> LineKey {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        shown.hash(&mut hasher);
        LineKey(hasher.finish())
    }
}

/// The keys of a game: of its beginning, or of the last ply that is not kept, and of every kept ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    before: LineKey,
    plies: Vec<LineKey>,
}

impl Line {
    /// Nothing made yet.
    pub(super) fn new(start: &impl Hash) -> Line {
        Line { before: LineKey::default().then(start), plies: Vec::new() }
    }

    fn last(&self) -> LineKey {
        self.plies.last().copied().unwrap_or(self.before)
    }

    /// Something that is shown before the first ply.
    pub(super) fn begin(&mut self, shown: &impl Hash) {
        self.before = self.before.then(shown);
    }

    /// A ply.
    pub(super) fn push(&mut self, shown: &impl Hash) {
        self.plies.push(self.last().then(shown));
    }

    /// Takes the last ply back.
    pub(super) fn pop(&mut self) {
        self.plies.pop();
    }

    /// Keeps the latest `count` plies.
    pub(super) fn keep_latest(&mut self, count: usize) {
        let gone = self.plies.len().saturating_sub(count);
        if let Some(last) = gone.checked_sub(1) {
            self.before = self.plies[last];
            self.plies.drain(..gone);
            self.plies.shrink_to_fit();
        }
    }

    /// The key `back` plies ago.
    pub(super) fn key(&self, back: usize) -> Option<LineKey> {
        let made = self.plies.len().checked_sub(back)?;
        Some(made.checked_sub(1).map_or(self.before, |last| self.plies[last]))
    }
}
