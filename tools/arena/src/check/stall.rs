//! How long this machine keeps a thread waiting that has something to do: what no engine is to blame for.

use crate::engine::Fault;
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
    ///
    /// # Errors
    /// If there is no thread for it.
    pub(super) fn start() -> Result<Watch, Fault> {
        let worst = Arc::new(AtomicU64::new(0));
        let seen = Arc::downgrade(&worst);
        let thread = thread::Builder::new().spawn(move || {
            loop {
                let asleep = Instant::now();
                thread::sleep(NAP);
                let late = asleep.elapsed().saturating_sub(NAP).as_millis() as u64;
                let Some(worst) = seen.upgrade() else { return };
                worst.fetch_max(late, Ordering::Relaxed);
            }
        });
        thread.map_err(|error| Fault::of_host("a thread that watches the machine", &error))?;
        Ok(Watch(worst))
    }

    /// The longest wait since the last call.
    pub(super) fn take(&self) -> Duration {
        Duration::from_millis(self.0.swap(0, Ordering::Relaxed))
    }
}
