//! Tables from games played here.

use outflank::belief::opponent_types::file::TypesFile;
use outflank::deployment::book::Book;
use outflank::deployment::candidates;
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Setup};
use outflank_arena::contender::Contender;
use outflank_arena::plan::Plan;
use outflank_prior::book::read_list;
use outflank_prior::contact::Contacts;
use outflank_prior::opponent_types::cases::Cases;
use outflank_prior::opponent_types::{fit, listing};
use outflank_record::{FileLock, Record};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn records(rules: &str, games: u64) -> Vec<Record> {
    let player = |name| Contender::read(&["player=random".to_owned(), format!("name={name}")]).unwrap();
    let plan = Plan::plain(["a", "b"].map(player).to_vec(), games, rules.parse().unwrap(), 5);
    (0..games).map(|number| plan.play_one(number).unwrap()).collect()
}

#[test]
fn an_illegal_record_is_refused() {
    let mut record = records("isf plies=20", 1).remove(0);
    let at = Rng::new(3).below(record.moves.len());
    record.moves[at] = "a1a9".to_owned();
    assert!(Contacts::default().add(&record).is_err());
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
        &["fit-types", "games.jsonl", "--out", "x", "--rounds", "18446744073709551615"][..],
        &["fit-types", "games.jsonl", "--out", "x", "--shrinkage", "nan"],
        &["revealed", "setups.txt", "--fold", "5"],
        &["revealed", "setups.txt", "--most", "0"],
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
    run(&[
        "fit-types",
        &games,
        "--every",
        "30",
        "--players",
        "a",
        "--players",
        "b",
        "--force",
        "--out",
        &out,
    ]);
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
    let printed = run(&["book", &list, "--count", "5", "--force", "--out", &out]);
    assert!(printed.starts_with("5 setups of the list: entropy "), "{printed}");
    let bytes = std::fs::read(&out).unwrap();
    let book = Book::read(&bytes).unwrap();
    assert_eq!((book.len(), book.setup(4), book.setup(5)), (5, Some(setups[4]), None));
}

