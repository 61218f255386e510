//! Recorded games shown from both sides again.

use crate::common::inside;
use outflank::rng::Rng;
use outflank::rules::Side;
use outflank_arena::plan::Plan;
use outflank_record::{Record, Replay};

fn records(rules: &str, games: u64) -> Vec<Record> {
    let players = ["a", "b"].map(|name| inside("player=random", name)).to_vec();
    let plan = Plan::plain(players, games, rules.parse().unwrap(), 5);
    (0..games).map(|number| plan.play_one(number).unwrap()).collect()
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
    let at = Rng::new(3).below(record.moves.len());
    record.moves[at] = "a1a9".to_owned();
    let mut replay = Replay::new(&record).unwrap();
    let refused = loop {
        match replay.step() {
            Ok(Some(_)) => {}
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(refused);
}
