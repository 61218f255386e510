//! The laws hold for every input that is kept in `fuzz/corpus`: what a fuzzer found, and what shows it the way.

use outflank_fuzz_laws::{archive, game, line, position, record};
use std::fs;
use std::path::Path;

/// Holds a law over all inputs of this target.
fn hold(target: &str, law: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut inputs: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    inputs.sort();
    assert!(inputs.len() >= 5, "{}: {}", folder.display(), inputs.len());
    for input in inputs {
        println!("{}", input.display());
        law(&fs::read(&input).unwrap());
    }
}

#[test]
fn positions_that_read_read_back() {
    hold("position", position::hold);
}

#[test]
fn lines_that_are_refused_change_nothing() {
    hold("line", line::hold);
}

#[test]
fn records_that_read_read_back() {
    hold("record", record::hold);
}

#[test]
fn views_agree_with_the_truth() {
    hold("game", game::hold);
}

#[test]
fn games_of_the_archive_read_back() {
    hold("archive", archive::hold);
}
