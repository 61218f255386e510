//! Whether to look deeper, where the time for an action is a share of the clock and not told.

use crate::rules::Action;
use std::time::Duration;

/// By how much of the value of a won game the best action has to lead to be played soon, and from which depth on.
const CLEAR: i32 = 240_000;
const CLEAR_DEPTH: u32 = 4;
/// A fall of the best value that is worth more time.
const FALL: i32 = 50_000;
/// The share of the time that a quiet, an unrestful and a clear choice get: the first, what each change of mind adds
/// (an older one half as much as a newer one), and the last.
const CALM: f32 = 0.8;
const UNREST: f32 = 0.5;
const CLEARLY: f32 = 0.25;

/// How the iterations of a search went.
#[derive(Debug)]
pub(super) struct Pace {
    soft: Option<Duration>,
    before: Option<(Action, i32)>,
    unrest: f32,
}

/// What an iteration found.
#[derive(Copy, Clone, Debug)]
pub(super) struct Found {
    /// Plies looked ahead.
    pub(super) depth: u32,
    /// The best action.
    pub(super) best: Action,
    /// Its value.
    pub(super) value: i32,
    /// The value of the next best, at most.
    pub(super) next: i32,
}

impl Pace {
    /// Before the first iteration of a search that should take `soft`, if it is to share out a clock.
    pub(super) const fn new(soft: Option<Duration>) -> Pace {
        Pace { soft, before: None, unrest: 0.0 }
    }

    /// Notes an iteration; whether there is time to begin another, which takes as long as all before it together.
    pub(super) fn goes_on(&mut self, found: Found, elapsed: Duration) -> bool {
        let Found { depth, best, value, next } = found;
        self.unrest *= 0.5;
        if let Some((action, last)) = self.before.replace((best, value)) {
            self.unrest +=
                f32::from(u8::from(action != best)) + 0.5 * f32::from(u8::from(value < last - FALL));
        }
        let clear = depth >= CLEAR_DEPTH && value.saturating_sub(next) >= CLEAR;
        let share = if clear { CLEARLY } else { CALM + UNREST * self.unrest };
        self.soft.is_none_or(|soft| elapsed * 2 <= soft.mul_f32(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Played;

    fn found(depth: u32, best: &str, value: i32, next: i32) -> Found {
        Found { depth, best: best.parse::<Played>().unwrap().action, value, next }
    }

    /// The longest time after which a search still went on, in milliseconds of a share of 100.
    fn patience(course: &[Found]) -> u64 {
        let goes_on = |elapsed: u64| {
            let mut pace = Pace::new(Some(Duration::from_millis(100)));
            let (last, first) = course.split_last().unwrap();
            for found in first {
                pace.goes_on(*found, Duration::ZERO);
            }
            pace.goes_on(*last, Duration::from_millis(elapsed))
        };
        (0..1000).take_while(|elapsed| goes_on(*elapsed)).count() as u64
    }

    #[test]
    fn a_change_of_mind_takes_more_time_and_a_clear_lead_less() {
        let calm = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -10)]);
        let changed = patience(&[found(4, "a4a5", 0, -10), found(5, "b4b5", 0, -10)]);
        let fallen = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", -2 * FALL, -2 * FALL - 10)]);
        let clear = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -CLEAR)]);
        let shallow = patience(&[found(1, "a4a5", 0, -10), found(2, "a4a5", 0, -CLEAR)]);
        let old = patience(&[found(4, "a4a5", 0, 0), found(5, "b4b5", 0, 0), found(6, "b4b5", 0, 0)]);
        assert!(
            clear < calm && calm < fallen && fallen <= old && old < changed,
            "{clear} {calm} {fallen} {old} {changed}"
        );
        assert_eq!(calm, shallow);
    }

    #[test]
    fn without_a_share_the_clock_is_not_asked() {
        let mut pace = Pace::new(None);
        assert!(pace.goes_on(found(9, "a4a5", 0, -900_000), Duration::from_secs(9)));
    }
}
