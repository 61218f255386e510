//! The games of a match that are being played, for whoever watches it.

use outflank::rules::BySide;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A game that is being played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Going {
    /// Who plays.
    pub players: BySide<String>,
    /// Plies made.
    pub plies: usize,
    /// The last one; empty before the first.
    pub last: String,
}

/// The games that are being played, by their numbers.
#[derive(Debug, Default)]
pub struct Moment(Mutex<BTreeMap<u64, Going>>);

impl Moment {
    fn games(&self) -> MutexGuard<'_, BTreeMap<u64, Going>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how far a game is.
    pub(crate) fn note(&self, number: u64, going: Going) {
        self.games().insert(number, going);
    }

    /// A game is over.
    pub(crate) fn forget(&self, number: u64) {
        self.games().remove(&number);
    }

    /// What is being played now.
    pub fn now(&self) -> Vec<(u64, Going)> {
        self.games().iter().map(|(number, going)| (*number, going.clone())).collect()
    }
}
