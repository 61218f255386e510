//! Positions of lost games, in which the engine once did what lost them (59 games at 100 ms, read on 2026-11-29).

use outflank::engine::{Control, Engine, Settings};
use outflank::rules::{Ruleset, Spn};
use outflank::search::Budget;
use outflank::view::View;
use outflank_tests::Stopped;
use std::sync::atomic::AtomicBool;

/// What the engine plays there with this seed, after so many nodes.
fn chosen(position: &str, nodes: u64, seed: u64) -> String {
    let spn = Spn::parse(position, Ruleset::default()).unwrap();
    let mut engine = Engine::from(View::from_spn(&spn, spn.position.to_move()));
    engine.configure(Settings { seed, ..Settings::default() });
    let (budget, unstopped) = (Budget { nodes: Some(nodes), ..Budget::default() }, AtomicBool::new(false));
    let choice = engine.think(&budget.into(), Control::new(&Stopped, &unstopped), &mut |_| ());
    choice.action.unwrap().text(false)
}

/// The Marshal, behind, struck a piece that had never moved and was a bomb with a quarter's chance.
#[test]
fn a_marshal_leaves_alone_what_may_well_be_a_bomb() {
    let position = "YNROPPNNRS/NQUQRTRn1Q/v+nS2QPQ2/1s+4T+3/?+1__v+1__2/2__2__2/3l+6/2??b?1?1b/1?????bx+1?/2???????? \
                    b b 25786226456425224,27626725292 5 301 preset=evaluator";
    for seed in 1..=3 {
        assert_ne!(chosen(position, 2_000, seed), "h2h1");
    }
}
