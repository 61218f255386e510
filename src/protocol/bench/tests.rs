use super::*;
use outflank_engine::engine::{Control, Stopwatch};
use outflank_engine::search::search;
use std::sync::atomic::AtomicBool;

/// What `bench` prints with so many nodes, without the time.
fn printed(nodes: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut report = |report: Report| {
        if let Report::Say(reply) = report {
            lines.push(reply.to_string());
        }
    };
    let stop = &AtomicBool::new(false);
    let clock = Stopwatch::start();
    let mut context = Context { control: Control::new(&clock, stop), report: &mut report };
    run(BenchSize { nodes: Some(nodes), threads: 1 }, search, &mut context);
    lines
}

fn signature(nodes: u64) -> String {
    let lines = printed(nodes);
    lines.last().and_then(|line| line.split_once(" signature ")).map(|(_, found)| found.to_owned()).unwrap()
}

#[test]
fn the_games_are_replayed_without_an_error_and_searched_in_every_phase() {
    let lines = printed(50);
    assert!(lines.iter().all(|line| !line.contains("broken")), "{lines:?}");
    let asked = GAMES.lines().filter(|line| *line == "go").count();
    let best =
        lines.iter().filter_map(|line| line.split_once(" best ")).flat_map(|(_, best)| best.split(' '));
    assert_eq!(best.filter(|best| !["none", "resign"].contains(best)).count(), asked);
    assert!(lines.len() > 10 && GAMES.matches("newgame").count() == 3);
}

/// In this build, optimised otherwise than the one that is released, too.
#[test]
fn the_signature_is_the_committed_one() {
    let committed = include_str!("../../../tests/bench.signature");
    assert_eq!(signature(NODES), committed.trim());
}
