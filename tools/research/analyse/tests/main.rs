//! All tests of the program in one.

mod agree;
mod belief;
mod changed;
mod gameover;
mod games;
mod reasons;
mod report;

use outflank::rules::{BySide, Side};
use outflank_arena::contender::Contender;
use outflank_arena::plan::Plan;
use outflank_record::{Decision, EndReason, Outcome, Record};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Random games between anna and bert, in pairs that share their setups or not.
fn records(rules: &str, games: u64, pairs: bool) -> Vec<Record> {
    let player = |name| Contender::read(&["player=random".to_owned(), format!("name={name}")]).unwrap();
    let (players, rounds) = (["anna", "bert"].map(player).to_vec(), if pairs { games / 2 } else { games });
    let plan = Plan { paired: pairs, ..Plan::plain(players, rounds, rules.parse().unwrap(), 5) };
    (0..games).map(|number| plan.play_one(number).unwrap()).collect()
}

/// Games of the engine at few nodes.
fn engine_records(games: u64) -> Vec<Record> {
    let player = |name| Contender::read(&["player=engine", "nodes=40", name].map(str::to_owned)).unwrap();
    let plan = Plan::plain(
        ["name=anna", "name=bert"].map(player).to_vec(),
        games,
        "isf plies=160".parse().unwrap(),
        3,
    );
    (0..games).map(|number| plan.play_one(number).unwrap()).collect()
}

const SETUP: &str = "4532B2BF5BBB37S6362339M7224875466B852224";

/// The setup with the pieces on pairs of places changed, one after the other.
fn swapped(pairs: &[(usize, usize)]) -> String {
    let mut setup = SETUP.as_bytes().to_vec();
    for &(one, other) in pairs {
        setup.swap(one, other);
    }
    String::from_utf8(setup).unwrap()
}

/// A game of these setups and plies, after which the other player than `winner` resigned.
fn game(setups: [String; 2], plies: &str, winner: Side) -> Record {
    let mut record = records("isf plies=40", 1, false).remove(0);
    record.setups = BySide::new(setups);
    record.moves = plies.split_whitespace().map(str::to_owned).collect();
    record.nodes = vec![0; record.moves.len()];
    record.plies = record.moves.len() as u32;
    record.strikes = plies.matches('=').count() as u32;
    record.outcome = Outcome::of_decision(Some(winner), Decision::Resigned);
    record
}

/// Blue's General on f7 retakes Red's Colonel on e7, goes down to f4 and e4, and runs into the bomb on d4.
fn adventure() -> Record {
    let plies = "e4e5 a7a6 e5e6 a6a7 e6xe7=W85 f7xe7=W98 b4b5 e7e6 b5b6 e6e5 b6xb7=W62 b8xb7=W76 a4a5 e5e4 \
                 i4xi7=L26 e4xf4=W95 f3xf4=L29 j7j6 e3e4 f4xe4=W92 a5a6 e4xd4=L9B";
    game([swapped(&[]), swapped(&[(34, 21)])], plies, Side::Blue)
}

/// A file of this test run's own with these records.
fn file(name: &str, records: &[Record]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut bytes = Vec::new();
    for record in records {
        record.write(&mut bytes).unwrap();
    }
    std::fs::write(&path, bytes).unwrap();
    path
}

/// What the program does with a subcommand and its options, files last.
fn analyse(words: &[&str], files: &[&Path], threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-analyse"));
    command.args(words).args(files).env("RAYON_NUM_THREADS", threads).output().unwrap()
}

fn text(words: &[&str], files: &[&Path]) -> String {
    let output = analyse(words, files, "2");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "progress is for terminals");
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str], files: &[&Path]) -> Value {
    serde_json::from_str(&text(&[words, &["--json"]].concat(), files)).unwrap()
}

fn refused(words: &[&str], files: &[&Path]) -> String {
    let output = analyse(words, files, "2");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    String::from_utf8(output.stderr).unwrap()
}

/// The words of the line of a table that begins with `name`; there is one in each table of one player.
fn line(text: &str, title: &str, name: &str) -> Vec<String> {
    let table = text.split(title).nth(1).unwrap().split("\n\n").next().unwrap();
    let rest = table.lines().find_map(|line| line.trim_start().strip_prefix(&format!("{name} ")));
    let rest = rest.unwrap_or_else(|| panic!("{title}: {name}\n{text}"));
    rest.split_whitespace().map(str::to_owned).collect()
}

