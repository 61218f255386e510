//! What becomes of files and pipes when something goes wrong around the tool.

use outflank_record::RecordFile;
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const TOOL: &str = env!("CARGO_BIN_EXE_outflank-selfplay");

/// Six games that cost little, into the file that is told last.
const PLAY: [&str; 10] = [
    "play",
    "--games",
    "6",
    "--pairs",
    "--no-clocks",
    "--max-plies",
    "50",
    "--a=player=random",
    "--b=nodes=20",
    "--out",
];

/// A file of this test run's own.
fn file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs the tool.
fn tool(arguments: &[&str], path: &Path) -> Output {
    Command::new(TOOL).args(arguments).arg(path).output().unwrap()
}

#[test]
fn a_population_leaves_its_neighbours_alone() {
    let out = file("population.txt");
    let neighbour = out.with_extension("new");
    std::fs::write(&neighbour, "mine").unwrap();
    let words =
        ["setups", "--player=player=random", "--size", "4", "--rounds", "2", "--max-plies", "40", "--out"];
    let output =
        Command::new(env!("CARGO_BIN_EXE_outflank-selfplay")).args(words).arg(&out).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(&neighbour).unwrap(), "mine");
    assert!(!std::fs::read_to_string(&out).unwrap().is_empty());
}

#[test]
fn numbers_that_cannot_be_meant_are_refused() {
    let (most, path) = ("18446744073709551615", file("meant.jsonl"));
    for (words, told) in [
        (["play", "--nodes", most], "invalid value"),
        (["play", "--nodes", "0"], "invalid value"),
        (["play", "--movetime", most], "invalid value"),
        (["play", "--threads", most], "invalid value"),
        (["play", "--threads", "0"], "invalid value"),
        (["play", "--a", "nodes=18446744073709551615"], "nodes: it takes a whole number"),
        (["play", "--b", "candidates=18446744073709551615"], "candidates: it takes a whole number"),
        (["setups", "--player=", "--size=18446744073709551615"], "invalid value"),
        (["setups", "--player=", "--replaced=nan"], "invalid value"),
        (["setups", "--player=", "--rounds=18446744073709551615"], "invalid value"),
        (["best", "--count=18446744073709551615", "x"], "invalid value"),
    ] {
        let refused = tool(&[&words[..], &["--out"]].concat(), &path);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && error.contains(told), "{words:?}: {error}");
        assert!(!path.exists());
    }
}

#[test]
fn a_second_process_on_the_same_file_is_refused() {
    let path = file("locked.jsonl");
    assert!(tool(&PLAY, &path).status.success());
    let bytes = std::fs::read(&path).unwrap();
    let held = RecordFile::resume(&path, |_| Ok(())).unwrap();
    let resume = [&["play", "--resume"], &PLAY[1..]].concat();
    let refused = tool(&resume, &path);
    let told = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success());
    assert!(told.ends_with("locked.jsonl: another process is writing to it\n"), "{told}");
    assert_eq!((told.lines().count(), std::fs::read(&path).unwrap()), (1, bytes));
    drop(held);
    assert!(tool(&resume, &path).status.success());
}

#[test]
fn doubled_games_are_named_and_fail() {
    let path = file("doubled.jsonl");
    assert!(tool(&PLAY, &path).status.success());
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(&path, format!("{text}{}\n{}\n", lines[4], lines[1])).unwrap();
    for command in [&["verify"][..], &["stats"], &[&["play", "--resume"], &PLAY[1..]].concat()] {
        let failed = tool(command, &path);
        let told = String::from_utf8(failed.stderr).unwrap();
        let named =
            if command.len() == 1 { "games 1 and 4 are there twice" } else { "game 4 is there twice" };
        assert!(!failed.status.success() && told.contains(named), "{command:?}: {told}");
    }
}

#[test]
fn numbers_of_games_that_nobody_means_are_refused_at_once() {
    for games in ["0", "18446744073709551614"] {
        let refused = tool(&["play", "--games", games, "--out"], &file("none.jsonl"));
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && told.contains("is not in 1..="), "{told}");
    }
}

/// The reader has gone before the first word.
fn unread(arguments: &[&str], path: &Path) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(TOOL);
    command.args(arguments).arg(path).stdout(writer).stderr(Stdio::piped());
    command.spawn().unwrap().wait_with_output().unwrap()
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let path = file("unread.jsonl");
    for command in [&PLAY[..], &["verify"], &["stats"]] {
        let ended = unread(command, &path);
        assert!(ended.status.success() && ended.stderr.is_empty(), "{command:?}: {ended:?}");
    }
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"plies\":50", "\"plies\":51", 1)).unwrap();
    let wrong = unread(&["verify"], &path);
    assert!(!wrong.status.success() && !wrong.stderr.is_empty(), "what is wrong is told all the same");
}

#[test]
fn what_is_no_regular_file_is_not_resumed() {
    let resume = [&["play", "--resume"], &PLAY[1..]].concat();
    for special in ["/dev/full", "/dev/null", "/dev/zero", "/proc"] {
        let refused = tool(&resume, Path::new(special));
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success(), "{special}");
        assert!(told.contains(&format!("{special} is no regular file")), "{told}");
    }
}

#[test]
fn endless_input_is_refused() {
    for command in ["verify", "stats"] {
        let refused = tool(&[command], Path::new("/dev/zero"));
        let told = String::from_utf8(refused.stderr).unwrap();
        assert!(told.contains("/dev/zero: line 1: it is longer than"), "{told}");
    }
}

/// Under a limit of 3 KiB for files, which is met as a full disk is.
fn cramped(arguments: &[&str], path: &Path) -> Output {
    let script = "trap '' XFSZ; ulimit -f 6; exec \"$0\" \"$@\"";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, TOOL]).args(arguments).arg(path);
    command.process_group(0).output().unwrap()
}

#[test]
fn a_full_disk_is_named_and_the_table_printed() {
    let path = file("cramped.jsonl");
    let failed = cramped(&PLAY, &path);
    let [table, told] = [failed.stdout, failed.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!failed.status.success() && told.contains("cramped.jsonl: "), "{told}");
    let kept = std::fs::read_to_string(&path).unwrap();
    let games = kept.lines().count();
    assert!(kept.ends_with('\n') && (1..6).contains(&games), "{games}");
    assert!(table.starts_with(&format!("a against b: {games} games")), "{table}");
    assert!(tool(&[&["play", "--resume"], &PLAY[1..]].concat(), &path).status.success());
    let mut stats = Command::new(TOOL);
    stats.arg("stats").arg(&path).stdout(File::create("/dev/full").unwrap()).stderr(Stdio::piped());
    let failed = stats.spawn().unwrap().wait_with_output().unwrap();
    let told = String::from_utf8(failed.stderr).unwrap();
    assert!(!failed.status.success() && told.contains("standard output: No space left"), "{told}");
}
