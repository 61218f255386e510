//! A clear lead is won: an engine that is ahead makes progress, and does not shuffle until something goes wrong.

use outflank::engine::{Control, Engine, Settings};
use outflank::event::Event;
use outflank::rules::{BySide, Played, Preset, Ruleset, Side};
use outflank::search::Budget;
use outflank::view::View;
use outflank_tests::{Stopped, study};
use std::sync::atomic::AtomicBool;

/// Red has a Marshal, a general and a colonel that nothing of Blue's can beat, and two miners; Blue has eight pieces
/// and its bombs. Nothing that stands has been seen by the other side.
const AHEAD: &str = "rFa1 rBa2 rBb1 rBc2 rMe3 r9f4 r8d4 r7g3 r6b4 r3c3 r3h3 r2j2 \
    bFj10 bBj9 bBi10 bBh9 b8e8 b7f7 b6d7 b5g8 b4b8 b3i7 b2a9 b2c8 \
    rB- rB- rB- rS- r8- r7- r7- r6- r6- r6- r5- r5- r5- r5- r4- r4- r4- r4- r3- r3- r3- r2- r2- r2- r2- r2- r2- r2- \
    bB- bB- bB- bS- bM- b9- b8- b7- b7- b6- b6- b6- b5- b5- b5- b4- b4- b4- b3- b3- b3- b3- b2- b2- b2- b2- b2- b2-";

/// Two equal engines play on from there. Who won, and after how many plies.
fn play(seed: u64) -> (Option<Side>, u32) {
    let start = study(Ruleset::of(Preset::Evaluator), Side::Red, AHEAD);
    let mut truth = start.position.clone();
    let mut players = BySide::from_fn(|side| {
        let mut engine = Engine::from(View::from_spn(&start, side));
        engine.configure(Settings { seed, ..Settings::default() });
        engine
    });
    let budget = Budget { nodes: Some(1_000), ..Budget::default() };
    let unstopped = AtomicBool::new(false);
    while truth.ending().is_none() && truth.ply() < 1_000 {
        let control = Control::new(&Stopped, &unstopped);
        let action = players[truth.to_move()].think(&budget.into(), control, &mut |_| ()).action.unwrap();
        let played = Played { action, verdict: truth.verdict(action).unwrap() };
        truth.play(action.into()).unwrap();
        for (_, player) in players.iter_mut() {
            player.observe(&Event::Played(played)).unwrap();
        }
    }
    (truth.ending().and_then(|ending| ending.winner), truth.ply())
}

/// Of nine leads of a tenth of the armies three were lost once, and more were not turned into anything.
#[test]
fn a_clear_lead_is_won() {
    let games: Vec<_> = (1..=8).map(play).collect();
    let won = games.iter().filter(|(winner, _)| *winner == Some(Side::Red)).count();
    let mut plies: Vec<u32> = games.iter().map(|&(_, plies)| plies).collect();
    plies.sort_unstable();
    assert!(won >= 7 && plies[4] <= 400, "{games:?}");
}
