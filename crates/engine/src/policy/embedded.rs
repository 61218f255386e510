//! The networks that the engine is built with: the root adds their preferences to what the search says. One learned by
//! self-play; the other knows what players far above human level prefer ("Two sparse networks" in `docs/log/policy.md`).

use crate::rules::Ruleset;
use crate::sparse::{Evaluation, Network, Observation, Pursuits, Scratch};
use crate::view::View;
use std::cell::RefCell;
use std::sync::OnceLock;

/// Run Z4 after 757 million plies, its rows in a byte a weight; "Beside a search, and from the engine's positions" in
/// `docs/log/learning.md`.
const SELF_PLAY: &[u8] = include_bytes!("self_play.net");

/// What a convolutional network said that was tuned to strong players' moves: learned by a sparse one, its rows in a byte
/// a weight.
const STRONG_PLAYERS: &[u8] = include_bytes!("strong_players.net");

/// The networks; `None` if the program was built with a broken one.
fn embedded() -> Option<&'static [Network; 2]> {
    static NETWORKS: OnceLock<Option<[Network; 2]>> = OnceLock::new();
    NETWORKS.get_or_init(|| Some([read(SELF_PLAY)?, read(STRONG_PLAYERS)?])).as_ref()
}

fn read(bytes: &[u8]) -> Option<Network> {
    Network::read(bytes).inspect_err(|error| log::error!("a policy network: {error}")).ok()
}

/// Whether they are used: under rules like those that they were trained under, and in Barrage, where they gain although
/// they were not trained there ("Barrage: a book, and the policy" in `docs/log/variants.md`).
fn is_used_under(rules: &Ruleset) -> bool {
    Ruleset { barrage: false, ..*rules }.moves_as_isf()
}

/// What the embedded networks say of `view`, whose player's turn it is: of the actions both, of the ending the one that
/// learned by self-play. Rescues are not among the actions. `None` under rules under which they are not used.
pub fn evaluate(view: &View, pursuits: &Pursuits) -> Option<Evaluation> {
    let [self_play, strong_players] = evaluate_each(view, pursuits)?;
    Some(self_play.pooled_with(&strong_players))
}

/// What each of the embedded networks says of `view`, that of self-play first, of the same actions in the same order.
fn evaluate_each(view: &View, pursuits: &Pursuits) -> Option<[Evaluation; 2]> {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = RefCell::default();
    }
    let networks = embedded().filter(|_| is_used_under(view.position().rules()))?;
    let seen = Observation::new(view, pursuits);
    let actions = view.position().actions();
    let said = |scratch: &mut Scratch| {
        networks.each_ref().map(|network| network.evaluate_actions(&seen, actions.clone(), scratch))
    };
    Some(SCRATCH.with_borrow_mut(said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math;
    use crate::rng::Rng;
    use crate::rules::{Position, Setup, Side, Spn, Viewer};

    #[test]
    fn they_are_used_in_barrage_and_where_pieces_move_as_isf_has_them() {
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
    fn an_action_is_as_likely_as_the_geometric_mean_of_both_has_it() {
        let view = views(60).pop().unwrap();
        let pursuits = Pursuits::of(view.position());
        let [one, other] = evaluate_each(&view, &pursuits).unwrap();
        let pooled = evaluate(&view, &pursuits).unwrap();
        assert_eq!((&pooled.actions, pooled.win), (&one.actions, one.win));
        let chances: Vec<f32> = pooled.log_probabilities.iter().map(|&value| math::exp(value)).collect();
        let sum: f32 = chances.iter().sum();
        assert!(chances.len() > 3 && (sum - 1.0).abs() < 1e-5, "{sum}");
        for (index, &chance) in chances.iter().enumerate().skip(1) {
            let ratio_by = |of: &Evaluation| math::exp(of.log_probabilities[index] - of.log_probabilities[0]);
            let (ratio, mean) = (chance / chances[0], (ratio_by(&one) * ratio_by(&other)).sqrt());
            assert!((ratio - mean).abs() <= 1e-4 * mean, "{ratio} and {mean}");
        }
    }
}
