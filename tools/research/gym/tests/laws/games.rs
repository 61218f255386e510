//! How games go on and end: seeds, caps, opponents.

use crate::support::{Shown, adviser, any_codes, opponent, options};
use outflank::rng::Rng;
use outflank::rules::{Reason, Side};
use outflank_gym::adviser::UNADVISED;
use outflank_gym::batch::Batch;
use outflank_gym::environment::{Environment, Finished, Options};
use outflank_gym::setups::Mix;

/// Steps with random actions; `look` sees the environment after each.
fn run(options: Options, steps: usize, seed: u64, mut look: impl FnMut(&Environment)) -> Environment {
    let mut environment = Environment::new(options).unwrap();
    let mut rng = Rng::new(seed);
    for _ in 0..steps {
        let codes = any_codes(&environment, &mut rng);
        environment.step(&codes).unwrap();
        look(&environment);
    }
    environment
}

fn rows(environment: &Environment) -> Vec<Shown> {
    let mut batch = Batch::default();
    environment.observe(&mut batch);
    (0..batch.starts.len() - 1).map(|row| Shown::row(&batch, row)).collect()
}

fn ended(options: Options, steps: usize) -> Vec<Finished> {
    let mut ended = Vec::new();
    run(options, steps, 93, |environment| ended.extend(environment.finished().flatten()));
    ended
}

#[test]
fn a_seed_and_the_actions_fix_everything() {
    let options = |seed| Options {
        mix: Mix::default(),
        opponents: vec![opponent("player=random", 0.4), opponent("nodes=5", 0.2)],
        ..options(6, seed, &["isf plies=60", "evaluator barrage=on silent=on"])
    };
    let shown = |seed| {
        let mut all = Vec::new();
        let mut environment =
            run(options(seed), 30, 91, |one| all.push((rows(one), one.finished().collect::<Vec<_>>())));
        (all, environment.take_records())
    };
    let (one, two, other) = (shown(7), shown(7), shown(8));
    assert!(one == two);
    assert!(one.0[0] != other.0[0] && one.1 != other.1);
}

#[test]
fn rows_of_a_batch_are_what_the_games_show() {
    let environment = run(options(9, 3, &["isf", "evaluator barrage=on"]), 30, 92, |_| {});
    let games: Vec<Shown> = environment.games().map(Shown::of).collect();
    assert!(rows(&environment) == games);
    let movers: Vec<Side> = environment.movers().collect();
    assert_eq!(movers, environment.games().map(outflank_gym::game::Game::to_move).collect::<Vec<_>>());
}

#[test]
fn caps_end_games_as_draws() {
    let by_plies = ended(options(8, 1, &["isf plies=30"]), 100);
    assert!(by_plies.len() >= 24 && by_plies.iter().all(|game| game.plies <= 30));
    let capped: Vec<_> = by_plies.iter().filter(|game| game.ending.reason == Reason::Plies).collect();
    assert!(capped.len() > 20 && capped.iter().all(|game| game.plies == 30 && game.ending.winner.is_none()));

    let by_quiet = ended(options(8, 2, &["isf quiet=6"]), 100);
    let capped: Vec<_> = by_quiet.iter().filter(|game| game.ending.reason == Reason::Quiet).collect();
    assert!(capped.len() > 20 && capped.iter().all(|game| game.ending.winner.is_none()));
    assert!(capped.iter().all(|game| game.plies >= 6 && (game.strikes > 0 || game.plies == 6)));
}

#[test]
fn opponents_sit_in_their_share_of_the_games_on_either_side() {
    let options = Options {
        opponents: vec![opponent("player=random", 0.3), opponent("player=random", 0.2)],
        records: false,
        ..options(64, 5, &["isf barrage=on plies=6"])
    };
    let mut ended = Vec::new();
    let mut environment = Environment::new(options).unwrap();
    let mut rng = Rng::new(94);
    // Each game's players to move, as far as it has gone.
    let mut movers: Vec<Vec<Side>> = vec![Vec::new(); 64];
    for _ in 0..250 {
        movers.iter_mut().zip(environment.movers()).for_each(|(movers, side)| movers.push(side));
        let codes = any_codes(&environment, &mut rng);
        environment.step(&codes).unwrap();
        for (movers, finished) in movers.iter_mut().zip(environment.finished()) {
            let Some(finished) = finished else { continue };
            let movers = std::mem::take(movers);
            match finished.opponent {
                Some((_, side)) => assert!(!movers.contains(&side), "an outsider moved for the opponent"),
                None => assert_eq!(movers.len(), finished.plies as usize),
            }
            ended.push(finished);
        }
    }
    assert!(ended.len() > 2000, "{}", ended.len());
    let share = |index, side| {
        let here = ended.iter().filter(|game| game.opponent == Some((index, side)));
        here.count() as f32 / ended.len() as f32
    };
    for (index, expected) in [(0, 0.15), (1, 0.10)] {
        for side in Side::BOTH {
            let found = share(index, side);
            assert!((found - expected).abs() < 0.03, "opponent {index} was {side} in {found} of the games");
        }
    }
}

#[test]
fn advice_stands_beside_each_legal_action() {
    let opponents = vec![opponent("player=random", 0.3)];
    let options = Options {
        adviser: Some(adviser(3)),
        opponents,
        ..options(6, 9, &["isf plies=40", "isf barrage=on"])
    };
    let (mut batch, mut told) = (Batch::default(), [0; 4]);
    run(options, 50, 95, |environment| {
        environment.observe(&mut batch);
        assert_eq!(batch.advice.len(), batch.legal.len());
        for ends in batch.starts.windows(2) {
            let advice = &batch.advice[ends[0] as usize..ends[1] as usize];
            let best = advice.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            assert!(best.to_bits() == 0 && advice.iter().all(|&points| points >= UNADVISED), "{advice:?}");
            let advised = advice.iter().filter(|points| **points > UNADVISED).count();
            assert!(advised <= 3 || advised == advice.len(), "{advice:?}");
            told[advised.min(3)] += 1;
        }
    });
    assert!(told[3] > 200, "{told:?}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    assert!(Environment::new(options(0, 1, &["isf"])).is_err());
    assert!(Environment::new(options(1, 1, &[])).is_err());
    let crowded = vec![opponent("player=random", 0.7), opponent("player=random", 0.7)];
    assert!(Environment::new(Options { opponents: crowded, ..options(1, 1, &["isf"]) }).is_err());
    for text in ["player=random,candidates=3", "nodes=5"] {
        let adviser = Some(opponent(text, 0.0).config);
        assert!(Environment::new(Options { adviser, ..options(1, 1, &["isf"]) }).is_err(), "{text}");
    }
    let mut environment = Environment::new(options(2, 1, &["isf"])).unwrap();
    let codes = any_codes(&environment, &mut Rng::new(1));
    assert!(environment.step(&codes[..1]).is_err());
    let error = environment.step(&[codes[0], 9999]).unwrap_err();
    assert!(format!("{error:#}").contains("game 1"), "{error:#}");
}
