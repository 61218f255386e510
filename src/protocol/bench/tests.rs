use super::*;
use crate::engine::{Stopwatch, parameters};
use crate::params::{Parameter, Variant};
use crate::search::search;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What `bench` prints with so many nodes, without the time.
fn printed(nodes: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut report = |report: Report| {
        if let Report::Say(reply) = report {
            lines.push(reply.to_string());
        }
    };
    let stop = &AtomicBool::new(false);
    let clock = Stopwatch(Instant::now());
    let mut context = Context { searcher: search, clock, stop, report: &mut report };
    run(BenchSize { nodes: Some(nodes), threads: 1 }, &mut context);
    lines
}

fn signature(nodes: u64) -> String {
    let lines = printed(nodes);
    lines.last().and_then(|line| line.split_once(" signature ")).map(|(_, found)| found.to_owned()).unwrap()
}

#[test]
fn the_games_are_told_without_an_error_and_searched_in_every_phase() {
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

/// With fewer nodes nobody thinks about the enemy's last move.
const ENOUGH: u64 = 1300;

/// The signature when a number is a little greater than it is.
fn signature_with_more(parameter: &'static Parameter, index: usize) -> String {
    let given = (parameter.given)(index);
    let (_, most) = (parameter.range)();
    let more = match given {
        _ if parameter.whole => given + (given / 20.0).ceil().max(1.0),
        // Off until it is set: a twentieth of nothing is nothing.
        0.0 => most / 20.0,
        _ => given * 1.05,
    };
    Variant::of(parameter, index, more.min(most)).while_doing(|| signature(ENOUGH))
}

#[test]
fn a_small_change_of_any_part_changes_the_signature() {
    let plain = signature(ENOUGH);
    assert_eq!(plain, signature(ENOUGH));
    let parameters = parameters();
    for name in ["belief.power", "eval.base_value.6", "search.rationality"] {
        let named = |parameter: &&&Parameter| parameter.names().any(|(_, other)| other.starts_with(name));
        let parameter = parameters.iter().find(named).unwrap();
        for (index, found) in parameter.names().filter(|(_, found)| found.starts_with(name)) {
            assert_ne!(plain, signature_with_more(parameter, index), "{found}");
        }
    }
}

/// Parts whose numbers show in no game of the bench: it has no clock and no level, and its setups are given.
const UNSEEN_PARTS: [&str; 2] = ["clock.", "deployment."];
/// Numbers that show in none, or not with so few nodes.
const UNSEEN: [&str; 43] = [
    "belief.coupling",
    "belief.still_power",
    "belief.stood_lasting",
    "belief.proven",
    "belief.bait_guard",
    "eval.spy_without_target",
    "eval.unbeaten",
    "eval.miner_without_bombs",
    "eval.hidden_value.F",
    "eval.most_attack_incentive",
    "eval.unlikely",
    "eval.domination_reach",
    "eval.domination_late",
    "eval.may_stop",
    "eval.may_stop_middle",
    "eval.may_stop_strong",
    "search.very_late",
    "search.negligible",
    "search.quiescence_profit",
    "search.great_lead_half_life",
    "search.few_pieces",
    "search.rescued_ranks",
    "search.unlikely_step",
    "search.unlikely_scout",
    "search.great_lead",
    "search.ahead",
    "search.standstill",
    "search.incentive_per_ply",
    "search.most_incentive",
    "search.decay_plies",
    "search.most_decay",
    "search.fewest_nodes",
    "search.more_nodes",
    "search.least_noise",
    "search.more_noise",
    "search.level_temperature",
    "search.level_policy_floor",
    "search.returning",
    "search.inference_least_ms",
    "search.inference_least_nodes",
    "search.inference_most_nodes",
    "search.inference_bystanders",
    "search.inference_unlikely",
];

/// Every number but those that no game of the bench depends on.
#[test]
#[ignore = "a soak of minutes"]
fn soak_a_small_change_of_any_number_changes_the_signature() {
    let plain = signature(ENOUGH);
    let values =
        parameters().into_iter().flat_map(|parameter| parameter.names().map(move |name| (parameter, name)));
    let expected =
        |name: &str| UNSEEN.contains(&name) || UNSEEN_PARTS.iter().any(|part| name.starts_with(part));
    let values = values.filter(|(_, (_, name))| !expected(name));
    let unseen = values.filter(|(parameter, (index, _))| signature_with_more(parameter, *index) == plain);
    let unseen: Vec<String> = unseen.map(|(_, (_, name))| name).collect();
    assert!(unseen.is_empty(), "{unseen:?}");
}
