//! What a player leaves out of its thoughts, for measuring what that is worth.

use outflank::belief::{Belief, Factor};
use outflank::rules::Ruleset;
use outflank::view::View;

/// Rules and factors of the belief that a player does not reckon with: it follows the game as it is, but thinks as if
/// they did not hold.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Ignores {
    /// It makes no rescue and expects none.
    pub rescue: bool,
    /// It expects every strike to show both ranks.
    pub silent: bool,
    /// It makes nothing of strikes that did not show a rank: what won or was lost there may still be anything.
    pub hints: bool,
    /// Its belief does without these factors, in their order.
    pub factors: [bool; Factor::ALL.len()],
}

impl Ignores {
    /// Whether it does not reckon with a key.
    pub(crate) fn key(&mut self, key: &str) -> Option<&mut bool> {
        match key {
            "rescue" => Some(&mut self.rescue),
            "silent" => Some(&mut self.silent),
            "hints" => Some(&mut self.hints),
            _ => {
                let index = Factor::ALL.into_iter().position(|factor| factor.name() == key)?;
                self.factors.get_mut(index)
            }
        }
    }

    /// The keys it does not reckon with, for records.
    pub(crate) fn keys(self) -> Vec<String> {
        let keys = [(self.rescue, "rescue"), (self.silent, "silent"), (self.hints, "hints")];
        let factors = self.factors.into_iter().zip(Factor::ALL.map(Factor::name));
        keys.into_iter()
            .chain(factors)
            .filter(|(ignored, _)| *ignored)
            .map(|(_, key)| key.to_owned())
            .collect()
    }

    /// Whether it thinks about what the enemy's moves are good for.
    pub(crate) fn reflects(self) -> bool {
        let mut factors = Factor::ALL.into_iter().zip(self.factors);
        factors.any(|(factor, ignored)| factor == Factor::Intents && !ignored)
    }

    /// What it believes of the enemy.
    pub(crate) fn belief(self, view: &View) -> Belief {
        let factors: Vec<Factor> = Factor::ALL
            .into_iter()
            .zip(self.factors)
            .filter(|(_, ignored)| !ignored)
            .map(|(f, _)| f)
            .collect();
        Belief::of_enemies_weighing(view, &factors)
    }

    /// The view that it thinks about.
    pub(crate) fn supposed(self, view: &View) -> Option<View> {
        let rules = *view.position().rules();
        let supposed =
            Ruleset { rescue: rules.rescue && !self.rescue, silent: rules.silent && !self.silent, ..rules };
        let told = (rules.silent && self.hints).then(|| view.forgetting_hints());
        if supposed == rules { told } else { Some(told.as_ref().unwrap_or(view).supposing(supposed)) }
    }
}
