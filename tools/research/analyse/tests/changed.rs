//! Two engines asked in the same positions.

use crate::{json, list, refused, text};
use std::path::Path;

#[test]
fn two_engines_are_asked_in_the_same_positions() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/games/games.jsonl");
    let ask = |engine: &str, beside: &str| {
        let words =
            ["changed", "--positions", "60", "--games", "2", "--engine", engine, "name=a", "nodes=50"];
        json(&[&words[..], &["--beside", beside, "name=b", "nodes=50"]].concat(), &[&games])
    };
    let alike = ask("player=engine", "player=engine");
    assert_eq!((&alike["share"], &alike["names"]), (&0.0.into(), &["a", "b"].into()));
    let positions = alike["positions"].as_u64().unwrap();
    assert!((30..=90).contains(&positions), "{positions}");
    let unlike = ask("player=engine", "player=random");
    let share = unlike["share"].as_f64().unwrap();
    assert!(unlike["positions"] == alike["positions"] && share > 0.5, "{share}");
    // Where they differ each has done one thing.
    let differ = (share * positions as f64).round() as u64;
    for engine in 0..2 {
        let count = |kind: &serde_json::Value| kind[1][engine].as_u64().unwrap();
        assert_eq!(list(&unlike["kinds"]).iter().map(count).sum::<u64>(), differ);
    }
    // Words end where an option begins, and so the files may stand behind them.
    let words = ["changed", "--engine", "player=random", "--beside", "player=random", "--seed", "2"];
    assert!(text(&words, &[&games]).contains(" they choose differently\n"));
    let nobody = refused(
        &["changed", "--engine", "player=nobody", "--beside", "player=random", "--seed", "2"],
        &[&games],
    );
    assert!(nobody.contains("nobody"), "{nobody}");
}