/// A number of the JSON as tables write it.
fn number(value: &Value, unit: f64, decimals: usize) -> String {
    value.as_f64().map_or_else(|| "-".to_owned(), |value| format!("{:.decimals$}", unit * value))
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

const SUBCOMMANDS: [&str; 4] = ["belief", "report", "agree", "reasons"];

#[test]
fn games_come_from_standard_input_and_several_files_alike() {
    let games = records("isf plies=200", 4, false);
    let (one, other) = (file("first.jsonl", &games[..1]), file("others.jsonl", &games[1..]));
    let whole = file("all.jsonl", &games);
    for subcommand in SUBCOMMANDS {
        let [alone, many] = ["1", "3"].map(|threads| analyse(&[subcommand], &[&one, &other], threads).stdout);
        assert_eq!(alone, many);
        assert_eq!(String::from_utf8(alone).unwrap(), text(&[subcommand], &[&whole]));
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-analyse"));
        command.args([subcommand, "-"]).stdin(std::fs::File::open(&whole).unwrap());
        assert_eq!(command.output().unwrap().stdout, many);
    }
}

#[test]
fn what_is_no_game_or_nobody_is_refused() {
    let mut games = records("isf plies=30", 2, false);
    let good = file("good.jsonl", &games);
    games[1].moves[7] = "a1a9".to_owned();
    let bad = file("bad.jsonl", &games);
    let broken = file("broken.jsonl", &[]);
    std::fs::write(&broken, "{}\n").unwrap();
    for subcommand in SUBCOMMANDS {
        let message = refused(&[subcommand, "--about", "nobody"], &[&good]);
        assert!(message.contains("there are anna, bert"), "{message}");
        let message = refused(&[subcommand], &[&good, &bad]);
        let parts = ["outflank-analyse: ", "bad.jsonl: game 1: ", "a1a9"];
        assert!(parts.iter().all(|part| message.contains(part)) && !message.contains("good"), "{message}");
        let message = refused(&[subcommand], &[&broken]);
        assert!(message.contains("broken.jsonl: line 1: no record of a game: missing field"), "{message}");
        let message = refused(&[subcommand], &[Path::new("nowhere.jsonl")]);
        assert!(message.contains("nowhere.jsonl"), "{message}");
    }
}

/// A player that fails before there is a setup has lost a game without plies: nothing was believed or struck in it.
#[test]
fn a_game_without_setups_counts() {
    let mut record = records("isf plies=1", 1, false).remove(0);
    record.setups = BySide::default();
    (record.moves, record.nodes, record.plies) = (Vec::new(), Vec::new(), 0);
    record.outcome = Outcome::new(Side::Red, EndReason::Fault);
    let path = file("unset.jsonl", &[record]);
    let printed = text(&["report", "--about", "anna"], &[&path]);
    assert!(printed.contains("anna: 1 games, won 1, drawn 0, lost 0\nwon by fault 1\n"), "{printed}");
    assert_eq!(json(&["belief"], &[&path])["views"], 0);
    assert!(refused(&["agree"], &[&path]).contains("nobody could strike"));
}

#[test]
fn numbers_that_cannot_be_meant_are_refused() {
    for words in [
        ["belief", "--resamples", "99999999999"],
        ["belief", "--every", "0"],
        ["belief", "--inference-nodes", "18446744073709551615"],
        ["agree", "--nodes", "0"],
    ] {
        let refused = analyse(&words, &[Path::new("games.jsonl")], "1");
        assert_eq!(refused.status.code(), Some(2), "{words:?}: {refused:?}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let path = file("unread.jsonl", &records("isf plies=60", 1, false));
    for subcommand in SUBCOMMANDS {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-analyse"));
        command.args([subcommand.as_ref(), path.as_os_str()]).stdout(writer).stderr(Stdio::piped());
        let unread = command.spawn().unwrap().wait_with_output().unwrap();
        assert!(unread.status.success() && unread.stderr.is_empty(), "{subcommand}: {unread:?}");
    }
}
