//! A game whose players draw among near equals, and what was decided in it.

use super::Covariate;
use super::covariate::Described;
use anyhow::Context;
use outflank::deployment::{self, Source};
use outflank::engine::{Ablation, Control, Engine, Settings as Thinking, Stopwatch};
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Ruleset, Side};
use outflank::search::{Budget, Candidate, Limits, Overhead};
use outflank_referee::{Events, Referee};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What games to play.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The rules.
    pub rules: Ruleset,
    /// Seeds everything.
    pub seed: u64,
    /// Nodes of a search.
    pub nodes: u64,
    /// Points of evaluation by which an action is drawn e times less often.
    pub draw: f32,
    /// How many of the best actions are drawn from.
    pub lines: usize,
    /// The share of a later surprise that counts for the decision before it: lambda.
    pub lambda: f32,
    /// Whether the engine's policy plays along. Then what is measured is what all that the choice goes by is worth: a
    /// point of the search as well as a nat of each network.
    pub policy: bool,
}

impl fmt::Display for Settings {
    /// All of them, as the file of sums names them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { rules, seed, nodes, draw, lines, lambda, policy } = self;
        let with = if *policy { ", with the policy" } else { "" };
        write!(f, "{rules}; seed {seed}, nodes {nodes}, draw {draw}, lines {lines}, lambda {lambda}{with}")
    }
}

/// A turn in which there was a choice.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Covariates of what was drawn, less their means over what might have been: those that are not 0.
    pub difference: Vec<(Covariate, f32)>,
    /// What came of it, less what the search expected: points of the game. With the policy, less what it expected of
    /// the turn, whatever was drawn.
    pub advantage: f32,
}

/// A turn as it was played, before anything is known of what came of it.
struct Turn {
    side: Side,
    /// Points that the search expects before anything is drawn, and of what was drawn.
    value: f32,
    expected: f32,
    difference: Vec<(Covariate, f32)>,
}

/// Plays a game of this number.
///
/// # Errors
/// If the engine has a fault.
pub fn play(settings: &Settings, number: u64) -> anyhow::Result<Vec<Decision>> {
    let mut rng = Rng::stream(settings.seed, number);
    let setups = BySide::from_fn(|_| {
        let source = if rng.below(2) == 0 { Source::Book } else { Source::Drawn };
        deployment::choose_from(source, &settings.rules, None, &mut rng)
    });
    let mut referee = Referee::new(settings.rules, &setups[Side::Red], &setups[Side::Blue])?;
    let mut players = BySide::from_fn(|side| seat(settings, side, rng.bits()));
    for events in referee.opening() {
        tell(&mut players, &events)?;
    }
    let mut turns = Vec::new();
    while referee.ending().is_none() {
        let side = referee.to_move();
        let (action, turn) = decide(&mut players[side], settings, &mut rng).context("no action")?;
        turns.push(turn);
        tell(&mut players, &referee.play(action).map_err(anyhow::Error::msg)?)?;
    }
    let winner = referee.ending().and_then(|ending| ending.winner);
    Ok(advantages(turns, settings.lambda, |side| match winner {
        Some(winner) => f32::from(winner == side),
        None => 0.5,
    }))
}

fn seat(settings: &Settings, side: Side, seed: u64) -> Engine {
    // Without the policy it plays by its search alone: what is measured is what that does not see.
    let ablation = Ablation { policy: !settings.policy, ..Ablation::default() };
    let thinking = Thinking { seed, lines: settings.lines, ablation, ..Thinking::default() };
    Engine::new(side, settings.rules, thinking)
}

fn tell(players: &mut BySide<Engine>, events: &Events) -> anyhow::Result<()> {
    players.iter_mut().try_for_each(|(side, player)| Ok(player.observe(&events[side])?))
}