#[test]
fn nothing_that_is_there_is_replaced_unless_it_is_asked_for() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mine.txt");
    for subcommand in ["book", "fit-types"] {
        std::fs::write(&path, "mine").unwrap();
        let refused = tool(&[subcommand, path.to_str().unwrap(), "--out"], &path);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(
            !refused.status.success() && error.contains("mine.txt is not overwritten without --force"),
            "{error}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
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

/// A file of this test run's own.
fn own_file(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs the program with the file behind the arguments.
fn tool(arguments: &[&str], path: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outflank-prior")).args(arguments).arg(path).output().unwrap()
}

#[test]
fn the_books_hold_the_lists() {
    for (name, barrage) in [("best", false), ("barrage", true)] {
        let path = format!("{}/setups/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let (rules, list) = read_list(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(rules.barrage, barrage);
        let book = Book::embedded(&rules).unwrap();
        let held: Vec<Option<Setup>> = (0..book.len()).map(|number| book.setup(number)).collect();
        assert_eq!(held, list.into_iter().map(Some).collect::<Vec<_>>());
    }
}

#[test]
fn setups_by_results_go_on_where_they_stopped() {
    let [whole, parts] = ["whole.txt", "parts.txt"].map(own_file);
    let neighbour = whole.with_extension("new");
    std::fs::write(&neighbour, "mine").unwrap();
    let rounds = |count: &str, path: &PathBuf| {
        let options = ["--size", "8", "--player", "player=random", "--max-plies", "200"];
        let output = tool(&[&["setups", "--rounds", count][..], &options, &["--out"]].concat(), path);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let printed = rounds("3", &whole);
    assert_eq!(
        (printed.lines().count(), printed.starts_with("round 1: points and ")),
        (3, true),
        "{printed}"
    );
    rounds("1", &parts);
    assert_eq!(rounds("3", &parts).lines().count(), 2);
    let texts = [&whole, &parts].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(texts[0], texts[1]);
    // Three rounds of four games, as nobody else is there to play.
    assert!(texts[0].starts_with("# setups by results, round 3\n") && texts[0].lines().count() == 13);
    assert_eq!(std::fs::read_to_string(&neighbour).unwrap(), "mine");
    let best = tool(&["best", "--count", "20"], &whole);
    let best = String::from_utf8(best.stdout).unwrap();
    let book = own_file("best.txt");
    std::fs::write(&book, &best).unwrap();
    assert!(best.lines().count() == 20 && tool(&["book"], &book).status.success(), "{best}");
}

#[test]
fn some_play_those_that_stay_as_they_are() {
    let [games, people] = ["games.txt", "people.txt"].map(own_file);
    let setup = candidates(&Ruleset::default(), 1, &mut Rng::new(6))[0];
    std::fs::write(&people, format!("{setup} # a person's\n")).unwrap();
    let people = people.display().to_string();
    let options = ["--size", "8", "--rounds", "1", "--against-share", "0.5", "--against", &people];
    let output = tool(&[&["setups", "--player", "player=random"][..], &options, &["--out"]].concat(), &games);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("% against fixed opponents; "), "{printed}");
    let text = std::fs::read_to_string(&games).unwrap();
    assert_eq!(text.matches(&format!(" {setup} ")).count(), 4, "{text}");
}

#[test]
fn setups_that_somebody_wrote_stay_as_they_are() {
    let path = own_file("written.txt");
    let setups = candidates(&Ruleset::default(), 3, &mut Rng::new(5));
    let lines: Vec<String> = setups.iter().map(|setup| format!("{setup} # mine")).collect();
    let text = format!("# the best\n{}\n", lines.join("\n"));
    std::fs::write(&path, &text).unwrap();
    let output = tool(&["setups", "--rounds", "1", "--player", "player=random", "--out"], &path);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("not written by `setups`"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn two_runs_do_not_write_the_same_games_at_once() {
    let path = own_file("locked.txt");
    let _lock = FileLock::new(&path).unwrap();
    let output =
        tool(&["setups", "--rounds", "1", "--size", "8", "--player", "player=random", "--out"], &path);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && error.contains("another process is writing to it"), "{error}");
    assert!(!path.exists());
}

#[test]
fn setups_are_not_found_from_another_army_nor_from_nonsense() {
    let path = own_file("refused.txt");
    let refused = |options: &[&str]| {
        let output =
            tool(&[&["setups", "--player", "player=random"][..], options, &["--out"]].concat(), &path);
        assert!(!output.status.success() && !path.exists(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let army = concat!(env!("CARGO_MANIFEST_DIR"), "/setups/best.txt");
    assert!(refused(&["--rules", "isf barrage=on", "--from", army]).contains("another army"));
    assert!(refused(&["--rules", "isf barrage=on", "--against", army]).contains("another army"));
    assert!(refused(&["--rules", "random"]).contains("for one rule system"));
    assert!(refused(&["--temperature", "0"]).contains("0.0001 to 1"));
    assert!(refused(&["--from", "nowhere.txt"]).contains("nowhere.txt"));
}

#[test]
fn numbers_of_setups_that_cannot_be_meant_are_refused() {
    let path = own_file("meant.txt");
    for words in [
        ["setups", "--player=", "--size=18446744073709551615"],
        ["setups", "--player=", "--temperature=nan"],
        ["setups", "--player=", "--rounds=18446744073709551615"],
        ["best", "--count=18446744073709551615", "x"],
    ] {
        let refused = tool(&[&words[..], &["--out"]].concat(), &path);
        let error = String::from_utf8_lossy(&refused.stderr);
        assert!(refused.status.code() == Some(2) && error.contains("invalid value"), "{words:?}: {error}");
        assert!(!path.exists());
    }
}
