//! Waiting for an engine's answer.

use super::{Engine, Fault, Flaw, Said, ending, stood_still};
use outflank_record::console::complain;
use std::time::{Duration, Instant};

/// How often it is reported that an engine is waited for.
const TOLD: Duration = Duration::from_secs(30);
/// How long an engine may be silent beyond its time: long enough to tell who is late from who hangs.
const GRACE: Duration = Duration::from_secs(10);

/// How often it is looked whether the arena is ending.
const LOOKED: Duration = Duration::from_millis(100);

/// A wait for one answer.
///
/// Where the engine was given a time, its silence is its own fault once that time is long over. Where it was given none,
/// how long an answer takes says nothing: the machine may be busy. Then the wait is long, is reported, and what ends it is
/// the arena's patience. While the arena itself stands still, no time counts.
#[derive(Clone, Debug)]
pub struct Wait {
    since: Instant,
    /// How long the arena had stood still before.
    still: Duration,
    length: Duration,
    /// When it is reported next.
    next: Option<Instant>,
    every: Duration,
    bounded: bool,
}

impl Wait {
    /// A wait that begins now: for the time that the engine was `allowed` and some more, or without that as long as
    /// our patience lasts.
    pub fn new(allowed: Option<Duration>, patience: Duration) -> Wait {
        let (still, since) = (stood_still(), Instant::now());
        let every = TOLD.min(patience / 3).max(Duration::from_millis(1));
        match allowed {
            Some(allowed) => {
                let length = allowed.saturating_add(GRACE.min(patience));
                Wait { since, still, length, next: None, every, bounded: true }
            }
            None => Wait { since, still, length: patience, next: Some(since + every), every, bounded: false },
        }
    }

    /// How long an answer took that came at this time.
    pub fn taken(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.since).saturating_sub(self.gap())
    }

    /// How long the arena has stood still since it began.
    fn gap(&self) -> Duration {
        stood_still().saturating_sub(self.still)
    }

    fn end(&self) -> Instant {
        self.since + self.length + self.gap()
    }

    /// The next line of the engine; `None` if the wait is over. `name` is whom it reports on.
    ///
    /// # Errors
    /// As [`Engine::hear`], and if the arena is ending.
    pub fn hear(&mut self, engine: &mut Engine, name: &str) -> Result<Option<Said>, Fault> {
        while !ending() {
            if let Some(said) = engine.hear(self.end().min(Instant::now() + LOOKED))? {
                return Ok(Some(said));
            }
            let now = Instant::now();
            if now >= self.end() {
                return Ok(None);
            }
            if let Some(next) = self.next.filter(|next| *next <= now) {
                let seconds = self.since.elapsed().as_secs_f64();
                complain(format_args!("still waiting for {name}: {seconds:.0} s"));
                self.next = Some(next + self.every);
            }
        }
        Err(Fault::new(Flaw::Closed, "the arena is ending"))
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
