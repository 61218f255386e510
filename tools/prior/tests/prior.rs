//! Tables and scores from games played here.

use outflank::dice::Dice;
use outflank::rules::{Ruleset, Side};
use outflank_prior::moves::FirstMoves;
use outflank_prior::replay::Replay;
use outflank_prior::score::Score;
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
fn no_true_rank_is_held_impossible() {
    for rules in ["isf plies=300", "1961 plies=300", "gravon silent=on plies=300"] {
        let mut score = Score::default();
        for record in records(rules, 3) {
            score.add(&record, 7).unwrap();
        }
        score.verify().unwrap();
        let text = score.to_string();
        assert!(text.starts_with("3 games") && text.contains("impossible: 0"), "{text}");
    }
}

/// Before the first ply every piece is hidden, and counts know the shares of the ranks: 2.2526 nats.
#[test]
fn the_first_position_is_scored_by_hand() {
    let mut score = Score::default();
    for record in records("isf plies=1", 2) {
        score.add(&record, 1000).unwrap();
    }
    let text = score.to_string();
    let first: Vec<&str> = text.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(first[..3], ["0-49", "4", "160"], "{text}");
    let number = |at: usize| first[at].parse::<f64>().unwrap();
    let army = [1.0, 1.0, 8.0, 5.0, 4.0, 4.0, 4.0, 3.0, 2.0, 1.0, 1.0, 6.0f64];
    let entropy: f64 = army.iter().map(|count| count / 40.0 * (40.0 / count).ln()).sum();
    assert!((number(4) - entropy).abs() < 1e-3 && (number(8) - 40f64.ln()).abs() < 1e-2, "{text}");
    // The engine's own setups are drawn from its prior.
    assert!(number(3) < number(4) && number(7) < number(8), "{text}");
}

#[test]
fn a_replay_ends_where_the_record_does() {
    for record in records("isf plies=80", 2) {
        let mut replay = Replay::new(&record).unwrap();
        let mut movers = Vec::new();
        while let Some(mover) = replay.step().unwrap() {
            movers.push(mover);
        }
        assert_eq!(movers.len(), record.moves.len());
        assert!(movers.chunks(2).all(|pair| pair[0] == Side::Red && pair.get(1) != Some(&Side::Red)));
        assert_eq!(replay.ply(), record.plies);
        assert!(!replay.is_running());
        for side in Side::BOTH {
            for (id, _) in replay.view(side).enemies() {
                replay.truth(id).unwrap();
            }
        }
    }
}

#[test]
fn an_illegal_record_is_refused() {
    let mut record = records("isf plies=20", 1).remove(0);
    let at = Dice::new(3).below(record.moves.len());
    record.moves[at] = "a1a9".to_owned();
    assert!(Score::default().add(&record, 1).is_err());
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
