//! Time management: whether to begin another iteration, where the time for an action is a share of the clock.

use super::clock_params;
use super::value::Value;
use crate::rules::Action;
use std::time::Duration;

/// How the iterations of a search went.
#[derive(Debug)]
pub(super) struct TimeManager {
    soft: Option<Duration>,
    last: Option<(Action, Value)>,
    instability: f32,
}

/// What an iteration found.
#[derive(Copy, Clone, Debug)]
pub(super) struct Iteration {
    /// Plies looked ahead.
    pub(super) depth: u32,
    /// The best action.
    pub(super) best: Action,
    /// Its value.
    pub(super) value: Value,
    /// The value of the next best, at most.
    pub(super) next: Value,
}

impl TimeManager {
    /// Before the first iteration of a search that should take `soft`; without one it never ends a search.
    pub(super) const fn new(soft: Option<Duration>) -> TimeManager {
        TimeManager { soft, last: None, instability: 0.0 }
    }

    /// Notes an iteration; whether there is time to begin another, which takes as long as all before it together.
    pub(super) fn goes_on(&mut self, iteration: Iteration, elapsed: Duration) -> bool {
        let Iteration { depth, best, value, next } = iteration;
        self.instability *= 0.5;
        if let Some((action, before)) = self.last.replace((best, value)) {
            self.instability += f32::from(u8::from(action != best))
                + 0.5 * f32::from(u8::from(value < before - Value::new(clock_params::fall())));
        }
        let clear = depth >= clock_params::clear_depth()
            && value.saturating_sub(next) >= Value::new(clock_params::clear_lead());
        let share = if clear {
            clock_params::clear_share()
        } else {
            clock_params::calm_share() + clock_params::share_for_change() * self.instability
        };
        self.soft.is_none_or(|soft| elapsed * 2 <= soft.mul_f32(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Played;

    fn found(depth: u32, best: &str, value: i32, next: i32) -> Iteration {
        let (value, next) = (Value::new(value), Value::new(next));
        Iteration { depth, best: best.parse::<Played>().unwrap().action, value, next }
    }

    /// The longest time after which a search still went on, in milliseconds of a share of 100.
    fn patience(course: &[Iteration]) -> u64 {
        let goes_on = |elapsed: u64| {
            let mut manager = TimeManager::new(Some(Duration::from_millis(100)));
            let (last, first) = course.split_last().unwrap();
            for found in first {
                manager.goes_on(*found, Duration::ZERO);
            }
            manager.goes_on(*last, Duration::from_millis(elapsed))
        };
        (0..1000).take_while(|elapsed| goes_on(*elapsed)).count() as u64
    }

    #[test]
    fn a_change_of_mind_takes_more_time_and_a_clear_lead_less() {
        let calm = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -10)]);
        let changed = patience(&[found(4, "a4a5", 0, -10), found(5, "b4b5", 0, -10)]);
        let fallen = patience(&[
            found(4, "a4a5", 0, -10),
            found(5, "a4a5", -2 * clock_params::fall(), -2 * clock_params::fall() - 10),
        ]);
        let clear = patience(&[found(4, "a4a5", 0, -10), found(5, "a4a5", 0, -clock_params::clear_lead())]);
        let shallow = patience(&[found(1, "a4a5", 0, -10), found(2, "a4a5", 0, -clock_params::clear_lead())]);
        let old = patience(&[found(4, "a4a5", 0, 0), found(5, "b4b5", 0, 0), found(6, "b4b5", 0, 0)]);
        assert!(
            clear < calm && calm < fallen && fallen <= old && old < changed,
            "{clear} {calm} {fallen} {old} {changed}"
        );
        assert_eq!(calm, shallow);
    }

    #[test]
    fn without_a_share_the_clock_is_not_asked() {
        let mut manager = TimeManager::new(None);
        assert!(manager.goes_on(found(9, "a4a5", 0, -900_000), Duration::from_secs(9)));
    }
}
