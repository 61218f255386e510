//! The network that the engine is built with: learned by self-play (`docs/learning.md`), the root adds
//! its preferences to what the search says.

use super::network::{Evaluation, Network, Scratch};
use crate::rules::Ruleset;
use crate::view::View;
use std::cell::RefCell;
use std::sync::OnceLock;

/// 32 channels and 5 blocks, encoding 2; "Encoding 2" in `docs/learning.md`.
const BYTES: &[u8] = include_bytes!("self_play.net");

impl Network {
    /// The embedded network; `None` if the program was built with a broken one.
    pub fn embedded() -> Option<&'static Network> {
        static NETWORK: OnceLock<Option<Network>> = OnceLock::new();
        let read =
            || Network::read(BYTES).inspect_err(|error| log::error!("the policy network: {error}")).ok();
        NETWORK.get_or_init(read).as_ref()
    }
}

/// Whether it is used: under rules like those that it was trained under, and in Barrage, where it gains although it was
/// not trained there ("Barrage: a book, and the policy" in `docs/log/variants.md`).
fn is_used_under(rules: &Ruleset) -> bool {
    Ruleset { barrage: false, ..*rules }.moves_as_isf()
}

/// What the embedded network says of `view`, whose player's turn it is. Rescues are not among the actions. `None` under
/// rules under which it is not used.
pub fn evaluate(view: &View) -> Option<Evaluation> {
    let network = Network::embedded().filter(|_| is_used_under(view.position().rules()))?;
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    Some(SCRATCH.with_borrow_mut(|scratch| network.evaluate(view, scratch)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::rng::Rng;
    use crate::rules::{Position, Setup, Side, Spn, Viewer};

    #[test]
    fn it_is_used_in_barrage_and_where_pieces_move_as_isf_has_them() {
        let rules = Ruleset::default();
        assert!(is_used_under(&rules) && is_used_under(&Ruleset { barrage: true, ..rules }));
        assert!(!is_used_under(&Ruleset { silent: true, barrage: true, ..rules }));
        assert!(!is_used_under(&Ruleset { rescue: true, ..rules }));
    }

    /// What the mover knows, ply by ply, in a random game.
    fn views(plies: usize) -> Vec<View> {
        let armies = ["B3FB3262452B3B6B5S7325B48269474M62225873", "3BFB22S5B32B63B475B46342826597M542862723"];
        let mut position = Position::new(Ruleset::default());
        for (side, army) in Side::BOTH.into_iter().zip(armies) {
            position.deploy(side, &army.parse::<Setup>().unwrap());
        }
        let mut rng = Rng::new(6);
        let mut next = || {
            let actions = position.actions();
            position.play(actions[rng.below(actions.len())].into()).unwrap();
            if position.ending().is_some() {
                position.undo();
            }
            let spn = Spn { position: position.clone(), viewer: Viewer::Both };
            View::from_spn(&spn, position.to_move())
        };
        (0..plies).map(|_| next()).collect()
    }

    #[test]
    fn its_features_stay_far_below_the_largest_that_two_bytes_hold() {
        let (network, mut scratch) = (Network::embedded().unwrap(), Scratch::default());
        for view in views(400) {
            network.evaluate(&view, &mut scratch);
            assert!((1.0..64.0).contains(&scratch.largest_feature()), "{}", scratch.largest_feature());
        }
    }

    #[test]
    fn rounding_changes_it_by_less_than_a_thousandth_of_a_nat() {
        let networks = [Network::read_exact(BYTES).unwrap(), Network::read(BYTES).unwrap()];
        let (views, mut scratch) = (views(100), Scratch::default());
        let mut divergence = |view: &View| {
            let [exact, rounded] =
                [0, 1].map(|index: usize| networks[index].evaluate(view, &mut scratch).log_probabilities);
            let pairs = exact.iter().zip(&rounded);
            pairs.map(|(exact, rounded)| math::exp(*exact) * (exact - rounded)).sum::<f32>()
        };
        let mean = views.iter().map(&mut divergence).sum::<f32>() / views.len() as f32;
        assert!(mean > 1e-7 && mean < 0.001, "{mean}");
    }
}
