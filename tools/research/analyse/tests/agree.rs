//! Decisions of recorded games.

use crate::{json, list, refused, text};
use std::path::Path;

#[test]
fn decisions_of_recorded_games_are_compared_with_the_engine() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/games/games.jsonl");
    let words = ["agree", "--nodes", "300", "--share", "0.05"];
    let (table, answer) = (text(&words, &[&games]), json(&words, &[&games]));
    assert!(table.contains(" decisions; the scores gain ") && table.contains(" at unmoved "), "{table}");
    assert_eq!(table, text(&words, &[&games]));
    let count = |object: &serde_json::Value| object["decisions"].as_u64().unwrap();
    assert_eq!(list(&answer["pairs"]).iter().map(count).sum::<u64>(), count(&answer));
    assert_eq!(table.lines().count(), 3 + list(&answer["pairs"]).len());
    // Whose decisions they are changes none of them.
    let names = ["a", "b", "hunter", "outflank", "peternlewis", "vixen"];
    let of = |name| count(&json(&[&words[..], &["--about", name]].concat(), &[&games]));
    assert_eq!(names.map(of).iter().sum::<u64>(), count(&answer));
    assert!(refused(&["agree", "--share", "0"], &[&games]).contains("--share is more than 0"));
}
