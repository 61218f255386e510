//! A sign of life while something takes long.

use indicatif::ProgressBar;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Nothing is shown before.
const PATIENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(120);

/// Does the work; once it has taken two seconds, a terminal at standard error shows what goes on.
pub fn with_progress<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let (done, wait) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let bar = ProgressBar::new_spinner().with_message(what);
                bar.enable_steady_tick(TICK);
                let _ = wait.recv();
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
