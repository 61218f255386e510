//! What is predicted of recorded games.

use crate::{file, json, records, text};
use outflank::replies::{Feature, Weights};
use outflank_arena::contender::Contender;
use outflank_arena::plan::Plan;
use outflank_record::Record;
use std::fs;
use std::path::Path;

/// Games of the engine at few nodes.
pub(crate) fn engine_records(games: u64) -> Vec<Record> {
    let player = |name| Contender::read(&["player=engine", "nodes=40", name].map(str::to_owned)).unwrap();
    let plan = Plan::plain(
        ["name=anna", "name=bert"].map(player).to_vec(),
        games,
        "isf plies=160".parse().unwrap(),
        3,
    );
    (0..games).map(|number| plan.play_one(number).unwrap()).collect()
}

#[test]
fn fitted_weights_predict_more_than_chance_and_no_less_on_games_held_out() {
    let games = file("engine_replies.jsonl", &engine_records(20));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fitted.weights");
    let out = out.to_str().unwrap();
    let told = json(&["replies", "--every", "2", "--fit", out], &[&games]);
    let nats = |part: &str, name: &str| told[part][name].as_f64().unwrap();
    for part in ["fitted", "held_out"] {
        assert!(nats(part, "nats") < nats(part, "nats_by_chance") - 0.3, "{told}");
        assert!(nats(part, "first") < nats(part, "first_three"), "{told}");
    }
    // What is written can be embedded, and the same games give the same weights.
    let bytes = fs::read(out).unwrap();
    assert_eq!(bytes.len(), Weights::embedded().to_bytes().len());
    assert_eq!(bytes.len(), 4 * Feature::COUNT);
    let searched = json(&["replies", "--every", "2", "--fit", out, "--search", "4"], &[&games]);
    assert_eq!(bytes, fs::read(out).unwrap());
    // About every 23rd ply of twenty games of 160, and the engine is no stranger to itself.
    let (asked, right) = (searched["searched"].as_u64().unwrap(), searched["expected"].as_f64().unwrap());
    assert!((80..=140).contains(&asked) && right > 0.03 && right < 0.9, "{asked} {right}");
}

#[test]
fn who_plays_at_random_is_predicted_no_better_than_by_chance() {
    let games = file("random_replies.jsonl", &records("isf plies=300", 4, true));
    let told = json(&["replies", "--every", "1"], &[&games]);
    let nats = |name: &str| told["held_out"][name].as_f64().unwrap();
    assert!(nats("nats") > nats("nats_by_chance"), "{told}");
    assert!(told["held_out"]["turns"].as_u64().unwrap() > 500, "{told}");
    let table = text(&["replies", "--every", "1"], &[&games]);
    assert!(table.contains("nats a turn") && !table.contains("Held out"), "{table}");
}
