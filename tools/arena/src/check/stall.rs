//! How long this machine keeps a thread waiting that has something to do: what no engine is to blame for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often it looks.
const NAP: Duration = Duration::from_millis(2);

/// A thread that does nothing but notice when it wakes up late.
#[derive(Debug)]
pub(super) struct Watch(Arc<AtomicU64>);

impl Watch {
    /// Starts watching; dropping it ends that.
    pub(super) fn start() -> Watch {
        let worst = Arc::new(AtomicU64::new(0));
        let seen = Arc::downgrade(&worst);
        thread::spawn(move || {
            loop {
                let asleep = Instant::now();
                thread::sleep(NAP);
                let late = asleep.elapsed().saturating_sub(NAP).as_millis() as u64;
                let Some(worst) = seen.upgrade() else { return };
                worst.fetch_max(late, Ordering::Relaxed);
            }
        });
        Watch(worst)
    }

    /// The longest wait since the last call.
    pub(super) fn take(&self) -> Duration {
        Duration::from_millis(self.0.swap(0, Ordering::Relaxed))
    }
}
