//! The network that the engine is built with: learned by self-play (`docs/learning.md`), the root adds
//! its preferences to what the search says.

use super::network::{Network, Scratch};
use crate::rules::{Action, Ruleset};
use crate::view::View;
use std::sync::OnceLock;

/// 32 channels and 5 blocks; "The second real run" in `docs/learning.md`.
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

/// The natural logarithm of the probability that the embedded network chooses each action of `view`'s player,
/// whose turn it is. Rescues are not among them. Empty under rules unlike those that it was trained under.
pub fn log_probabilities(view: &View) -> Vec<(Action, f32)> {
    let Some(network) = Network::embedded().filter(|_| was_trained_under(view.position().rules())) else {
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
    use crate::rules::Preset;

    #[test]
    fn it_knows_the_usual_rules_and_no_others() {
        for preset in [Preset::Isf, Preset::Evaluator, Preset::Gravon, Preset::Wiki, Preset::Vassal] {
            assert!(was_trained_under(&Ruleset::of(preset)));
        }
        assert!(!was_trained_under(&Ruleset::of(Preset::Original1961)));
        for key in ["advance", "aggressor", "silent", "rescue", "barrage"] {
            let mut rules = Ruleset::default();
            rules.set(key, "on").unwrap();
            assert!(!was_trained_under(&rules), "{key}");
        }
    }
}
