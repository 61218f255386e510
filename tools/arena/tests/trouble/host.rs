//! What the machine lacks or does is charged to no engine, and ends the match with a word where it must.

use super::{HONEST, Running, arena, fail, file, limited, mock, output, small_match};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A match between the mock and a script that does this when it is asked for an action.
fn match_with(on_go: &str, script: &Path, out: &Path) -> Command {
    let mut command = arena(&["match", "--games", "10", "--concurrency", "1", "--margin", "500", "--out"]);
    command.arg(out).args(["--engine", *HONEST, "name=honest", "nodes=1"]);
    command.args(["--engine", "cmd=sh", "name=other", &mock(script, on_go)]);
    command
}

/// How many games the file has, by why they ended.
fn reasons(out: &Path) -> Vec<String> {
    let text = fs::read_to_string(out).unwrap();
    let records = text.lines().map(|line| line.parse::<outflank_record::Record>().unwrap());
    records.map(|record| record.outcome.reason.name().to_owned()).collect()
}

#[test]
fn no_more_games_are_played_at_once_than_files_can_be_opened() {
    let words = ["--games", "12", "--concurrency", "12"];
    let out = file("few-files.jsonl");
    let (success, table, errors) = output(&mut limited("ulimit -n 64", &small_match(&words, &out)));
    assert!(success && errors.contains(" games at once, not 12: each takes 8 open files"), "{errors}");
    assert!(errors.contains("may open 64 in all") && !table.contains("faults of"), "{table}{errors}");
    assert_eq!(reasons(&out).len(), 12);
    let errors = fail(&mut limited("ulimit -n 24", &small_match(&words, &file("no-files.jsonl"))));
    assert!(errors.contains("no game has room: it takes 8 open files"), "{errors}");
}

/// The second process of the script finds that its host may open nothing more.
#[test]
fn who_plays_when_the_machine_runs_out_of_files_neither_wins_nor_loses() {
    let (out, script) = (file("out-of-files.jsonl"), file("out-of-files.sh"));
    let mut command = match_with("prlimit --pid $PPID --nofile=8; echo bestmove resign", &script, &out);
    let (success, table, errors) = output(command.args(["nodes=1", "restart=on"]));
    assert!(!success && errors.contains("host: sh: ") && errors.contains("open files"), "{errors}");
    assert!(!table.contains("faults of"), "{table}");
    assert_eq!(reasons(&out), ["resigned"]);
}

#[test]
fn who_cannot_be_started_any_more_ends_the_match_and_nobody_else_is_charged() {
    let (out, script) = (file("unstartable.jsonl"), file("unstartable.sh"));
    mock(&script, "rm -f \"$0\"; echo bestmove resign");
    fs::write(&script, format!("#!/bin/sh\n{}", fs::read_to_string(&script).unwrap())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command =
        arena(&["match", "--games", "10", "--concurrency", "1", "--engine", *HONEST, "name=honest"]);
    command.args(["nodes=1", "--engine", &format!("cmd={}", script.display()), "name=deleted", "nodes=1"]);
    let (success, table, errors) = output(command.args(["restart=on", "--out"]).arg(&out));
    assert!(!success && errors.contains("unstartable: deleted did not start 3 times in a row: "), "{errors}");
    assert!(errors.contains("os error 2"), "{errors}");
    assert!(
        table.contains("faults of deleted: 2 unstartable; ") && !table.contains("faults of honest"),
        "{table}"
    );
    assert_eq!(reasons(&out), ["resigned", "fault", "fault"]);
}

#[test]
fn who_does_not_speak_the_protocol_is_named_soon() {
    let mut command = arena(&["match", "--engine", *HONEST, "--engine", "cmd=/bin/cat", "handshake=300"]);
    let errors = fail(&mut command);
    for part in ["cat does not answer `sei` in 300 ms", "it says \"sei\"", "protocol=strategoevaluator"] {
        assert!(errors.contains(part), "{part}: {errors}");
    }
}

/// The script suspends the arena in the thoughts of both players.
#[test]
fn time_in_which_the_arena_is_suspended_is_nobodys() {
    let (out, script) = (file("suspended.jsonl"), file("suspended.sh"));
    let pause = "kill -STOP $PPID; sleep 1.2; kill -CONT $PPID";
    let mut command = arena(&["match", "--games", "1", "--no-pairs", "--margin", "500", "--out"]);
    command.arg(&out).args(["--engine", "player=engine", "name=inside", "movetime=300"]);
    command.args(["--engine", "cmd=sh", "name=process", "movetime=50"]);
    let words = mock(&script, &format!("{pause}; echo bestmove resign"));
    let text = fs::read_to_string(&script).unwrap();
    let begun = format!("newgame*) (sleep 0.1; {pause}) & ;;\ngo*)");
    fs::write(&script, text.replace("go*)", &begun)).unwrap();
    let (success, table, errors) = output(command.arg(&words));
    assert!(success && !table.contains("faults of"), "{table}{errors}");
    assert_eq!(reasons(&out), ["resigned"]);
}

#[test]
fn a_file_of_records_that_is_removed_ends_the_match() {
    let (out, script) = (file("removed.jsonl"), file("removed.sh"));
    let on_go = format!("rm -f '{}'; echo bestmove resign", out.display());
    let (success, table, errors) = output(match_with(&on_go, &script, &out).arg("nodes=1"));
    assert!(!success && errors.contains("removed.jsonl: it was removed, replaced or cut short"), "{errors}");
    assert!(table.contains("honest") && !out.exists(), "{table}");
}

#[test]
fn an_engine_is_asked_to_stop_before_it_is_killed() {
    let (out, script) = (file("told-to-stop.jsonl"), file("told-to-stop.sh"));
    let heard: PathBuf = file("told-to-stop.sh.heard");
    let mut command = match_with("exec cat > \"$0.heard\"", &script, &out);
    let arena = command.arg("nodes=1").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut arena = Running(arena);
    super::ends::until("the first go", || heard.exists());
    super::ends::signal("INT", &arena);
    assert_eq!(arena.0.wait().unwrap().code(), Some(130));
    assert_eq!(fs::read_to_string(&heard).unwrap(), "stop\nquit\n");
}
