//! The network that the engine is built with: learned by self-play (`docs/learning.md`), it weighs in when an action
//! is chosen.

use super::network::{Network, Scratch};
use crate::rules::{Action, Ruleset};
use crate::view::View;
use std::sync::OnceLock;

/// 32 channels and 5 blocks; "The second real run" in `docs/learning.md`.
const BYTES: &[u8] = include_bytes!("self_play.net");

impl Network {
    /// The engine's own network; `None` if the program was built with a broken one.
    pub fn own() -> Option<&'static Network> {
        static NETWORK: OnceLock<Option<Network>> = OnceLock::new();
        let read =
            || Network::read(BYTES).inspect_err(|error| log::error!("the policy network: {error}")).ok();
        NETWORK.get_or_init(read).as_ref()
    }
}

/// The natural logarithm of the probability that the engine's own network chooses each action of `view`'s player,
/// whose turn it is. Rescues are not among them. Empty under rules unlike those that it was trained under.
pub fn own_log_probabilities(view: &View) -> Vec<(Action, f32)> {
    let Some(network) = Network::own().filter(|_| was_trained_under(view.position().rules())) else {
        return Vec::new();
    };
    let evaluation = network.evaluate(view, &mut Scratch::default());
    evaluation.actions.into_iter().zip(evaluation.log_probabilities).collect()
}

/// Whether these rules tell the network nothing that it never met: it played `isf` and `evaluator`.
const fn was_trained_under(rules: &Ruleset) -> bool {
    rules.scout && !(rules.advance || rules.aggressor || rules.silent || rules.rescue || rules.barrage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::math;
    use crate::rules::{Preset, Setup, Side};

    fn begun(rules: Ruleset) -> View {
        let mut view = View::new(Side::Red, rules);
        let setup: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        view.observe(&Event::Deployed(Side::Red, setup)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        view
    }

    #[test]
    fn it_speaks_of_every_action_under_its_rules() {
        for preset in [Preset::Isf, Preset::Evaluator, Preset::Gravon, Preset::Wiki, Preset::Vassal] {
            let view = begun(Ruleset::of(preset));
            let found = own_log_probabilities(&view);
            assert_eq!(found.len(), view.position().actions().len());
            let sum: f32 = found.iter().map(|&(_, value)| math::exp(value)).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        }
    }

    #[test]
    fn it_is_silent_where_it_never_played() {
        assert!(own_log_probabilities(&begun(Ruleset::of(Preset::Original1961))).is_empty());
        for key in ["silent", "rescue", "aggressor"] {
            let mut rules = Ruleset::default();
            rules.set(key, "on").unwrap();
            assert!(own_log_probabilities(&begun(rules)).is_empty(), "{key}");
        }
    }
}
