//! What the search and the policy predict.

use crate::{engine_records, file, json, records, text};

#[test]
fn what_the_engine_plays_is_predicted_by_its_search_and_its_policy() {
    let games = file("engine_weight.jsonl", &engine_records(2));
    let told = json(&["policy-weight", "--every", "3", "--nodes", "1000"], &[&games]);
    let nats = |name: &str| told[name]["nats"].as_f64().unwrap();
    assert!(told["turns"].as_u64().unwrap() > 50, "{told}");
    assert!(nats("search") < nats("by_chance") && nats("policies") < nats("by_chance"), "{told}");
    assert!(nats("together") < nats("policies").min(nats("search")) + 0.01, "{told}");
    let table = text(&["policy-weight", "--every", "20", "--nodes", "300"], &[&games]);
    assert!(table.contains("the search") && table.contains("policy 1: weight"), "{table}");
}

#[test]
fn networks_are_weighed_one_by_one() {
    let games = file("random_weight.jsonl", &records("isf plies=60", 2, true));
    let nets = ["self_play.net", "strong_players.net"]
        .map(|name| format!("{}/../../../crates/engine/src/policy/{name}", env!("CARGO_MANIFEST_DIR")));
    let asked = ["policy-weight", "--nodes", "300", "--net", &nets[0], "--net", &nets[1]];
    let told = json(&asked, &[&games]);
    assert_eq!(told["weights"].as_array().unwrap().len(), 2, "{told}");
}

#[test]
fn under_rules_that_the_policy_does_not_know_there_is_nothing_to_predict() {
    let games = file("silent_weight.jsonl", &records("isf silent=on plies=60", 2, true));
    assert_eq!(json(&["policy-weight", "--nodes", "300"], &[&games])["turns"], 0);
}
