//! How games go on and end: seeds and caps.

use crate::support::{Shown, any_codes, options};
use outflank::rng::Rng;
use outflank::rules::{Reason, Side};
use outflank_gym::environment::{Batch, Environment, Finished, Options};
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
        ..options(6, seed, &["isf plies=60", "evaluator barrage=on silent=on"])
    };
    let shown = |seed| {
        let mut all = Vec::new();
        run(options(seed), 70, 91, |one| all.push((rows(one), one.finished().collect::<Vec<_>>())));
        all
    };
    let (one, two, other) = (shown(7), shown(7), shown(8));
    assert!(one == two);
    assert!(one[0] != other[0] && one.iter().any(|(_, ended)| ended.iter().any(Option::is_some)));
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
fn what_cannot_be_played_is_refused() {
    assert!(Environment::new(options(0, 1, &["isf"])).is_err());
    assert!(Environment::new(options(1, 1, &[])).is_err());
    let mix = Mix { human: 0.0, book: 0.0, random: 0.0 };
    assert!(Environment::new(Options { mix, ..options(1, 1, &["isf"]) }).is_err());
    let mut environment = Environment::new(options(2, 1, &["isf"])).unwrap();
    let codes = any_codes(&environment, &mut Rng::new(1));
    assert!(environment.step(&codes[..1]).is_err());
    let error = environment.step(&[codes[0], 9999]).unwrap_err();
    assert!(format!("{error:#}").contains("game 1"), "{error:#}");
}
