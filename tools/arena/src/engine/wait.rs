//! Waiting for an engine's answer.

use super::{Engine, Fault, Flaw, Said};
use outflank_record::console::complain;
use std::time::{Duration, Instant};

/// How often it is told that an engine is waited for.
const TOLD: Duration = Duration::from_secs(30);
/// How long an engine may be silent beyond its time: long enough to tell who is late from who hangs.
const GRACE: Duration = Duration::from_secs(10);

/// A wait for one answer.
///
/// Where the engine was given a time, its silence is its own fault once that time is long over. Where it was given none,
/// how long an answer takes says nothing: the machine may be busy. Then the wait is long, is told of, and what ends it is
/// the arena's patience.
#[derive(Clone, Debug)]
pub struct Wait {
    since: Instant,
    length: Duration,
    /// When it is told next.
    next: Option<Instant>,
    every: Duration,
    bounded: bool,
}

impl Wait {
    /// A wait that begins now: for the time that the engine was `allowed` and some more, or without that as long as
    /// our patience lasts.
    pub fn new(allowed: Option<Duration>, patience: Duration) -> Wait {
        let since = Instant::now();
        let every = TOLD.min(patience / 3).max(Duration::from_millis(1));
        match allowed {
            Some(allowed) => {
                let length = allowed.saturating_add(GRACE.min(patience));
                Wait { since, length, next: None, every, bounded: true }
            }
            None => Wait { since, length: patience, next: Some(since + every), every, bounded: false },
        }
    }

    /// When it began.
    pub const fn since(&self) -> Instant {
        self.since
    }

    /// The next line of the engine; `None` if the wait is over. `name` is whom it is told of.
    ///
    /// # Errors
    /// As [`Engine::hear`].
    pub fn hear(&mut self, engine: &mut Engine, name: &str) -> Result<Option<Said>, Fault> {
        let end = self.since + self.length;
        loop {
            let pause = self.next.filter(|next| *next < end);
            if let Some(said) = engine.hear(pause.unwrap_or(end))? {
                return Ok(Some(said));
            }
            let Some(told) = pause else { return Ok(None) };
            let seconds = self.since.elapsed().as_secs_f64();
            complain(format_args!("still waiting for {name}: {seconds:.0} s"));
            self.next = Some(told + self.every);
        }
    }

    /// What its vain end is called: whether the engine has lost by it depends on whether it was given a time.
    pub fn silence(&self, name: &str, asked: &str) -> Fault {
        let length = self.length.as_millis();
        if self.bounded {
            Fault::new(Flaw::Hung, format!("no {asked} in {length} ms"))
        } else {
            Fault::new(Flaw::Silent, format!("{name}: no {asked} in {length} ms"))
        }
    }
}
