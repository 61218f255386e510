//! Gauntlets, through the program.

use crate::common::{HONEST, MOCK, arena, file};
use outflank_record::open;
use std::process::Command;

/// Stands in for the program of the styles: its styles are faults, and these two do no harm in a match.
fn styles() -> [&'static str; 5] {
    ["--style-program", *MOCK, "--styles", "fixed-seed", "banner@9"]
}

fn gauntlet(words: &[&str]) -> Command {
    let mut command =
        arena(&["gauntlet", "--games", "2", "--max-plies", "24", "--engine", *HONEST, "name=engine"]);
    command.args(["nodes=5", "--engine", *HONEST, "name=older", "nodes=5", "mirror=random"]).args(words);
    command
}

fn table(command: &mut Command) -> Vec<Vec<String>> {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn the_first_engine_meets_every_style_and_every_other_engine() {
    let path = file("gauntlet.jsonl");
    let out = ["--out", path.to_str().unwrap()];
    let lines = table(gauntlet(&styles()).args(out));
    assert_eq!(lines[0], ["engine", "against"]);
    let opponents: Vec<&str> = lines[2..].iter().map(|line| line[0].as_str()).collect();
    assert_eq!(opponents, ["fixed-seed", "banner@9", "older", "all"]);
    assert_eq!(lines[2..].iter().map(|line| line[1].as_str()).collect::<Vec<_>>(), ["2", "2", "2", "6"]);
    for record in open(&path).unwrap() {
        let record = record.unwrap();
        outflank_record::verify(&record).unwrap();
        assert!(record.players.values().any(|player| player.name == "engine"));
    }
    // The same table again from the file alone.
    assert_eq!(table(gauntlet(&styles()).args(out).arg("--resume")), lines);
}

#[test]
fn a_gauntlet_without_styles_is_of_the_other_engines() {
    let lines = table(&mut gauntlet(&["--styles"]));
    assert_eq!(lines[2][..2], ["older", "2"]);
    assert_eq!(lines[3][..2], ["all", "2"]);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let output = gauntlet(&["--style-program", "/nowhere/outflank-style"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("chaser"), "{output:?}");
}
