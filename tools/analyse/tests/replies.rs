//! What is predicted of recorded games.

use crate::{adventure, file, json, records, text};
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
    let told = json(&["replies", "--every", "2", "--fit", out, "--force"], &[&games]);
    let nats = |part: &str, name: &str| told[part][name].as_f64().unwrap();
    for part in ["fitted", "held_out"] {
        assert!(nats(part, "nats") < nats(part, "nats_by_chance") - 0.3, "{told}");
        assert!(nats(part, "first") < nats(part, "first_three"), "{told}");
    }
    // What is written can be embedded, and the same games give the same weights.
    let bytes = fs::read(out).unwrap();
    assert_eq!(bytes.len(), Weights::embedded().to_bytes().len());
    assert_eq!(bytes.len(), 4 * Feature::COUNT);
    let searched = json(&["replies", "--every", "2", "--fit", out, "--force", "--search", "2"], &[&games]);
    assert_eq!(bytes, fs::read(out).unwrap());
    // About every 23rd ply of twenty games of 160. So early nearly all is as good.
    let (asked, right) = (searched["searched"].as_u64().unwrap(), searched["expected"].as_f64().unwrap());
    assert!((80..=140).contains(&asked) && right < 0.9, "{asked} {right}");
}

/// On ply 30 Red's scout steps beside the General that it knows.
#[test]
fn a_search_expects_that_a_known_piece_takes_what_it_beats() {
    let mut record = adventure();
    let idle = "a4a5 a7a6 b4b5 j7j6 a5a4 a6a7 b5b4 j6j7 i4i5 b7b6 i5i4 b6b7";
    record.moves.splice(0..0, idle.split_whitespace().map(str::to_owned));
    record.nodes.resize(record.moves.len(), 0);
    record.plies = record.moves.len() as u32;
    assert_eq!(record.moves[30..32], ["e3e4", "f4xe4=W92"]);
    let told = json(&["replies", "--search", "3", "--about", "bert"], &[&file("obvious.jsonl", &[record])]);
    assert_eq!((told["searched"].as_u64(), told["expected"].as_f64()), (Some(1), Some(1.0)), "{told}");
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
