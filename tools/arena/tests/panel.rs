//! Panels, through the program.

use crate::common::{HONEST, MOCK, arena, file};
use outflank_record::{open, verify};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const PANEL: &str = r#"
[[opponent]]
name = "stranger"
games = 20
seed = 5
max_plies = 12
engine = ["nodes=5"]
words = ["cmd=$MOCK_PROGRAM", "nodes=7"]

[[opponent]]
name = "banner@9"
games = 4
seed = 6
max_plies = 12
engine = ["nodes=5"]
style = "banner@9"
"#;

/// A panel's file and an empty folder for its games.
fn place(name: &str) -> (PathBuf, PathBuf) {
    let (panel, folder) = (file(&format!("{name}.toml")), file(&format!("{name}.games")));
    let _ = fs::remove_dir_all(&folder);
    fs::write(&panel, PANEL.replace("banner@9\"\ngames", "style\"\ngames")).unwrap();
    (panel, folder)
}

fn panel(panel: &Path, folder: &Path, words: &[&str]) -> Command {
    let mut command = arena(&["panel"]);
    command.arg(panel).arg("--out").arg(folder).args(["--engine", *HONEST, "name=engine"]);
    command.args(["--style-program", *MOCK]).args(words).env("MOCK_PROGRAM", *MOCK);
    command
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn an_engine_meets_everybody_and_its_games_are_kept() {
    let (file, folder) = place("whole");
    let table = text(&panel(&file, &folder, &[]).output().unwrap());
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let counts: Vec<_> = lines[1..].iter().map(|line| (line[0], line[1])).collect();
    assert_eq!(counts, [("stranger", "20"), ("style", "4"), ("together", "24")], "{table}");
    for record in open(&folder.join("stranger.jsonl")).unwrap() {
        let record = record.unwrap();
        verify(&record).unwrap();
        assert!(record.names().contains(&"engine") && record.names().contains(&"stranger"));
    }
    // Nothing is left to play, and the table is the same; so it is from the files alone.
    let kept = fs::read(folder.join("stranger.jsonl")).unwrap();
    assert_eq!(text(&panel(&file, &folder, &[]).output().unwrap()), table);
    assert_eq!(text(&panel(&file, &folder, &["--table"]).output().unwrap()), table);
    assert_eq!(fs::read(folder.join("stranger.jsonl")).unwrap(), kept);
}

#[test]
fn parts_of_a_panel_come_to_the_same_games() {
    let (file, folder) = place("parts");
    for part in ["1/2", "2/2"] {
        text(&panel(&file, &folder, &["--shard", part, "--only", "stranger"]).output().unwrap());
    }
    let table = text(&panel(&file, &folder, &["--table", "--only", "stranger"]).output().unwrap());
    assert!(table.lines().nth(1).unwrap().starts_with("stranger     20 "), "{table}");
    let whole = place("parts-whole").1;
    assert_eq!(text(&panel(&file, &whole, &["--only", "stranger"]).output().unwrap()), table);
}

#[test]
fn two_engines_are_compared_by_their_tables() {
    let (file, base) = place("base");
    let new = place("new").1;
    for (folder, share) in [(&base, "1"), (&new, "0.5")] {
        text(&panel(&file, folder, &["--share", share, "--without", "style"]).output().unwrap());
    }
    let against = ["--table", "--share", "0.5", "--without", "style", "--against", base.to_str().unwrap()];
    let table = text(&panel(&file, &new, &against).output().unwrap());
    assert!(table.contains("\nchange ") && table.contains("verdict: not shown"), "{table}");
}

#[test]
fn what_cannot_be_played_is_reported_before_the_first_game() {
    let (file, folder) = place("wrong");
    for (words, complaint) in [
        (&["--only", "nobody"][..], "nobody in the panel is called nobody"),
        (&["--share", "0"][..], "share"),
        (&["--style-program", "/nowhere/styles"][..], "style"),
    ] {
        let output = panel(&file, &folder, words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(complaint), "{words:?}: {errors}");
    }
    let output = panel(&file, &folder, &[]).env_remove("MOCK_PROGRAM").output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("MOCK_PROGRAM"));
    // A file that is somebody else's stays as it is.
    fs::write(folder.join("stranger.jsonl"), "my notes\n").unwrap();
    assert!(!panel(&file, &folder, &[]).output().unwrap().status.success());
    assert_eq!(fs::read_to_string(folder.join("stranger.jsonl")).unwrap(), "my notes\n");
}

/// The panel in use can be read, and its adjustment is about opponents that it has.
#[test]
fn the_panel_in_use_is_one() {
    let text = include_str!("../panel.toml");
    let panel = outflank_arena::panel::Panel::read(text).unwrap();
    let model = outflank_arena::luck::LuckModel::frozen().unwrap();
    let adjusted = |name: &String| panel.opponents.iter().any(|other| other.adjust && other.name == *name);
    assert!(model.drifts.keys().all(adjusted), "{:?}", model.drifts);
    assert!(panel.opponents.iter().filter(|other| other.style.is_some()).count() == 7);
}
