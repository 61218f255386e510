//! Signals that ask the arena to end.

use outflank_arena::engine;
use std::fmt;
use std::sync::OnceLock;

/// The arena was asked to end by a signal of this number.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Interrupted(i32);

/// Set once a signal has come.
static CAME: OnceLock<i32> = OnceLock::new();

impl Interrupted {
    /// The exit status by which shells know a program that a signal ended.
    pub(crate) const fn status(self) -> u8 {
        128 + self.0 as u8
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ended by signal {} before the match was over", self.0)
    }
}

impl std::error::Error for Interrupted {}

/// From now on, SIGINT and SIGTERM end all engines and let the program come to its end. A second one ends it at once.
///
/// # Errors
/// If the system does not allow it.
#[cfg(unix)]
pub(crate) fn listen() -> anyhow::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if CAME.set(signal).is_err() {
                let _ = emulate_default_handler(signal);
            }
            engine::end_all();
        }
    })?;
    Ok(())
}

/// Elsewhere the system ends the program by itself.
#[cfg(not(unix))]
pub(crate) fn listen() -> anyhow::Result<()> {
    Ok(())
}

/// # Errors
/// If a signal has come.
pub(crate) fn check() -> Result<(), Interrupted> {
    CAME.get().map_or(Ok(()), |signal| Err(Interrupted(*signal)))
}
