//! Decisions of recorded games.

use crate::{json, list, refused, text};
use std::path::Path;

#[test]
fn decisions_of_recorded_games_are_compared_with_the_engine() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/games/games.jsonl");
    let words = ["agree", "--nodes", "300", "--share", "0.05"];
    let (table, told) = (text(&words, &[&games]), json(&words, &[&games]));
    assert!(table.contains(" decisions; the scores gain ") && table.contains(" at unmoved "), "{table}");
    assert_eq!(table, text(&words, &[&games]));
    let count = |told: &serde_json::Value| told["decisions"].as_u64().unwrap();
    assert_eq!(list(&told["pairs"]).iter().map(count).sum::<u64>(), count(&told));
    assert_eq!(table.lines().count(), 3 + list(&told["pairs"]).len());
    // Whose decisions they are changes none of them.
    let names = ["a", "b", "hunter", "outflank", "peternlewis", "vixen"];
    let of = |name| count(&json(&[&words[..], &["--about", name]].concat(), &[&games]));
    assert_eq!(names.map(of).iter().sum::<u64>(), count(&told));
    assert!(refused(&["agree", "--share", "0"], &[&games]).contains("--share is more than 0"));
}
