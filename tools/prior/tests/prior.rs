//! Tables from games played here.

use outflank::dice::Dice;
use outflank::rules::Ruleset;
use outflank_prior::moves::FirstMoves;
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::record::{Record, parse_rules};
use outflank_selfplay::rules::Rules;
use std::collections::HashSet;

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
    let at = Dice::new(3).below(record.moves.len());
    record.moves[at] = "a1a9".to_owned();
    assert!(FirstMoves::default().add(&record).is_err());
}

#[test]
fn first_moves_are_counted_by_turn() {
    let mut table = FirstMoves::default();
    let played = records("isf plies=300", 4);
    for record in &played {
        table.add(record).unwrap();
    }
    let text = table.source_text();
    assert!(text.contains("8 armies"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("        [")).count(), 40);
    // Random players move front-row pieces at once and cannot move the back row's.
    let rates = table.rates();
    let mean = |row: usize| rates.iter().map(|rows| u32::from(rows[row][0])).sum::<u32>() / 10;
    assert!(mean(3) > 10 * mean(0), "{} {}", mean(3), mean(0));
}
