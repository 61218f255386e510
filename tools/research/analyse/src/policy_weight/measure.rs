//! How well the search and policies predict what was played, alone and together.

use super::Turn;
use crate::figures::{number, percent};
use crate::softmax::{self, Choice, Loss};
use serde::Serialize;
use std::fmt;

/// Differences of a search that count, in points: beyond them the worse is out of the question, and how far is not what
/// decides (a captain is worth 80). Without the bound they predict worse.
const MOST_POINTS: f32 = 60.0;
/// Points that are one unit while fitting, so that all weights are of one order.
const UNIT: f32 = 10.0;
/// Nats that count of a policy, below its favourite: a sharp one has 20 and more.
const MOST_NATS: f32 = 8.0;
/// Passes over the turns while fitting.
const PASSES: u32 = 20;

/// What the turns say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PolicyWeights {
    /// How many.
    pub turns: usize,
    /// If all actions were as likely.
    pub by_chance: Loss,
    /// By the search alone, at the spread that does best.
    pub search: Loss,
    /// By all policies together, each with the weight that does best.
    pub policies: Loss,
    /// By the search and all policies.
    pub together: Loss,
    /// The points of the search that are worth as much as a nat; none if the search adds nothing.
    pub points_a_nat: Option<f64>,
    /// The weight of each policy beside that.
    pub weights: Vec<f64>,
}

impl PolicyWeights {
    /// The weights that make what was played in these turns as likely as can be. They are few and turns are many:
    /// nothing is held out.
    pub fn of(turns: &[Turn], seed: u64) -> PolicyWeights {
        let policies = turns.first().map_or(0, |turn| turn.logarithms.len());
        let best = |searched: bool, policies: usize| {
            let choices: Vec<Choice> = turns.iter().map(|turn| choice(turn, searched, policies)).collect();
            let weights = softmax::fit(choices.iter(), 1 + policies, PASSES, seed);
            (Loss::of(&weights, &choices), weights, choices)
        };
        let (together, weights, choices) = best(true, policies);
        PolicyWeights {
            turns: turns.len(),
            by_chance: Loss::of(&vec![0.0; weights.len()], &choices),
            search: best(true, 0).0,
            policies: best(false, policies).0,
            together,
            points_a_nat: (weights[0] > 0.0).then(|| f64::from(UNIT / weights[0])),
            weights: weights[1..].iter().map(|weight| f64::from(*weight)).collect(),
        }
    }
}

/// A turn as a choice by what the search expects and what the first of the policies say.
fn choice(turn: &Turn, searched: bool, policies: usize) -> Choice {
    let mut choice = Choice::default();
    let most = |all: &[f32]| all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let favourites: Vec<f32> = turn.logarithms.iter().map(|all| most(all)).collect();
    for (place, &points) in turn.points.iter().enumerate() {
        let expected = if searched { points.max(-MOST_POINTS) / UNIT } else { 0.0 };
        let said = turn.logarithms.iter().zip(&favourites).take(policies);
        let said = said.map(|(all, most)| (all[place] - most).max(-MOST_NATS));
        let features = std::iter::once(expected).chain(said).enumerate();
        choice.push(f32::from(u8::from(place == turn.played)), features);
    }
    choice
}

impl fmt::Display for PolicyWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} turns", self.turns)?;
        writeln!(f, "\npredicted by          nats  likeliest, %")?;
        let rows = [
            ("nothing", &self.by_chance),
            ("the search", &self.search),
            ("the policy", &self.policies),
            ("both", &self.together),
        ];
        for (name, Loss { nats, first }) in rows {
            writeln!(f, "{name:<20} {:>5}  {:>12}", number(*nats, 3), percent(*first, 1))?;
        }
        writeln!(f, "\n{} points of the search are worth a nat", number(self.points_a_nat, 0))?;
        let weights = self.weights.iter().enumerate();
        weights.into_iter().try_for_each(|(place, weight)| {
            let points = self.points_a_nat.map(|points| points * weight);
            writeln!(f, "policy {}: weight {weight:.2}, {} points a nat", place + 1, number(points, 0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::math;

    /// A player who takes the first of two actions in three turns of four. The search finds it better by so many points,
    /// a policy likelier by so many nats.
    fn turns(points: f32, nats: f32) -> Vec<Turn> {
        let logarithms = vec![vec![-0.1, -0.1 - nats]];
        let turn = |played| Turn { played, points: vec![0.0, -points], logarithms: logarithms.clone() };
        (0..400).map(|number| turn(usize::from(number % 4 == 0))).collect()
    }

    #[test]
    fn what_predicts_is_found() {
        let nats = |loss: &Loss| loss.nats.unwrap();
        // Entropy of three to one.
        let least = f64::from(-0.75 * math::ln(0.75) - 0.25 * math::ln(0.25));
        let by_search = PolicyWeights::of(&turns(20.0, 0.0), 1);
        assert!((nats(&by_search.search) - least).abs() < 0.01, "{by_search:?}");
        assert!((nats(&by_search.policies) - nats(&by_search.by_chance)).abs() < 1e-3);
        // 20 points are ln 3 nats.
        assert!((by_search.points_a_nat.unwrap() - 18.2).abs() < 2.0, "{by_search:?}");
        let by_policy = PolicyWeights::of(&turns(0.0, 2.0), 1);
        assert!((nats(&by_policy.policies) - least).abs() < 0.01, "{by_policy:?}");
        assert!((by_policy.weights[0] - 0.55).abs() < 0.05 && by_policy.search.first == Some(0.25));
        assert!((nats(&by_policy.search) - nats(&by_policy.by_chance)).abs() < 1e-3);
    }

    #[test]
    fn of_nothing_nothing_is_told() {
        let none = PolicyWeights::of(&[], 1);
        assert_eq!((none.turns, none.together.nats), (0, None));
        assert!(none.to_string().contains("nothing"));
    }
}
