//! What a host needs from the machine: the time, and a seed if nobody gave one.

use crate::search::Clock;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

/// Time since an instant, such as that at which a line was read.
#[derive(Copy, Clone, Debug)]
pub struct Stopwatch(pub Instant);

impl Stopwatch {
    /// Runs from now on.
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A seed that differs from process to process and from call to call, for whoever was given none.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}
