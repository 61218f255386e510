//! How near a surrogate of the policy comes to it.

use crate::figures::{number, percent, share};
use crate::softmax::Choice;
use serde::Serialize;
use std::fmt;

/// Figures over some turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fidelity {
    /// How many.
    pub turns: usize,
    /// The mean of the relative entropy of the policy with respect to the surrogate, in nats.
    pub nats: Option<f64>,
    /// The same if all actions were as likely.
    pub nats_by_chance: Option<f64>,
    /// The share of the turns in which both like the same action best.
    pub first: Option<f64>,
}

impl Fidelity {
    /// By these weights.
    pub fn of(weights: &[f32], choices: &[Choice]) -> Fidelity {
        let mean = |value: &dyn Fn(&Choice) -> f64| share(choices.iter().map(value).sum(), choices.len());
        Fidelity {
            turns: choices.len(),
            nats: mean(&|choice| relative_entropy(choice.shares(), &choice.probabilities(weights))),
            nats_by_chance: mean(&|choice| {
                relative_entropy(choice.shares(), &vec![1.0 / choice.len() as f32; choice.len()])
            }),
            first: mean(&|choice| {
                let same = first(choice.shares()) == first(&choice.probabilities(weights));
                f64::from(u8::from(same))
            }),
        }
    }
}

fn relative_entropy(of: &[f32], to: &[f32]) -> f64 {
    let term = |(&of, &to): (&f32, &f32)| {
        let (of, to) = (f64::from(of), f64::from(to.max(f32::MIN_POSITIVE)));
        if of > 0.0 { of * (of / to).ln() } else { 0.0 }
    };
    of.iter().zip(to).map(term).sum()
}

/// The place of the greatest.
fn first(shares: &[f32]) -> Option<usize> {
    (0..shares.len()).max_by(|&one, &other| shares[one].total_cmp(&shares[other]))
}

impl fmt::Display for Fidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} turns", self.turns)?;
        let (nats, by_chance) = (number(self.nats, 3), number(self.nats_by_chance, 3));
        writeln!(f, "{nats} nats from the policy; {by_chance} if all actions were as likely")?;
        writeln!(f, "the same favourite in {}%", percent(self.first, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::math;

    #[test]
    fn the_policy_itself_is_nothing_away() {
        let mut choice = Choice::default();
        choice.push(0.75, [(0, 1.0)]);
        choice.push(0.25, [(1, 1.0)]);
        let fidelity = |weights: [f32; 2]| Fidelity::of(&weights, &[choice.clone()]);
        assert!(fidelity([math::ln(3.0), 0.0]).nats.unwrap().abs() < 1e-6);
        let even = fidelity([0.0, 0.0]);
        assert_eq!(even.nats, even.nats_by_chance);
        assert!(even.nats.unwrap() > 0.1);
    }
}
