//! Clocks for searches whose course must not depend on the machine.

use outflank::search::Clock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that stands at zero.
#[derive(Copy, Clone, Debug)]
pub struct Stopped;

impl Clock for Stopped {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A clock that goes on whenever somebody looks, by the same step, and stands still in between.
#[derive(Debug)]
pub struct Ticking {
    /// In microseconds.
    step: u64,
    now: AtomicU64,
}

impl Ticking {
    /// A clock that goes on by so many microseconds a look.
    pub const fn by(step: u64) -> Ticking {
        Ticking { step, now: AtomicU64::new(0) }
    }

    /// The time that it has shown last.
    pub fn shown(&self) -> Duration {
        Duration::from_micros(self.now.load(Ordering::Relaxed))
    }
}

impl Clock for Ticking {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.now.fetch_add(self.step, Ordering::Relaxed) + self.step)
    }
}
