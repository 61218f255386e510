//! Ablation: what a player leaves out of its thoughts, so that matches can measure what that is worth.

use crate::belief::Likelihood;
use crate::rules::Ruleset;
use crate::view::View;

/// What a player does without: rules, the learned policy, likelihoods of the belief. It follows the game as it is, and
/// thinks as if they were not there. By default nothing is left out.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched off for itself")]
pub struct Ablation {
    /// The player makes no rescue and expects none.
    pub rescue: bool,
    /// The player expects every strike to show both ranks.
    pub silent: bool,
    /// The player makes nothing of strikes that did not show a rank: what won or was lost there may still be anything.
    pub hints: bool,
    /// The player chooses by its search alone, without the learned policy.
    pub policy: bool,
    /// The likelihoods that the player's belief does without, by [`Likelihood::index`].
    pub likelihoods: [bool; Likelihood::ALL.len()],
}

/// The keys of what is no likelihood.
const PARTS: [&str; 4] = ["rescue", "silent", "hints", "policy"];

impl Ablation {
    /// Every key: those of rules and of the learned policy, then the names of the likelihoods.
    pub fn all_keys() -> impl Iterator<Item = &'static str> {
        PARTS.into_iter().chain(Likelihood::ALL.map(Likelihood::name))
    }

    /// What `key` switches off, to be set; `None` if there is no such key.
    pub fn key(&mut self, key: &str) -> Option<&mut bool> {
        match key {
            "rescue" => Some(&mut self.rescue),
            "silent" => Some(&mut self.silent),
            "hints" => Some(&mut self.hints),
            "policy" => Some(&mut self.policy),
            _ => {
                let index = Likelihood::ALL.into_iter().position(|likelihood| likelihood.name() == key)?;
                self.likelihoods.get_mut(index)
            }
        }
    }

    /// The keys it does not reckon with, for records.
    pub fn keys(mut self) -> Vec<String> {
        let ignored = Ablation::all_keys().filter(|key| self.key(key).is_some_and(|ignored| *ignored));
        ignored.map(str::to_owned).collect()
    }

    /// Whether it asks what the enemy's moves tell.
    pub fn infers(self) -> bool {
        self.likelihoods().contains(&Likelihood::MoveEvidence)
    }

    /// The likelihoods that its belief weighs.
    pub fn likelihoods(self) -> Vec<Likelihood> {
        let likelihoods = Likelihood::ALL.into_iter().zip(self.likelihoods);
        likelihoods.filter(|(_, ignored)| !ignored).map(|(likelihood, _)| likelihood).collect()
    }

    /// The view that it thinks about.
    pub(super) fn supposed(self, view: &View) -> Option<View> {
        let rules = *view.position().rules();
        let supposed =
            Ruleset { rescue: rules.rescue && !self.rescue, silent: rules.silent && !self.silent, ..rules };
        let without_hints = (rules.silent && self.hints).then(|| view.forgetting_hints());
        if supposed == rules {
            without_hints
        } else {
            Some(without_hints.as_ref().unwrap_or(view).supposing(supposed))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_one_thing_and_reads_back() {
        for key in Ablation::all_keys() {
            let mut ablation = Ablation::default();
            *ablation.key(key).unwrap() = true;
            assert_eq!(ablation.keys(), [key]);
        }
        for likelihood in Likelihood::ALL {
            let mut ablation = Ablation::default();
            *ablation.key(likelihood.name()).unwrap() = true;
            assert!(!ablation.likelihoods().contains(&likelihood), "{likelihood}");
        }
        assert!(Ablation::default().key("").is_none() && Ablation::default().keys().is_empty());
    }
}
