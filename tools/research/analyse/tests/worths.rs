//! What kinds of actions are worth: the file of sums.

use crate::{refused, text};
use outflank_record::FileLock;
use std::fs::{read_to_string, remove_file};
use std::path::{Path, PathBuf};

fn own_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = remove_file(&path);
    path
}

fn asked(games: &str) -> Vec<&str> {
    vec!["worths", "--games", games, "--nodes", "10", "--max-plies", "30", "--threads", "1", "--out"]
}

#[test]
fn only_games_that_are_added_change_the_file() {
    let path = own_file("worths.json");
    assert!(text(&asked("0"), &[&path]).starts_with("0 games"));
    assert!(!path.exists());
    assert!(text(&asked("1"), &[&path]).starts_with("1 games"));
    let sums = read_to_string(&path).unwrap();
    let written = || path.metadata().unwrap().modified().unwrap();
    let before = written();
    assert!(text(&asked("0"), &[&path]).starts_with("1 games"));
    assert_eq!((read_to_string(&path).unwrap(), written()), (sums, before));
}

#[test]
fn with_the_policy_it_tells_what_a_point_and_a_nat_are_worth() {
    let path = own_file("with-policy.json");
    let mut asked = asked("2");
    asked.insert(1, "--policy");
    asked.splice(1..1, ["--least", "0.001"]);
    let told = text(&asked, &[&path]);
    for covariate in ["a point that the search expects", "a nat of the self-play", "a nat of strong players'"]
    {
        assert!(told.contains(covariate), "{told}");
    }
    let without = refused(&self::asked("3"), &[&path]);
    assert!(without.contains("with the policy"), "{without}");
}

#[test]
fn two_runs_do_not_add_to_one_file_at_once() {
    let path = own_file("locked.json");
    let _lock = FileLock::new(&path).unwrap();
    let told = refused(&asked("1"), &[&path]);
    assert!(told.contains("locked.json: another process is writing to it") && !path.exists(), "{told}");
}
