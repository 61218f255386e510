//! How long this process has stood still: suspended, or on a machine that was asleep. What an engine does meanwhile is
//! noticed late, and that is no fault of its own.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread looks.
const BEAT: Duration = Duration::from_millis(50);
/// A longer time without a look is a standstill.
const LONGEST: Duration = Duration::from_millis(100);

/// The looks so far.
#[derive(Debug)]
struct Pulse {
    last: Instant,
    still: Duration,
}

impl Pulse {
    /// Looks; how long there was no look that should have been.
    fn beat(&mut self, now: Instant) -> Duration {
        let pause = now.saturating_duration_since(self.last);
        if pause > LONGEST {
            // Less one beat: however busy the machine, waits come to an end.
            self.still += pause.saturating_sub(BEAT);
        }
        self.last = self.last.max(now);
        self.still
    }
}

/// Nothing where there is no thread to look.
static PULSE: OnceLock<Option<Mutex<Pulse>>> = OnceLock::new();

/// How long this process has stood still so far, since this was asked first. Differences count.
pub fn stood_still() -> Duration {
    let pulse = PULSE.get_or_init(|| {
        let thread = thread::Builder::new().name("pulse".to_owned()).spawn(|| {
            loop {
                thread::sleep(BEAT);
                look();
            }
        });
        thread.is_ok().then(|| Mutex::new(Pulse { last: Instant::now(), still: Duration::ZERO }))
    });
    if pulse.is_some() { look() } else { Duration::ZERO }
}

fn look() -> Duration {
    let Some(Some(pulse)) = PULSE.get() else { return Duration::ZERO };
    pulse.lock().unwrap_or_else(PoisonError::into_inner).beat(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_counts_and_looks_in_time_do_not() {
        let start = Instant::now();
        let mut pulse = Pulse { last: start, still: Duration::ZERO };
        let mut at = |milliseconds| pulse.beat(start + Duration::from_millis(milliseconds)).as_millis();
        assert_eq!([at(50), at(100), at(200), at(5200), at(5150), at(5250)], [0, 0, 0, 4950, 4950, 4950]);
    }
}
