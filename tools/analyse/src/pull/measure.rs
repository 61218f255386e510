//! How well searches and policies foretell what was played, alone and together.

use super::Turn;
use crate::figures::{number, percent, share};
use crate::softmax::{self, Choice};
use serde::Serialize;
use std::fmt;

/// Differences of a search that count, in points: beyond them the worse is out of the question, and how far is not what
/// decides (a captain is worth 80). Linear differences foretell worse.
const MOST_POINTS: f32 = 60.0;
/// Points that are one unit while fitting, so that all weights are of one order.
const UNIT: f32 = 10.0;
/// Nats that count of a policy, below its favourite: a sharp one has 20 and more.
const MOST_NATS: f32 = 8.0;
/// Passes over the turns while fitting.
const PASSES: u32 = 20;

/// How well what was played is foretold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Foretold {
    /// The mean of the logarithm of its probability, less is better.
    pub nats: Option<f64>,
    /// The share of the turns in which it was the likeliest action.
    pub first: Option<f64>,
}

impl Foretold {
    fn of(choices: &[Choice], weights: &[f32]) -> Foretold {
        let mean = |value: &dyn Fn(&Choice) -> f64| share(choices.iter().map(value).sum(), choices.len());
        let chance = |choice: &Choice| {
            let found = choice.probabilities(weights);
            let both = found.iter().zip(choice.shares());
            f64::from(both.map(|(found, share)| found * share).sum::<f32>().max(f32::MIN_POSITIVE))
        };
        let is_first = |choice: &Choice| {
            let found = choice.probabilities(weights);
            let most = (0..found.len()).max_by(|&one, &other| found[one].total_cmp(&found[other]));
            most.is_some_and(|place| choice.shares()[place] > 0.5)
        };
        Foretold {
            nats: mean(&|choice| -chance(choice).ln()),
            first: mean(&|choice| f64::from(u8::from(is_first(choice)))),
        }
    }
}

/// What the turns say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pulls {
    /// How many.
    pub turns: usize,
    /// If all actions were as likely.
    pub by_chance: Foretold,
    /// By the search alone, at the spread that does best.
    pub search: Foretold,
    /// By all policies together, each with the weight that does best.
    pub policies: Foretold,
    /// By the search and all policies.
    pub together: Foretold,
    /// The points of the search that are worth as much as a nat; none if the search adds nothing.
    pub points_a_nat: Option<f64>,
    /// The weight of each policy beside that.
    pub weights: Vec<f64>,
}

impl Pulls {
    /// The weights that make what was played in these turns as likely as can be. They are few and turns are many: nothing is
    /// held out.
    pub fn of(turns: &[Turn], seed: u64) -> Pulls {
        let policies = turns.first().map_or(0, |turn| turn.logarithms.len());
        let best = |searched: bool, policies: usize| {
            let choices: Vec<Choice> = turns.iter().map(|turn| choice(turn, searched, policies)).collect();
            let weights = softmax::fit(choices.iter(), 1 + policies, PASSES, seed);
            (Foretold::of(&choices, &weights), weights)
        };
        let (together, weights) = best(true, policies);
        let (search, _) = best(true, 0);
        let alone = best(false, policies).0;
        let choices: Vec<Choice> = turns.iter().map(|turn| choice(turn, false, 0)).collect();
        Pulls {
            turns: turns.len(),
            by_chance: Foretold::of(&choices, &[0.0]),
            search,
            policies: alone,
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

impl fmt::Display for Pulls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} turns", self.turns)?;
        writeln!(f, "\nforetold by           nats  likeliest, %")?;
        let rows = [
            ("nothing", &self.by_chance),
            ("the search", &self.search),
            ("the policy", &self.policies),
            ("both", &self.together),
        ];
        for (name, Foretold { nats, first }) in rows {
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

    /// A player who takes the first of two actions in three turns of four. The search likes it by 20 points, or nobody does.
    fn turns(points: f32, nats: f32) -> Vec<Turn> {
        let logarithms = vec![vec![-0.1, -0.1 - nats]];
        let turn = |played| Turn { played, points: vec![0.0, -points], logarithms: logarithms.clone() };
        (0..400).map(|number| turn(usize::from(number % 4 == 0))).collect()
    }

    #[test]
    fn what_foretells_is_found() {
        let nats = |foretold: &Foretold| foretold.nats.unwrap();
        // Entropy of three to one.
        let least = f64::from(-0.75 * math::ln(0.75) - 0.25 * math::ln(0.25));
        let by_search = Pulls::of(&turns(20.0, 0.0), 1);
        assert!((nats(&by_search.search) - least).abs() < 0.01, "{by_search:?}");
        assert!((nats(&by_search.policies) - nats(&by_search.by_chance)).abs() < 1e-3);
        // 20 points are ln 3 nats.
        assert!((by_search.points_a_nat.unwrap() - 18.2).abs() < 2.0, "{by_search:?}");
        let by_policy = Pulls::of(&turns(0.0, 2.0), 1);
        assert!((nats(&by_policy.policies) - least).abs() < 0.01, "{by_policy:?}");
        assert!((by_policy.weights[0] - 0.55).abs() < 0.05 && by_policy.search.first == Some(0.25));
        assert!((nats(&by_policy.search) - nats(&by_policy.by_chance)).abs() < 1e-3);
    }

    #[test]
    fn of_nothing_nothing_is_told() {
        let none = Pulls::of(&[], 1);
        assert_eq!((none.turns, none.together.nats), (0, None));
        assert!(none.to_string().contains("nothing"));
    }
}
