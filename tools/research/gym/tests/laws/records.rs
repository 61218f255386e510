//! Records of finished games replay, and show what the games have shown.

use crate::support::{Shown, any_codes, opponent, options};
use outflank::rng::Rng;
use outflank_gym::batch::Batch;
use outflank_gym::environment::{Environment, Finished, Options};
use outflank_gym::imitation::{Imitation, NO_REPLY, Softness, Targets};
use outflank_record::{Duplicates, Outcome, Record, verify};

/// A ply as the environment showed it, and the action played.
type Ply = (Shown, u16);

/// A finished game.
struct Kept {
    record: Record,
    finished: Finished,
    plies: Vec<Ply>,
}

/// Games with random actions, and all that was shown of them.
fn kept(options: Options, steps: usize) -> Vec<Kept> {
    let (mut rng, mut batch, mut kept) = (Rng::new(95), Batch::default(), Vec::new());
    let mut plies: Vec<Vec<Ply>> = vec![Vec::new(); options.games];
    let mut environment = Environment::new(options).unwrap();
    for _ in 0..steps {
        environment.observe(&mut batch);
        let codes = any_codes(&environment, &mut rng);
        for (row, (plies, &code)) in plies.iter_mut().zip(&codes).enumerate() {
            plies.push((Shown::row(&batch, row), code));
        }
        environment.step(&codes).unwrap();
        let finished: Vec<Option<Finished>> = environment.finished().collect();
        let mut records = environment.take_records().into_iter();
        for (plies, finished) in plies.iter_mut().zip(finished) {
            let Some(finished) = finished else { continue };
            let (record, plies) = (records.next().unwrap(), std::mem::take(plies));
            kept.push(Kept { record, finished, plies });
        }
        assert!(records.next().is_none(), "a record without an end");
    }
    kept
}

const SYSTEMS: [&str; 4] =
    ["isf plies=90", "evaluator plies=80 silent=on", "vassal barrage=on quiet=20", "1961 plies=70"];

#[test]
fn records_replay_and_end_as_the_games_did() {
    let opponents = vec![opponent("player=random", 0.4)];
    for opponents in [Vec::new(), opponents] {
        let seated = !opponents.is_empty();
        let games = kept(Options { opponents, ..options(8, 11, &SYSTEMS) }, 300);
        assert!(games.len() > 20, "{}", games.len());
        let (mut met, mut duplicates) = (0, Duplicates::default());
        for Kept { record, finished, .. } in &games {
            verify(record).unwrap();
            duplicates.add(record);
            assert_eq!(record.outcome, Outcome::of(finished.ending));
            assert_eq!((record.plies, record.strikes), (finished.plies, finished.strikes));
            let named = |name: &str| record.players.values().filter(|player| player.name == name).count();
            assert_eq!(named("outside"), if finished.opponent.is_some() { 1 } else { 2 });
            met += named("player=random");
        }
        assert_eq!(met > 0, seated);
        duplicates.check().unwrap();
    }
}

/// Expects of a row of a record played back what the environment had shown.
fn compare(game: &Kept, ply: usize, (shown, targets): (&Shown, &Targets), row: usize, policy: &[f32]) {
    let (then, played) = &game.plies[ply];
    assert!(shown == then, "{}, ply {ply}", game.record.rules);
    assert_eq!(targets.played[row], *played);
    let turned = |code: u16| (99 - code / 100) * 100 + 99 - code % 100;
    let reply = game.plies.get(ply + 1).map_or(NO_REPLY, |(_, code)| turned(*code));
    assert_eq!(targets.replies[row], reply);
    let one_hot = then.codes.iter().map(|code| f32::from(u8::from(code == played)));
    assert!(policy.iter().copied().eq(one_hot));
    let mover = outflank::rules::Side::BOTH[ply % 2];
    let result = match game.finished.ending.winner {
        None => 1,
        Some(winner) if winner == mover => 0,
        Some(_) => 2,
    };
    assert_eq!(targets.results[row], result);
}

#[test]
fn a_record_shows_again_what_the_game_showed() {
    let games = kept(options(8, 12, &SYSTEMS), 250);
    let records: Vec<Record> =
        games.iter().map(|game| game.record.line().unwrap().parse().unwrap()).collect();
    let softness = Softness { temperature: 4.0, best: 0.5 };
    let mut imitation = Imitation::new(records, 5, 1, softness).unwrap();
    let (mut batch, mut targets, mut compared) = (Batch::default(), Targets::default(), 0);
    while imitation.next(&mut batch, &mut targets).unwrap() {
        for (row, &(record, ply)) in targets.places.iter().enumerate() {
            let policy = &targets.policy[batch.starts[row] as usize..batch.starts[row + 1] as usize];
            let shown = Shown::row(&batch, row);
            compare(&games[record as usize], ply as usize, (&shown, &targets), row, policy);
            compared += 1;
        }
    }
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert!(compared == plies && plies > 1000, "{compared} of {plies} plies");
}

#[test]
fn where_nobody_was_asked_there_is_nothing_to_imitate() {
    let game = kept(options(2, 12, &SYSTEMS[..1]), 250).swap_remove(0);
    let mut record = game.record.clone();
    let plies = record.actions().unwrap();
    let told = |(ply, played): (usize, &outflank::rules::Played)| match ply % 2 {
        0 => format!("{} 500", played.action.text(false)),
        _ => String::new(),
    };
    record.candidates = plies.iter().enumerate().map(told).collect();
    let softness = Softness { temperature: 4.0, best: 0.5 };
    let mut imitation = Imitation::new(vec![record], 1, 1, softness).unwrap();
    let (mut batch, mut targets) = (Batch::default(), Targets::default());
    while imitation.next(&mut batch, &mut targets).unwrap() {
        let (_, ply) = targets.places[0];
        assert_eq!(targets.policy.len(), batch.legal.len());
        assert_eq!(targets.policy.iter().any(|&chance| chance > 0.0), ply % 2 == 0, "ply {ply}");
    }
}

#[test]
fn a_game_without_a_result_is_passed_over() {
    let game = kept(options(2, 12, &SYSTEMS[..1]), 250).swap_remove(0);
    let broken = Record { outcome: Outcome::broken_off("silent: a".to_owned()), ..game.record.clone() };
    let softness = || Softness { temperature: 4.0, best: 0.5 };
    let (mut batch, mut targets, mut shown) = (Batch::default(), Targets::default(), 0);
    let mut imitation = Imitation::new(vec![broken.clone(), game.record.clone()], 2, 1, softness()).unwrap();
    while imitation.next(&mut batch, &mut targets).unwrap() {
        shown += targets.places.iter().filter(|(record, _)| *record == 1).count();
        assert!(targets.places.iter().all(|(record, _)| *record == 1));
    }
    assert_eq!(shown, game.plies.len());
    let mut none = Imitation::new(vec![broken], 1, 1, softness()).unwrap();
    assert!(!none.next(&mut batch, &mut targets).unwrap());
}
