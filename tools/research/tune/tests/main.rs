//! The program as a user runs it, with an engine and an arena that are scripts.
#![cfg(unix)]

use outflank::rules::{BySide, Reason, Side};
use outflank_record::{EndReason, Outcome, PlayerRecord, Record};
use std::fs::{read_to_string, remove_file, write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A file of this test run's own.
fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = remove_file(&path);
    path
}

fn script(name: &str, text: &str) -> PathBuf {
    let path = file(name);
    write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

/// A game that Red won.
fn game(number: u64, names: [&str; 2]) -> String {
    let players =
        BySide::new(names).map(|name| PlayerRecord { name: name.to_owned(), ..PlayerRecord::default() });
    let mut record = Record { game: number, players, moves: vec!["a4a5".to_owned()], ..Record::default() };
    record.outcome = Outcome::new(Side::Red, EndReason::Rule(Reason::Flag));
    record.line().unwrap()
}

struct Setting {
    engine: PathBuf,
    arena: PathBuf,
    /// What the arena was told, a line for each match.
    told: PathBuf,
    log: PathBuf,
}

/// An arena in which the engine with the changes wins all games.
fn setting(name: &str) -> Setting {
    let told = file(&format!("{name}.told"));
    let games = file(&format!("{name}.played"));
    write(&games, game(0, ["plus", "minus"]) + &game(1, ["plus", "minus"])).unwrap();
    let engine = "echo eval.attack 0.5 0 1 real; echo eval.pace 12 0 200 whole";
    let arena = format!(
        "echo \"$@\" >> {}\nwhile [ \"$1\" != --out ]; do shift; done\ncp {} \"$2\"",
        told.display(),
        games.display()
    );
    Setting {
        engine: script(&format!("{name}.engine"), engine),
        arena: script(&format!("{name}.arena"), &arena),
        told,
        log: file(&format!("{name}.log")),
    }
}

impl Setting {
    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-tune"));
        command.args(["run", "--games", "2"]).arg("--log").arg(&self.log);
        command.arg("--engine").arg(&self.engine).arg("--arena").arg(&self.arena);
        command.args(words).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const WORDS: [&str; 6] = ["--param", "eval.*", "--rounds", "3", "--each", "nodes=100"];

#[test]
fn numbers_go_where_the_winner_was() {
    let setting = setting("winner");
    let output = setting.run(&[&WORDS[..], &["--", "--rules", "isf quiet=200"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    // All rounds were won, and the coin fell alike for this number three times, twice or once.
    let row = shown.lines().find(|line| line.starts_with("eval.attack")).unwrap();
    let sigma: f64 = row.split_ascii_whitespace().last().unwrap().parse().unwrap();
    assert!([1.73, 0.58, -0.58, -1.73].iter().any(|one| (sigma - one).abs() < 0.006), "{row}");
    assert!(shown.starts_with("3 of 3 rounds, 6 games (0.0% drawn, 1 plies on average)"), "{shown}");
    let told = read_to_string(&setting.told).unwrap();
    assert_eq!(told.lines().count(), 3);
    // The same engine twice, each with its numbers, and what was told of the games.
    let first = told.lines().next().unwrap();
    for words in ["--games 2", "--each nodes=100", "--rules isf quiet=200", "name=plus cmd=/"] {
        assert!(first.contains(words), "{words}: {first}");
    }
    let values: Vec<&str> = first.split("env.OUTFLANK_PARAMS=").skip(1).collect();
    assert!(values.len() == 2 && values[0] != values[1] && values[0].starts_with("eval.attack=0."));
    // Each number has moved the way in which the winner's was changed.
    let log = read_to_string(&setting.log).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().nth(1).unwrap()).unwrap();
    let attack: f64 = values[0]["eval.attack=".len()..].split(',').next().unwrap().parse().unwrap();
    assert!((attack > 0.5) == (last["values"][0].as_f64().unwrap() > 0.5));
}

#[test]
fn a_killed_tuning_goes_on_as_if_nothing_had_happened() {
    let setting = setting("killed");
    assert!(setting.run(&WORDS).status.success());
    let strip = |text: &str| -> Vec<serde_json::Value> {
        let mut lines: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for line in &mut lines {
            line.as_object_mut().unwrap().remove("seconds");
        }
        lines
    };
    let whole = read_to_string(&setting.log).unwrap();
    // Killed while the third round was written.
    let cut = whole.trim_end().rfind('\n').unwrap() + 9;
    write(&setting.log, &whole[..cut]).unwrap();
    assert!(setting.run(&WORDS).status.success());
    let again = read_to_string(&setting.log).unwrap();
    assert_eq!(strip(&again), strip(&whole));
    // Another plan is another file.
    let other = setting.run(&["--param", "eval.pace", "--rounds", "3"]);
    assert!(!other.status.success() && text(&other.stderr).contains("another plan"));
    let other = setting.run(&[&WORDS[..], &["--share", "0.1"]].concat());
    assert!(!other.status.success() && text(&other.stderr).contains("another plan"));
}

#[test]
fn a_log_that_was_cut_anywhere_is_gone_on_with_and_nothing_is_lost() {
    let setting = setting("cut");
    assert!(setting.run(&WORDS).status.success());
    let whole = read_to_string(&setting.log).unwrap();
    let aside = |number| PathBuf::from(format!("{}.torn-{number}", setting.log.display()));
    (1..5).for_each(|number| drop(remove_file(aside(number))));
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at).collect();
    // Inside the plan, inside the first round, at a line's end before what a power cut leaves, and where a round lacks
    // only its end.
    let nuls = "\0".repeat(3000);
    for (number, cut, after) in
        [(1, 20, ""), (2, ends[0] + 30, ""), (3, ends[1] + 1, &*nuls), (4, ends[2], "")]
    {
        let torn = format!("{}{after}", &whole[..cut]);
        write(&setting.log, &torn).unwrap();
        let output = setting.run(&WORDS);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let lines = read_to_string(&setting.log).unwrap();
        let lines: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), 4);
        if number < 4 {
            let kept = read_to_string(aside(number)).unwrap();
            assert_eq!(kept, torn.rsplit('\n').next().unwrap());
            assert!(text(&output.stderr).contains(&format!("torn-{number}")));
        }
    }
    assert!(!aside(4).exists());
}

#[test]
fn what_is_no_log_and_what_lies_beside_a_log_stay_as_they_are() {
    let setting = setting("foreign");
    let other = setting.log.with_extension("games");
    write(&other, "mine").unwrap();
    assert!(setting.run(&WORDS).status.success());
    assert_eq!(read_to_string(&other).unwrap(), "mine");
    for foreign in ["my notes", "{\"a\": 1}\n", "{\"round\":0"] {
        let foreign = format!("{foreign}{}", if foreign.starts_with("{\"r") { "}\n" } else { "" });
        write(&setting.log, &foreign).unwrap();
        assert!(!setting.run(&WORDS).status.success(), "{foreign:?}");
        assert_eq!(read_to_string(&setting.log).unwrap(), foreign);
    }
}

#[test]
fn a_damaged_log_is_refused_with_a_word() {
    let setting = setting("damaged");
    assert!(setting.run(&WORDS).status.success());
    let whole = read_to_string(&setting.log).unwrap();
    let last = whole.lines().last().unwrap();
    let (before, values) = last.rsplit_once("\"values\":[").unwrap();
    let fewer = format!("{before}\"values\":[{}", values.split_once(',').unwrap().1);
    let narrow = whole.replacen("\"least\":0.0", "\"least\":0.9", 1);
    for (damaged, why) in [(whole.replace(last, &fewer), "1 values of 2"), (narrow, "is not within 0.9")] {
        assert!(damaged != whole);
        write(&setting.log, damaged).unwrap();
        let mut show = Command::new(env!("CARGO_BIN_EXE_outflank-tune"));
        for output in [show.arg("show").arg(&setting.log).output().unwrap(), setting.run(&WORDS)] {
            let told = text(&output.stderr);
            assert!(!output.status.success() && told.contains(why) && !told.contains("panicked"), "{told}");
        }
    }
}

#[test]
fn an_engine_may_stand_anywhere_that_the_arena_can_be_told() {
    let mut setting = setting("anywhere");
    let folder = file("anywhere.folder");
    let _ = std::fs::create_dir(&folder);
    let odd = folder.join("lr=0.1 x");
    let _ = std::fs::create_dir(&odd);
    let moved = odd.join("engine");
    std::fs::rename(&setting.engine, &moved).unwrap();
    setting.engine = moved;
    assert!(setting.run(&WORDS).status.success());
    let told = read_to_string(&setting.told).unwrap();
    let words = told.lines().next().unwrap().split("--engine ").nth(1).unwrap();
    let path = setting.engine.display();
    assert!(
        words.starts_with(&format!("name=plus cmd={path} env.OUTFLANK_PARAMS=eval.attack=0.")),
        "{words}"
    );
    let unnamed = folder.join(std::ffi::OsStr::from_bytes(b"\xff"));
    std::fs::rename(&setting.engine, &unnamed).unwrap();
    setting.engine = unnamed;
    let refused = setting.run(&["--param", "eval.*", "--rounds", "4"]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("paths of UTF-8"), "{refused:?}");
}

#[test]
fn words_that_cannot_be_meant_are_refused() {
    let setting = setting("meant");
    for words in [
        ["--rounds", "18446744073709551615"],
        ["--rate", "nan"],
        ["--share", "1.5"],
        ["--opponent", "cmd='half of a name"],
    ] {
        let refused = setting.run(&[&["--param", "eval.*"], &words[..]].concat());
        assert!(!refused.status.success() && !text(&refused.stderr).is_empty(), "{words:?}: {refused:?}");
    }
}

#[test]
fn a_tuning_is_shown_with_a_picture() {
    let setting = setting("shown");
    assert!(setting.run(&WORDS).status.success());
    let picture = file("shown.svg");
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-tune"));
    let output = command.arg("show").arg(&setting.log).arg("--svg").arg(&picture).output().unwrap();
    let shown = text(&output.stdout);
    assert!(shown.contains("eval.attack") && shown.contains("OUTFLANK_PARAMS=eval.attack="), "{shown}");
    let picture = read_to_string(&picture).unwrap();
    assert!(picture.starts_with("<svg") && picture.matches("<polyline").count() == 2);
    // A byte order mark and empty lines say nothing, as where a tuning goes on.
    let lines = read_to_string(&setting.log).unwrap();
    let marked = file("shown.marked");
    write(&marked, format!("\u{feff}{}\n", lines.replace('\n', "\n\n"))).unwrap();
    let again = Command::new(env!("CARGO_BIN_EXE_outflank-tune")).arg("show").arg(&marked).output().unwrap();
    assert_eq!(text(&again.stdout), shown);
}

#[test]
fn what_cannot_be_tuned_is_told() {
    let mut setting = setting("wrong");
    let error = |output: Output| {
        assert!(!output.status.success());
        text(&output.stderr)
    };
    assert!(error(setting.run(&["--param", "eval.none"])).contains("no parameter is called \"eval.none\""));
    setting.arena = script("wrong.broken", "echo no such engine >&2; exit 1");
    assert!(error(setting.run(&WORDS)).contains("no such engine"));
    setting.engine = script("wrong.plain", "echo parameters are constants >&2; exit 1");
    assert!(error(setting.run(&WORDS)).contains("parameters are constants"));
}
