//! Views for the tests of what stands upon them.

use crate::rng::Rng;
use crate::rules::{Position, Ruleset, Setup, Side, Spn, Viewer};
use crate::view::View;

const ARMIES: [&str; 2] =
    ["B3FB3262452B3B6B5S7325B48269474M62225873", "3BFB22S5B32B63B475B46342826597M542862723"];

/// What the mover knows after so many plies of random play, or a few less where the game would have ended.
pub(crate) fn after_random_plies(rules: Ruleset, plies: usize, rng: &mut Rng) -> View {
    let mut position = Position::new(rules);
    for (side, army) in Side::BOTH.into_iter().zip(ARMIES) {
        position.deploy(side, &army.parse::<Setup>().unwrap());
    }
    for _ in 0..plies {
        let actions = position.actions();
        position.play(actions[rng.below(actions.len())].into()).unwrap();
        if position.ending().is_some() {
            position.undo();
        }
    }
    let mover = position.to_move();
    View::from_spn(&Spn { position, viewer: Viewer::Both }, mover)
}
