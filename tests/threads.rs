//! Several threads: every limit holds for all of them together, and nothing that a host sees gets less certain.

use crate::host::{Host, RED};
use outflank::engine::{Control, Settings};
use outflank::search::{Budget, Choice, TranspositionTable};
use outflank_tests::{Ticking, opening};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn choose(budget: Budget, threads: usize, table: Option<&Arc<TranspositionTable>>, stop: bool) -> Choice {
    let mut engine = opening(RED);
    engine.configure(Settings { seed: 3, threads, ..Settings::default() });
    engine.share_table(table.cloned());
    let (clock, stop) = (Ticking::by(1000), AtomicBool::new(stop));
    engine.think(&budget.into(), Control::new(&clock, &stop), &mut |_| {})
}

fn nodes(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

#[test]
fn a_limit_of_nodes_holds_for_all_threads_together() {
    for threads in [2, 3, 16] {
        for limit in [2500, 20_000] {
            let choice = choose(nodes(limit), threads, None, false);
            // What a thread has taken of the budget when another ends the search is left.
            let left = limit.checked_sub(choice.nodes).unwrap();
            assert!(left < 32 * threads as u64, "{threads} threads left {left}");
            assert!(choice.action.is_some());
        }
    }
}

#[test]
fn short_searches_are_the_same_with_any_number_of_threads() {
    let one = choose(nodes(900), 1, None, false);
    let many = choose(nodes(900), 256, None, false);
    assert_eq!((one.nodes, one.action), (many.nodes, many.action));
}

#[test]
fn time_depth_and_a_stop_end_all_threads() {
    let late = Budget { hard: Some(Duration::from_millis(40)), ..Budget::default() };
    // Whoever looks at the clock has visited 32 nodes since it last did.
    assert!(choose(late, 4, None, false).nodes < 32 * 60);
    assert!(choose(Budget::default(), 4, None, true).nodes < 32 * 40);
    assert!(choose(Budget { depth: Some(2), ..Budget::default() }, 4, None, false).action.is_some());
}

#[test]
fn a_cleared_table_is_as_good_as_a_new_one() {
    let table = Arc::new(TranspositionTable::of_megabytes(1).unwrap());
    let first = choose(nodes(80_000), 1, Some(&table), false);
    table.clear();
    let again = choose(nodes(80_000), 1, Some(&table), false);
    assert_eq!((first.action, first.score, first.nodes), (again.action, again.score, again.nodes));
    let depth = Budget { depth: Some(6), ..Budget::default() };
    table.clear();
    let cold = choose(depth, 1, Some(&table), false);
    let warm = choose(depth, 1, Some(&table), false);
    assert!(warm.nodes < cold.nodes, "{} {}", warm.nodes, cold.nodes);
    // Of actions that are all but equal it may find another one best, for what is remembered was seen in another
    // order.
    let [cold, warm] = [cold, warm].map(|choice| choice.score.unwrap().win);
    assert!(warm.abs_diff(cold) <= 3, "{warm} {cold}");
}

#[test]
fn a_host_sees_one_bestmove_whatever_ends_the_search() {
    let mut host = Host::start();
    host.say(&format!("setoption name Threads value 3\nsetoption name Hash value 1\nsetup red {RED}"));
    let gos = ["go nodes 20000", "go movetime 30", "go rtime 900 btime 900", "go depth 3", "go infinite"];
    for go in gos {
        host.say(go);
        if go == "go infinite" {
            host.say("isready");
            host.until("readyok");
            host.say("stop");
        }
        let answers = host.until("bestmove");
        assert_ne!(answers.last().map(String::as_str), Some("bestmove none"), "{go}");
        assert!(host.ask("history").iter().all(|line| !line.starts_with("bestmove")), "{go}");
    }
    host.say("go infinite\nquit");
    let last = host.rest().pop();
    assert!(last.is_some_and(|line| line.starts_with("bestmove ") && line != "bestmove none"));
    assert!(host.end().success());
}

/// The nodes that are reported never exceed the limit.
#[test]
fn reports_count_the_nodes_of_all_threads() {
    let mut host = Host::start();
    host.say(&format!("setoption name Threads value 2\nsetup red {RED}\ngo nodes 30000"));
    let answers = host.until("bestmove");
    let counted = answers.iter().filter_map(|line| line.split(" nodes ").nth(1)?.split(' ').next());
    let counted: Vec<u64> = counted.map(|count| count.parse().unwrap()).collect();
    assert!(counted.is_sorted() && *counted.last().unwrap() <= 30_000, "{counted:?}");
}
