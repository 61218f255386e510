//! Words for what the learned policy likes: a linear surrogate of it, and what each feature of an action adds there.
//!
//! The policy has 120,000 weights and no words. The surrogate is a softmax over the [features](super::linear) of actions,
//! with one weight a feature, fitted by `outflank-analyse reasons`; docs/learning.md, "Words for what the policy likes", has how much of the policy it tells.

use super::linear::{Feature, features};
use crate::belief::Belief;
use crate::math;
use crate::rules::Action;
use crate::sparse::Evaluation;
use crate::view::View;
use std::sync::OnceLock;

/// Little-endian numbers of four bytes.
const BYTES: &[u8; 4 * Feature::COUNT] = include_bytes!("reasons.weights");

/// What a feature of an action adds.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Reason {
    /// The feature.
    pub feature: Feature,
    /// By how many nats more likely it makes the action than the policy's choices are on the average: above 0 it speaks
    /// for the action.
    pub nats: f32,
}

/// The weight of each feature, in nats.
pub fn weights() -> &'static [f32; Feature::COUNT] {
    static WEIGHTS: OnceLock<[f32; Feature::COUNT]> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let (numbers, _) = BYTES.as_chunks::<4>();
        std::array::from_fn(|index| f32::from_le_bytes(numbers[index]))
    })
}

/// Why the policy likes an action, or does not, as far as features tell: the weightiest first; none if it says nothing of
/// the action. `said` is what it says in the position of `view`, whose player is to move and believes `belief`.
pub fn reasons(view: &View, belief: &Belief, said: &Evaluation, action: Action) -> Vec<Reason> {
    if !said.actions.contains(&action) {
        return Vec::new();
    }
    let mut usual = [0.0; Feature::COUNT];
    for (&other, &logarithm) in said.actions.iter().zip(&said.log_probabilities) {
        for feature in features(view, belief, other) {
            usual[feature.index()] += math::exp(logarithm);
        }
    }
    let reason = |feature: Feature| {
        let nats = weights()[feature.index()] * (1.0 - usual[feature.index()]);
        Reason { feature, nats }
    };
    let mut reasons: Vec<Reason> = features(view, belief, action).into_iter().map(reason).collect();
    reasons.sort_by(|one, other| other.nats.abs().total_cmp(&one.nats.abs()));
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Side, Spn};

    #[test]
    fn what_all_choices_share_is_no_reason() {
        // Red's scout on a4 below a hidden piece; a miner on j3.
        let spn = "9?/9?/10/10/2__2__2/2__2__2/?9/D9/9E/MB8 r r -,- 40 100 preset=isf";
        let view = View::from_spn(&Spn::parse(spn, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let actions = view.position().actions();
        let strike = *actions.iter().find(|&&action| view.position().is_strike(action)).unwrap();
        let sure = |&action: &Action| if action == strike { 0.0 } else { f32::NEG_INFINITY };
        let log_probabilities = actions.iter().map(sure).collect();
        let said = Evaluation { actions: actions.clone(), log_probabilities, ..Evaluation::default() };
        let of = |action| reasons(&view, &belief, &said, action);
        assert!(of(strike).iter().all(|reason| reason.nats.abs() < 1e-6), "{:?}", of(strike));
        let other = of(*actions.iter().find(|&&action| action != strike).unwrap());
        assert!(other[0].nats.abs() > 0.1, "{other:?}");
        assert!(other.is_sorted_by(|one, next| one.nats.abs() >= next.nats.abs()));
        assert!(reasons(&view, &belief, &Evaluation::default(), strike).is_empty());
    }
}
