//! What the rooms of a house share: engines and the folder, and how much of them there is.

use crate::engine::Launcher;
use crate::store::Store;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;

/// How much the house holds.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// Games.
    pub games: usize,
    /// Engines that think at a time.
    pub thinking: usize,
    /// Engines that are kept for their next turn.
    pub engines: usize,
    /// After this long without a look from its page, a game's engines are ended.
    pub idle: Duration,
    /// How long two engines that are watched wait between plies.
    pub pace: Duration,
    /// After this long without a look from its page, two engines stop.
    pub unwatched: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Limits {
            games: 500,
            thinking: cores,
            engines: 8,
            idle: Duration::from_secs(600),
            pace: Duration::from_millis(500),
            unwatched: Duration::from_secs(60),
        }
    }
}

/// What rooms share.
pub(crate) struct Resources {
    pub(crate) launcher: Box<dyn Launcher>,
    pub(crate) store: Store,
    /// Has a permit for each engine that may think.
    pub(crate) thinking: Semaphore,
    /// Has one permit: a file that somebody brings is read alone, as it may take much memory.
    pub(crate) reading: Arc<Semaphore>,
    pub(crate) limits: Limits,
    engines: AtomicUsize,
}

impl Resources {
    pub(crate) fn new(launcher: Box<dyn Launcher>, store: Store, limits: Limits) -> Resources {
        let thinking = Semaphore::new(limits.thinking.max(1));
        let reading = Arc::new(Semaphore::new(1));
        Resources { launcher, store, thinking, reading, limits, engines: AtomicUsize::new(0) }
    }

    pub(crate) fn engine_started(&self) {
        self.engines.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn engine_ended(&self) {
        self.engines.fetch_sub(1, Ordering::Relaxed);
    }

    /// Engines that run.
    pub(crate) fn engines(&self) -> usize {
        self.engines.load(Ordering::Relaxed)
    }

    /// Whether an engine that has answered may wait for its next turn.
    pub(crate) fn may_keep(&self) -> bool {
        self.engines() <= self.limits.engines
    }
}
