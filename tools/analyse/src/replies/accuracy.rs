//! How much of what players did was predicted.

use super::turns::Turn;
use crate::figures::{number, percent, share};
use outflank::game_phase::{FIRST_PLIES, PHASES};
use outflank::replies::Weights;
use serde::Serialize;
use std::fmt;

/// Figures over some turns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// How many.
    pub turns: usize,
    /// Actions there were, a turn.
    pub actions: Option<f64>,
    /// The logarithmic loss a turn, in nats.
    pub nats: Option<f64>,
    /// The same if all actions are as likely.
    pub nats_by_chance: Option<f64>,
    /// The share of the turns in which the likeliest action was chosen.
    pub first: Option<f64>,
    /// The share in which one of the three likeliest was.
    pub first_three: Option<f64>,
    /// The share in which the likeliest was, among turns without a strike.
    pub moves: Option<f64>,
    /// The same among strikes.
    pub strikes: Option<f64>,
    /// The same early in the game, in its middle, and late.
    pub phases: [Option<f64>; PHASES],
}

impl Accuracy {
    /// By these weights.
    pub fn of(weights: &Weights, turns: &[&Turn]) -> Accuracy {
        let looks: Vec<Look> = turns.iter().map(|turn| Look::of(weights, turn)).collect();
        let mean = |value: &dyn Fn(&Look) -> f64| share(looks.iter().map(value).sum(), looks.len());
        let first = |of: &dyn Fn(&Turn) -> bool| {
            let some: Vec<f64> = turns
                .iter()
                .zip(&looks)
                .filter(|(turn, _)| of(turn))
                .map(|(_, look)| look.is_within(1))
                .collect();
            share(some.iter().sum(), some.len())
        };
        Accuracy {
            turns: turns.len(),
            actions: mean(&|look| look.actions as f64),
            nats: mean(&|look| -look.probability.ln()),
            nats_by_chance: mean(&|look| (look.actions as f64).ln()),
            first: first(&|_| true),
            first_three: mean(&|look| look.is_within(3)),
            moves: first(&|turn| !turn.struck),
            strikes: first(&|turn| turn.struck),
            phases: std::array::from_fn(|phase| first(&|turn| turn.phase == phase)),
        }
    }
}

/// One turn.
struct Look {
    /// Of the chosen action.
    probability: f64,
    /// How many actions were likelier.
    likelier: usize,
    actions: usize,
}

impl Look {
    fn of(weights: &Weights, turn: &Turn) -> Look {
        let found = turn.choice.probabilities(weights.all());
        let chosen = found[turn.chosen];
        let likelier = found.iter().filter(|&&other| other > chosen).count();
        Look { probability: f64::from(chosen.max(f32::MIN_POSITIVE)), likelier, actions: found.len() }
    }

    fn is_within(&self, first: usize) -> f64 {
        f64::from(u8::from(self.likelier < first))
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |value| percent(value, 1);
        writeln!(f, "{} turns of {} actions", self.turns, number(self.actions, 1))?;
        writeln!(
            f,
            "{} nats a turn; {} if all actions were as likely",
            number(self.nats, 3),
            number(self.nats_by_chance, 3)
        )?;
        writeln!(f, "the likeliest action was chosen in {}%", share(self.first))?;
        writeln!(f, "one of the three likeliest in {}%", share(self.first_three))?;
        writeln!(f, "the likeliest, moves {}%, strikes {}%", share(self.moves), share(self.strikes))?;
        let [early, middle, late] = self.phases.map(share);
        let [second, third] = FIRST_PLIES;
        writeln!(
            f,
            "the likeliest, before ply {second} {early}%, before ply {third} {middle}%, later {late}%"
        )
    }
}
