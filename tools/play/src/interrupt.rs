//! Ctrl-C, requests to end, and terminals that are closed.

use std::sync::atomic::{AtomicBool, Ordering};

/// What Ctrl-C means at the moment: the first stops the engine's thinking, the next one leaves.
#[derive(Debug, Default)]
pub struct Interrupts {
    /// Ctrl-C has come since the last line. The engine looks at it while it thinks.
    stop: AtomicBool,
    /// The person is to type: there is nothing to stop.
    waiting: AtomicBool,
}

impl Interrupts {
    /// Set while the engine is to stop thinking.
    pub const fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The person is asked for a line.
    pub fn wait(&self) {
        self.waiting.store(true, Ordering::Relaxed);
    }

    /// The person has typed a line: what came before it is settled.
    pub fn go_on(&self) {
        self.waiting.store(false, Ordering::Relaxed);
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Takes note of Ctrl-C at the prompt; whether it is the second one without a line between.
    pub fn is_second(&self) -> bool {
        self.stop.swap(true, Ordering::Relaxed)
    }

    /// Takes note of the signal; whether there was something to stop.
    #[cfg(unix)]
    fn stops(&self) -> bool {
        !self.waiting.load(Ordering::Relaxed) && !self.is_second()
    }
}

/// From now on Ctrl-C stops the engine's thinking; a second one, SIGTERM and the end of the terminal keep the game and
/// end the program.
///
/// # Errors
/// If the system does not allow it.
#[cfg(unix)]
pub fn listen(
    interrupts: std::sync::Arc<Interrupts>,
    keeper: std::sync::Arc<crate::keeper::Keeper>,
) -> anyhow::Result<()> {
    use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::io::{Write, stderr, stdin};

    // The editor changes the terminal's mode while a line is typed.
    let mode = tcgetattr(stdin()).ok();
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            if signal == SIGINT && interrupts.stops() {
                continue;
            }
            let kept = keeper.keep();
            if let Some(mode) = &mode {
                let _ = tcsetattr(stdin(), OptionalActions::Now, mode);
            }
            if let Some(where_kept) = kept {
                // There may be no terminal any more.
                let _ = writeln!(stderr(), "\n{where_kept}");
            }
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_first_stops_the_engine_and_the_second_leaves() {
        let interrupts = Interrupts::default();
        assert!(interrupts.stops() && interrupts.stop().load(Ordering::Relaxed));
        assert!(!interrupts.stops());
        interrupts.go_on();
        assert!(!interrupts.stop().load(Ordering::Relaxed) && interrupts.stops());
    }

    #[cfg(unix)]
    #[test]
    fn where_a_line_is_awaited_there_is_nothing_to_stop() {
        let interrupts = Interrupts::default();
        interrupts.wait();
        assert!(!interrupts.stops());
    }

    #[test]
    fn a_line_between_them_makes_the_next_the_first() {
        let interrupts = Interrupts::default();
        assert!(!interrupts.is_second() && interrupts.is_second());
        interrupts.go_on();
        assert!(!interrupts.is_second());
    }
}
