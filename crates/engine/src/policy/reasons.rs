//! Words for what the learned policy likes: a softmax over the [features](super::linear) of actions that imitates it, and
//! what each feature of an action adds.
//!
//! The policy has 120,000 weights and no words. The imitation has one weight a feature, fitted by `outflank-analyse
//! reasons`; docs/learning.md, "Words for what the policy likes", has how much of the policy it tells.

use super::linear::{Feature, features};
use crate::belief::Belief;
use crate::math;
use crate::search::ActionProbability;
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

/// Why the policy likes each of the actions that it was asked about, or does not, as far as features tell: the weightiest
/// first. `policy` is what it says of all actions of the player of `view`, who is to move and believes `belief`.
pub fn reasons(view: &View, belief: &Belief, policy: &[ActionProbability]) -> Vec<Vec<Reason>> {
    let weights = weights();
    let of = |said: &ActionProbability| features(view, belief, said.action);
    let found: Vec<Vec<Feature>> = policy.iter().map(of).collect();
    let mut usual = [0.0; Feature::COUNT];
    for (said, features) in policy.iter().zip(&found) {
        for feature in features {
            usual[feature.index()] += math::exp(said.logarithm);
        }
    }
    let reason = |&feature: &Feature| {
        let nats = weights[feature.index()] * (1.0 - usual[feature.index()]);
        Reason { feature, nats }
    };
    let all = |features: &Vec<Feature>| {
        let mut reasons: Vec<Reason> = features.iter().map(reason).collect();
        reasons.sort_by(|one, other| other.nats.abs().total_cmp(&one.nats.abs()));
        reasons
    };
    found.iter().map(all).collect()
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
        let strike = actions.iter().position(|&action| view.position().is_strike(action)).unwrap();
        let said = |sure: usize| -> Vec<ActionProbability> {
            let logarithm = |place| if place == sure { 0.0 } else { f32::NEG_INFINITY };
            let each = actions.iter().enumerate();
            each.map(|(place, &action)| ActionProbability { action, logarithm: logarithm(place) }).collect()
        };
        let told = reasons(&view, &belief, &said(strike));
        assert_eq!(told.len(), actions.len());
        assert!(told[strike].iter().all(|reason| reason.nats.abs() < 1e-6), "{:?}", told[strike]);
        let other = told.iter().enumerate().find(|&(place, _)| place != strike).unwrap().1;
        assert!(other[0].nats.abs() > 0.1, "{other:?}");
        assert!(other.is_sorted_by(|one, next| one.nats.abs() >= next.nats.abs()));
    }
}
