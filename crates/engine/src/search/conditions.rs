//! What a search and the inference before it go by alike, and how both are run from outside.

use super::level::Level;
use super::limits::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A clock that started when the search was asked for.
pub trait Clock: Sync {
    /// Time since then.
    fn elapsed(&self) -> Duration;
}

/// How a search is run from outside, by whoever waits for it. Nothing here says what is searched: another clock or stop
/// changes when a search ends, not what it finds until then.
#[derive(Copy, Clone)]
pub struct Control<'a> {
    /// Tells when time is up.
    pub clock: &'a dyn Clock,
    /// Set from outside to break the search off.
    pub stop: &'a AtomicBool,
}

impl<'a> Control<'a> {
    /// A search that runs by this clock until it ends or is stopped.
    pub const fn new(clock: &'a dyn Clock, stop: &'a AtomicBool) -> Control<'a> {
        Control { clock, stop }
    }

    /// Time since the search was asked for.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Whether it is to be broken off.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What a search and the inference before it ([`infer_from_move`](super::infer_from_move)) go by alike: the inference
/// takes its part of the budget and leaves the rest to the search, under the same clock and stop.
#[derive(Copy, Clone)]
pub struct Conditions<'a> {
    /// When to end.
    pub budget: Budget,
    /// How strong to play. Below full strength nothing is inferred.
    pub level: Level,
    /// Seeds every random choice.
    pub seed: u64,
    /// The clock and the stop.
    pub control: Control<'a>,
}
