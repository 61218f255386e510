//! A game clock over a long game: it never runs out, and the time is used.

use crate::host::RED;
use outflank::engine::{Control, Engine, Settings};
use outflank::rng::Rng;
use outflank::rules::{BySide, Side};
use outflank::search::{Budget, Limits, Overhead};
use outflank_tests::{Ticking, opening};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const OVERHEAD: Duration = Duration::from_millis(5);
const GIVEN: Overhead = Overhead::given(OVERHEAD);

/// The time that the engine takes by a clock that goes on by `step` microseconds a look.
fn thought(engine: &mut Engine, budget: Budget, step: u64, seed: u64) -> Duration {
    let clock = Ticking::by(step);
    engine.configure(Settings { seed, ..Settings::default() });
    let unstopped = AtomicBool::new(false);
    let control = Control::new(&clock, &unstopped);
    let choice = engine.think(&budget.into(), control, &mut |_| {});
    assert!(choice.action.is_some());
    clock.shown()
}

fn limits(left: Duration, increment: Duration) -> Limits {
    Limits { time: BySide::filled(Some(left)), increment: BySide::filled(increment), ..Limits::default() }
}

/// Two thousand plies at one second and ten milliseconds, the host taking up to the overhead on the way: the answer is
/// there in time at every ply. A look at the clock may be late by its step.
#[test]
fn the_flag_does_not_fall_in_a_long_game() {
    let (mut engine, increment) = (opening(RED), Duration::from_millis(10));
    let (mut left, mut rng) = (Duration::from_secs(1), Rng::new(8));
    for ply in (0..2000).step_by(2) {
        let step = 200 + rng.below(2000) as u64;
        let budget = limits(left, increment).budget(Side::Red, ply, GIVEN);
        let thought = thought(&mut engine, budget, step, ply.into());
        let way = OVERHEAD.mul_f32(rng.unit());
        let taken = thought + way;
        // The two looks that a search cannot do without may come too late for what is left.
        assert!(taken < left, "ply {ply}: {taken:?} of {left:?}");
        left = left.checked_sub(taken).unwrap() + increment;
    }
    assert!(left > OVERHEAD, "{left:?}");
}

/// As above by arithmetic alone, each search taking all it may: with any clock, increment and overhead the time left
/// after an action is enough for the next.
#[test]
fn searches_that_take_all_they_may_do_not_fell_the_flag_either() {
    for (start, increment) in [(1000, 10), (1000, 0), (100, 20), (60_000, 0), (3_600_000, 5000)] {
        let increment = Duration::from_millis(increment);
        let mut left = Duration::from_millis(start);
        for ply in (0..2000).step_by(2) {
            let budget = limits(left, increment).budget(Side::Red, ply, GIVEN);
            let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
            assert!(soft <= hard && hard + OVERHEAD <= left.max(OVERHEAD), "{left:?}: {budget:?}");
            left = left.checked_sub(hard).unwrap() + increment;
        }
    }
}

#[test]
fn the_first_half_of_a_game_gets_most_of_the_clock() {
    let mut left = Duration::from_mins(5);
    let mut taken = Vec::new();
    for ply in (0..400).step_by(2) {
        let soft = limits(left, Duration::ZERO).budget(Side::Red, ply, GIVEN).soft.unwrap();
        taken.push(soft);
        left -= soft;
    }
    let first: Duration = taken[..100].iter().sum();
    let second: Duration = taken[100..].iter().sum();
    assert!(first > 3 * second && second > Duration::from_secs(20), "{first:?} {second:?}");
    assert!(taken.is_sorted_by(|a, b| a >= b));
}

#[test]
fn a_time_for_the_action_is_used_to_its_end_and_not_beyond() {
    let movetime = Some(Duration::from_millis(60));
    let budget = Limits { movetime, ..Limits::default() }.budget(Side::Red, 0, GIVEN);
    assert_eq!((budget.soft, budget.hard), (None, Some(Duration::from_millis(55))));
    let taken = thought(&mut opening(RED), budget, 700, 1);
    assert!((54..=57).contains(&taken.as_millis()), "{taken:?}");
}

#[test]
fn of_a_short_time_most_is_for_thinking_unless_the_overhead_was_given() {
    let hard = |movetime: u64, overhead: Overhead| {
        let limits = Limits { movetime: Some(Duration::from_millis(movetime)), ..Limits::default() };
        limits.budget(Side::Red, 0, overhead).hard.unwrap().as_micros()
    };
    let twenty = Duration::from_millis(20);
    let usual = [10, 40, 80, 100].map(|movetime| hard(movetime, Overhead::usual(twenty)));
    assert_eq!(usual, [7_500, 30_000, 60_000, 80_000]);
    // Whoever says so needs it; a quarter is left all the same.
    assert_eq!(
        [10, 40, 100].map(|movetime| hard(movetime, Overhead::given(twenty))),
        [2_500, 20_000, 80_000]
    );
    // The clock of a game is another matter.
    let left = Duration::from_millis(100);
    let budget = |overhead| limits(left, Duration::ZERO).budget(Side::Red, 0, overhead);
    assert_eq!(budget(Overhead::usual(twenty)), budget(Overhead::given(twenty)));
}
