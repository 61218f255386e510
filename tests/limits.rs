//! What the machine cannot give, and what the engine does not keep for ever.

use crate::host::inside::{answers, answers_with};
use crate::host::{BLUE, Host, RED};
use outflank::protocol::KEPT_PLIES;
use outflank::rules::{Ruleset, Spn};
use outflank::search::{Choice, Info, SearchTask};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Address space, in KiB, in which the engine lives well and 4096 megabytes have no place.
#[cfg(target_os = "linux")]
const TIGHT: u32 = 1_000_000;

#[cfg(target_os = "linux")]
#[test]
fn memory_that_cannot_be_had_costs_an_error_and_nothing_else() {
    let mut host = Host::start_within(TIGHT);
    host.say(&format!("setoption name Seed value 7\nsetup red {RED}"));
    let refused = host.ask("setoption name Hash value 4096");
    assert_eq!(refused, ["error value Hash: 4096 megabytes cannot be had"]);
    for option in ["Hash value 8", "Hash value 4096", "Threads value 256"] {
        host.say(&format!("setoption name {option}"));
        host.say("go nodes 300000");
        let best = host.until("bestmove").pop();
        assert_ne!(best.as_deref(), Some("bestmove none"), "{option}");
    }
    assert_eq!(host.ask("status"), ["status idle ply 0 turn red ours red desync off seed 7 ending none"]);
    assert!(host.end().success());
}

/// However little is left: each size is refused or leaves enough for a search on many threads.
#[cfg(target_os = "linux")]
#[test]
fn what_memory_is_taken_leaves_enough_to_think() {
    for space in [400_000, 500_000, 700_000, TIGHT] {
        let mut host = Host::start_within(space);
        host.say(&format!("setup red {RED}\nsetoption name Threads value 256"));
        for hash in [32, 64, 128, 256, 512, 1024] {
            host.say(&format!("setoption name Hash value {hash}\ngo movetime 30"));
            let best = host.until("bestmove").pop();
            assert_ne!(best.as_deref(), Some("bestmove none"), "{hash} of {space}");
        }
        assert!(host.end().success(), "{space}");
    }
}

/// The most threads that a search was asked to run on.
static THREADS: AtomicUsize = AtomicUsize::new(0);

fn counting(task: &SearchTask<'_>, _: &mut dyn FnMut(&Info)) -> Choice {
    THREADS.fetch_max(task.threads, Ordering::Relaxed);
    Choice::unsearched(None)
}

/// With more threads than the machine runs at once, whoever leads the search would wait for its turn when time is up.
#[test]
fn no_more_threads_search_than_the_machine_runs_at_once() {
    let script = format!("setoption name Threads value 256\nsetup red {RED}\ngo movetime 1\n");
    let answers = answers_with(script.into_bytes(), counting);
    assert!(answers.last().is_some_and(|line| line.starts_with("bestmove ")), "{answers:?}");
    let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
    assert_eq!(THREADS.load(Ordering::Relaxed), cores.min(256));
}

#[test]
fn the_latest_plies_of_a_long_game_are_kept() {
    for setups in [format!("setup red {RED}"), format!("setup red {RED}\nsetup blue {BLUE}")] {
        let mut host = Host::start();
        host.say(&format!("newgame rules evaluator\n{setups}"));
        let line = format!("play {}", "a4a5 j7j6 a5a4 j6j7 ".repeat(KEPT_PLIES / 10));
        for _ in 0..7 {
            host.say(&line);
        }
        let made = 7 * 4 * (KEPT_PLIES / 10);
        assert!(host.ask("status")[0].starts_with(&format!("status idle ply {made} turn red ours ")));
        let kept = host.ask("history")[0].split(' ').count() - 1;
        assert!((KEPT_PLIES..2 * KEPT_PLIES).contains(&kept), "{kept}");
        let refused = format!("error undo only {kept} plies can be taken back");
        assert_eq!(host.ask(&format!("undo {}", kept + 1)), [refused]);
        assert_eq!(host.ask(&format!("undo {kept}")), [format!("undo {kept} ply {} turn red", made - kept)]);
        host.say("go nodes 100");
        assert_ne!(host.until("bestmove").pop().as_deref(), Some("bestmove none"));
    }
}

/// A line of moves that fails at its end is taken back whole, however long it is.
#[test]
fn a_long_line_is_made_whole_or_not_at_all() {
    let mut host = Host::start();
    host.say(&format!("newgame red rules evaluator\nsetup red {RED}\nplay a4a5 j7j6"));
    let line = format!("play {}a4a4", "a5a4 j6j7 a4a5 j7j6 ".repeat(KEPT_PLIES));
    assert!(host.ask(&line)[0].starts_with(&format!("error illegal move {}, a4a4:", 4 * KEPT_PLIES + 1)));
    assert_eq!(host.ask("undo 2"), ["undo 2 ply 0 turn red"]);
}

/// Where no rule ends it, a piece may be chased around four squares as long as both players like.
#[test]
fn a_chase_may_take_any_number_of_plies() {
    let text = "9Y/10/10/10/2__2__2/2__2__2/10/10/Q+9/H+8M b - -,- 0 0 preset=evaluator";
    let mut position = Spn::parse(text, Ruleset::default()).unwrap().position;
    let round = ["a2b2", "a1a2", "b2b1", "a2b2", "b1a1", "b2b1", "a1a2", "b1a1"];
    for text in round.into_iter().cycle().take(80_000) {
        position.play(text.parse().unwrap()).unwrap();
    }
    assert_eq!(position.ply(), 80_000);
}

#[test]
fn counts_of_plies_that_are_no_game_are_refused() {
    let mut host = Host::start();
    for counts in ["0 1000000001", "1000000001 0", "4294967295 4294967295"] {
        let line =
            format!("position ?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? {counts} moves a4a5 j9j8");
        assert!(host.ask(&line)[0].starts_with("error position the field "), "{counts}");
    }
}

/// The evaluation has its bound however long nothing is struck, and no count of plies is too much for the search: where
/// one overflows, this build answers `error internal`, and another plays a different action.
#[test]
fn however_long_a_game_stands_still_its_evaluation_is_bounded_and_its_search_ends() {
    const BOARD: &str = "?8?/9?/4?+5/3?6/2__2__2/2__1d__2/E1J7/2L7/10/9M r r 22,6?";
    let values = |rules: &str, counts: &str| -> Vec<(String, i64)> {
        let lines = format!("position {BOARD} {counts} {rules}\neval\ngo nodes 600\n");
        let said = answers(lines.into_bytes());
        let best = said.last().map_or("", String::as_str);
        assert!(best.starts_with("bestmove ") && best != "bestmove none", "{counts} {rules}: {said:?}");
        let terms = said.iter().filter_map(|line| line.strip_prefix("eval ")?.split_once(' '));
        terms.map(|(term, value)| (term.to_owned(), value.parse().unwrap())).collect()
    };
    for rules in ["preset=evaluator", "preset=isf quiet=4294967295 plies=4294967295", "preset=wiki"] {
        let usual = values(rules, "200 1000");
        assert_eq!(usual.len(), 8);
        for counts in ["1000 1000", "1000000 1000000000", "1000000000 1000000000"] {
            for ((term, value), (_, usual)) in values(rules, counts).iter().zip(&usual) {
                let apart = value.abs_diff(*usual);
                assert!(
                    apart <= 10 + usual.unsigned_abs() / 5,
                    "{counts} {rules}: {term} {value}, not {usual}"
                );
            }
        }
    }
}
