//! Ablation: what a player leaves out of its thoughts, so that matches can measure what that is worth.

use crate::belief::Likelihood;
use crate::rules::Ruleset;
use crate::view::View;

/// What a player does without: rules, the learned policy, likelihoods of the belief. It follows the game as it is, and
/// thinks as if they were not there. By default nothing is left out.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is switched off for itself")]
pub struct Ablation {
    /// It makes no rescue and expects none.
    pub rescue: bool,
    /// It expects every strike to show both ranks.
    pub silent: bool,
    /// It makes nothing of strikes that did not show a rank: what won or was lost there may still be anything.
    pub hints: bool,
    /// It chooses by its search alone, without the learned policy.
    pub policy: bool,
    /// Its belief does without these likelihoods, in their order.
    pub likelihoods: [bool; Likelihood::ALL.len()],
}

impl Ablation {
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
    pub fn keys(self) -> Vec<String> {
        let keys = [
            (self.rescue, "rescue"),
            (self.silent, "silent"),
            (self.hints, "hints"),
            (self.policy, "policy"),
        ];
        let likelihoods = self.likelihoods.into_iter().zip(Likelihood::ALL.map(Likelihood::name));
        keys.into_iter()
            .chain(likelihoods)
            .filter(|(ignored, _)| *ignored)
            .map(|(_, key)| key.to_owned())
            .collect()
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