/// An action drawn by what the search says, and what there was to decide.
fn decide(player: &mut Engine, settings: &Settings, rng: &mut Rng) -> Option<(Action, Turn)> {
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let budget = Limits { nodes: Some(settings.nodes), ..Limits::default() };
    let budget: Budget = budget.budget(player.view().viewer(), 0, Overhead::given(Duration::ZERO));
    let choice = player.think(&budget.into(), Control::new(clock, stop), &mut |_| ());
    let candidates = choice.candidates;
    let chances = chances(&candidates, settings);
    let side = player.view().viewer();
    let Some(drawn) = draw(&chances, rng) else {
        // Nothing was searched to its end.
        let turn = Turn { side, value: 0.5, expected: 0.5, difference: Vec::new() };
        return choice.action.map(|action| (action, turn));
    };
    let points = |candidate: &Candidate| {
        (f32::from(candidate.score.win) + f32::from(candidate.score.draw) / 2.0) / 1000.0
    };
    let value = candidates.iter().zip(&chances).map(|(candidate, chance)| points(candidate) * chance).sum();
    let action = candidates[drawn].action;
    let expected = if settings.policy { value } else { points(&candidates[drawn]) };
    let described = Described::new(player, settings.policy);
    let difference = difference(&described, &candidates, &chances, drawn);
    Some((action, Turn { side, value, expected, difference }))
}

/// How likely each is drawn: by what the search says, with the policy by all that the choice goes by.
fn chances(candidates: &[Candidate], settings: &Settings) -> Vec<f32> {
    let said = |candidate: &Candidate| candidate.points + if settings.policy { candidate.added } else { 0.0 };
    let most = candidates.iter().map(said).fold(f32::NEG_INFINITY, f32::max);
    let weights = candidates.iter().map(|one| outflank::math::exp((said(one) - most) / settings.draw));
    let weights: Vec<f32> = weights.collect();
    let sum: f32 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

fn draw(chances: &[f32], rng: &mut Rng) -> Option<usize> {
    let mut left = rng.unit();
    let drawn = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    drawn.or(chances.len().checked_sub(1))
}

/// The covariates of what was drawn, less their means over what might have been.
fn difference(
    described: &Described<'_>,
    candidates: &[Candidate],
    chances: &[f32],
    drawn: usize,
) -> Vec<(Covariate, f32)> {
    if candidates.len() < 2 {
        return Vec::new();
    }
    let mut sums = [0.0_f32; Covariate::COUNT];
    for (index, (candidate, chance)) in candidates.iter().zip(chances).enumerate() {
        let own = f32::from(u8::from(index == drawn));
        for (covariate, value) in described.covariates(candidate) {
            sums[covariate.index()] += (own - chance) * value;
        }
    }
    Covariate::all()
        .map(|covariate| (covariate, sums[covariate.index()]))
        .filter(|(_, sum)| sum.abs() > 1e-6)
        .collect()
}

/// What came of each decision, less what was expected of it: each side's turns are a sequence of their own.
fn advantages(turns: Vec<Turn>, lambda: f32, result: impl Fn(Side) -> f32) -> Vec<Decision> {
    // What comes after the turn that is looked at: the value, and the return.
    let mut after = BySide::from_fn(|side| (result(side), result(side)));
    let mut decisions: Vec<Decision> = Vec::new();
    for turn in turns.into_iter().rev() {
        let (next, later) = after[turn.side];
        let came = next + lambda * (later - next);
        after[turn.side] = (turn.value, came);
        decisions.push(Decision { difference: turn.difference, advantage: came - turn.expected });
    }
    decisions.retain(|decision| !decision.difference.is_empty());
    decisions.reverse();
    decisions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_a_decision_is_told_to_its_side_alone() {
        let some = || vec![(Covariate::Searched, 1.0)];
        let turn = |side, value, expected| Turn { side, value, expected, difference: some() };
        let turns = vec![turn(Side::Red, 0.5, 0.4), turn(Side::Blue, 0.5, 0.6), turn(Side::Red, 0.7, 0.8)];
        let found = advantages(turns, 0.5, |side| f32::from(side == Side::Red));
        // Red's last: 1 - 0.8. Its first: 0.7, and half of what came after that, less 0.4. Blue lost.
        let expected = [0.85 - 0.4, -0.6, 0.2];
        assert!(found.iter().zip(expected).all(|(one, other)| (one.advantage - other).abs() < 1e-6));
    }

    #[test]
    fn likelier_actions_are_drawn_more_often() {
        let mut rng = Rng::new(1);
        let drawn = |rng: &mut Rng| draw(&[0.7, 0.2, 0.1], rng).unwrap();
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[drawn(&mut rng)] += 1);
        assert!((6800..7200).contains(&counts[0]) && (1800..2200).contains(&counts[1]), "{counts:?}");
        assert_eq!(draw(&[], &mut rng), None);
    }
}
