//! Tables from games played here.

use outflank::belief::opponent_types::file::TypesFile;
use outflank::deployment::book::Book;
use outflank::deployment::{candidates, open_sides};
use outflank::rng::Rng;
use outflank::rules::{BySide, Ruleset, Setup};
use outflank_prior::contact::Contacts;
use outflank_prior::deployment::Games;
use outflank_prior::opponent_types::cases::Cases;
use outflank_prior::opponent_types::{fit, listing};
use outflank_record::{Record, Winner, parse_rules};
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::rules::Rules;
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn records(rules: &str, games: u64) -> Vec<Record> {
    let config = |name| "player=random".parse::<Told>().unwrap().config(name, None, None);
    let rules: Ruleset = parse_rules(rules).unwrap();
    let contest = Contest {
        games,
        pairs: false,
        rules: Rules::Same(rules),
        seed: 5,
        players: [config("a"), config("b")],
        clocks: false,
    };
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok(())
    };
    contest.play(1, &HashSet::new(), keep).unwrap();
    records
}

#[test]
fn an_illegal_record_is_refused() {
    let mut record = records("isf plies=20", 1).remove(0);
    let at = Rng::new(3).below(record.moves.len());
    record.moves[at] = "a1a9".to_owned();
    assert!(Contacts::default().add(&record).is_err());
}

#[test]
fn results_that_follow_the_setups_are_found() {
    let mut rng = Rng::new(4);
    let mut games = Games::new().unwrap();
    let mut record = records("isf plies=2", 1).remove(0);
    for game in 0..500 {
        let setups = candidates(&Ruleset::default(), 2, &mut rng);
        record.setups = BySide::new([setups[0].to_string(), setups[1].to_string()]);
        record.game = game;
        // Whoever has fewer open sides of the flag wins three games in four.
        let ahead = open_sides(&setups[1]) as f64 - open_sides(&setups[0]) as f64;
        let luck = if rng.below(2) == 0 { 0.0 } else { 9.0 * f64::from(rng.unit()) - 4.5 };
        record.outcome.winner = if ahead + luck > 0.0 { Winner::Red } else { Winner::Blue };
        games.add(&record).unwrap();
    }
    let report = games.report().unwrap();
    let text = report.to_string();
    let line = text.lines().find(|line| line.starts_with("open sides of the flag")).unwrap();
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] < -4.0 * numbers[1] && numbers[0] < -0.3, "{text}");
}

#[test]
fn too_few_games_are_refused() {
    let mut games = Games::new().unwrap();
    for record in records("isf plies=2", 3) {
        games.add(&record).unwrap();
    }
    assert!(games.report().is_err());
}

/// Runs the program to its end and hands back what it printed.
fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_outflank-prior")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn numbers_that_cannot_be_meant_are_refused() {
    for arguments in [
        &["moments", "games.jsonl", "--out", "x", "--each", "0"][..],
        &["moments", "games.jsonl", "--out", "x", "--moments", "0"],
        &["fit-types", "games.jsonl", "--out", "x", "--rounds", "18446744073709551615"],
        &["fit-types", "games.jsonl", "--out", "x", "--shrinkage", "nan"],
        &["told", "setups.txt", "--fold", "5"],
        &["told", "setups.txt", "--most", "0"],
        &["book", "setups.txt", "--count", "0"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_outflank-prior")).args(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("invalid value"), "{arguments:?}: {error}");
    }
}

#[test]
fn the_engine_reads_the_opponent_types_that_were_fitted() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [games, out] = ["types.jsonl", "opponent.types"].map(|name| folder.join(name).display().to_string());
    let (mut cases, mut lines) = (Cases::default(), String::new());
    for record in records("isf plies=120", 4) {
        cases.add(&record, "types", 30).unwrap();
        lines += &record.line().unwrap();
    }
    std::fs::write(&games, lines).unwrap();
    run(&["fit-types", &games, "--every", "30", "--players", "a", "--players", "b", "--out", &out]);
    let bytes = std::fs::read(&out).unwrap();
    let types = TypesFile::read(&bytes).unwrap();
    assert_eq!(types.len(), 2);
    for (number, player) in ["types/a", "types/b"].into_iter().enumerate() {
        let own = cases.cases.iter().filter(|case| cases.names[case.names[0]] == player);
        let fitted = fit::fit(own, fit::Plan::default()).rounded();
        assert!(fitted.as_flattened().iter().any(|&weight| weight != 0));
        assert_eq!(types.table(number), Some(fitted));
    }
    assert_eq!(run(&["types", &out]), listing(types));
}

#[test]
fn a_list_of_setups_becomes_a_book() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [list, out] = ["setups.txt", "setups.book"].map(|name| folder.join(name).display().to_string());
    let setups = candidates(&Ruleset::default(), 6, &mut Rng::new(4));
    let text = setups.iter().map(Setup::to_string).collect::<Vec<_>>().join(" # merit 0.1\n");
    std::fs::write(&list, format!("# round 1\n{text}\n")).unwrap();
    let told = run(&["book", &list, "--count", "5", "--out", &out]);
    assert!(told.starts_with("5 setups of the list: entropy "), "{told}");
    let bytes = std::fs::read(&out).unwrap();
    let book = Book::read(&bytes).unwrap();
    assert_eq!((book.len(), book.setup(4), book.setup(5)), (5, Some(setups[4]), None));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("unread.txt");
    std::fs::write(&path, "B3FB3262452B3B6B5S7325B48269474M62225873\n").unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank-prior"));
    command.arg("flag-and-bombs").arg(&path).stdout(writer).stderr(Stdio::piped());
    let unread = command.spawn().unwrap().wait_with_output().unwrap();
    assert!(unread.status.success() && unread.stderr.is_empty(), "{unread:?}");
}
