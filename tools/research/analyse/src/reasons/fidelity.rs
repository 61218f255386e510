//! How near a surrogate of the policy comes to it.

use crate::figures::{number, percent};
use crate::softmax::{Choice, Loss};
use serde::Serialize;
use std::fmt;

/// Figures over some turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fidelity {
    /// How many.
    pub turns: usize,
    /// The mean of the relative entropy of the policy with respect to the surrogate, in nats.
    pub nats: Option<f64>,
    /// The mean relative entropy if all actions were as likely, in nats.
    pub nats_by_chance: Option<f64>,
    /// The share of the turns in which both like the same action best.
    pub first: Option<f64>,
}

impl Fidelity {
    /// By these weights.
    pub fn of(weights: &[f32], choices: &[Choice]) -> Fidelity {
        let Loss { nats, first } = Loss::of(weights, choices);
        let by_chance = Loss::of(&vec![0.0; weights.len()], choices);
        Fidelity { turns: choices.len(), nats, nats_by_chance: by_chance.nats, first }
    }
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
