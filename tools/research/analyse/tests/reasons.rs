//! What can be said in words of what the learned policy likes.

use crate::{analyse, engine_records, file, json, records, text};
use outflank::policy::linear::Feature;
use outflank::policy::reasons::weights;
use std::fs;
use std::path::Path;

#[test]
fn words_tell_more_of_the_policy_than_nothing_and_no_less_on_games_held_out() {
    let games = file("engine_reasons.jsonl", &engine_records(20));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reasons.weights");
    let out = out.to_str().unwrap();
    let answer = json(&["reasons", "--every", "2", "--fit", out, "--force"], &[&games]);
    let nats = |part: &str, name: &str| answer[part][name].as_f64().unwrap();
    for part in ["fitted", "held_out"] {
        assert!(nats(part, "nats") < 0.75 * nats(part, "nats_by_chance"), "{answer}");
    }
    assert_eq!(fs::read(out).unwrap().len(), 4 * Feature::COUNT);
    // The games themselves are no place for weights.
    let before = fs::read(&games).unwrap();
    let refused = analyse(&["reasons", "--fit", games.to_str().unwrap()], &[&games], "2");
    assert!(
        !refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("not overwritten")
    );
    assert_eq!(fs::read(&games).unwrap(), before);
    assert_eq!(answer["weights"].as_array().unwrap().len(), Feature::COUNT);
}

/// Of random games, which are unlike those that the weights are fitted to, words tell a tenth.
#[test]
fn the_weights_in_use_tell_what_the_policy_likes_in_any_game() {
    let games = file("random_reasons.jsonl", &records("isf plies=200", 4, true));
    let answer = json(&["reasons", "--every", "2"], &[&games]);
    let nats = |name: &str| answer["held_out"][name].as_f64().unwrap();
    assert!(nats("nats") < 0.95 * nats("nats_by_chance"), "{answer}");
    let table = text(&["reasons", "--every", "2"], &[&games]);
    assert!(table.contains("nats from the policy") && table.lines().count() == 5 + 16, "{table}");
    assert!(weights().iter().all(|weight| weight.is_finite()));
}

#[test]
fn under_rules_that_the_policy_does_not_know_there_is_nothing_to_tell() {
    let games = file("silent_reasons.jsonl", &records("isf silent=on plies=60", 2, true));
    assert_eq!(json(&["reasons"], &[&games])["held_out"]["turns"], 0);
}
