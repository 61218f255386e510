//! All tests of the report in one program.

mod games;
mod program;

use outflank::rules::BySide;
use outflank_record::{Outcome, Record};
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::rules::Rules;
use std::collections::HashSet;

/// Random games between anna and bert.
fn records(rules: &str, games: u64) -> Vec<Record> {
    let config = |name| "player=random".parse::<Told>().unwrap().config(name, None, None);
    let players = [config("anna"), config("bert")];
    let rules = Rules::parse(rules, 0).unwrap();
    let contest = Contest { games, pairs: false, rules, seed: 5, players, clocks: false };
    let mut records = Vec::new();
    let keep = |record| {
        records.push(record);
        Ok(())
    };
    contest.play(1, &HashSet::new(), keep).unwrap();
    records
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
fn game(setups: [String; 2], plies: &str, winner: &str) -> Record {
    let mut record = records("isf plies=40", 1).remove(0);
    record.setups = BySide::new(setups);
    record.moves = plies.split_whitespace().map(str::to_owned).collect();
    record.nodes = vec![0; record.moves.len()];
    record.plies = record.moves.len() as u32;
    record.strikes = plies.matches('=').count() as u32;
    record.outcome =
        Outcome { winner: winner.to_owned(), reason: "resigned".to_owned(), ..Outcome::default() };
    record
}
