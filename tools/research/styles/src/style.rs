//! What a style may decide, and how an action is chosen by it.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::{Taste, draw};
use crate::tactics::{Candidate, Tactics, Weights};
use outflank::protocol::StandIn;
use outflank::rng::Rng;
use outflank::rules::{Action, Ruleset, Setup};
use outflank::view::View;

/// A way to play. What it leaves out is as in ordinary play.
pub trait Style {
    /// Its name, for the command line and the table.
    const NAME: &'static str;

    /// How it sees risks and chances.
    const WEIGHTS: Weights = Weights::ORDINARY;

    /// The kind of setup it draws.
    fn taste(rng: &mut Rng) -> Taste;

    /// Whether the style allows the action; if it allows none, it plays as if it allowed all.
    fn allows(_: &Tactics<'_>, _: &Candidate<'_>) -> bool {
        true
    }

    /// How much a piece of ours wants to come to strike at one of the enemy's; 1 in ordinary play.
    fn appetite(_: &Knowledge<'_>, _: &Ours, _: &Theirs) -> f32 {
        1.0
    }

    /// The points that the style's theme gives an action, beside those of ordinary play.
    fn theme(_: &Tactics<'_>, _: &Candidate<'_>) -> f32 {
        0.0
    }
}

/// Actions with so few points less than the best are drawn like it.
const NEAR: f32 = 0.3;

/// Chooses an action for the viewer, whose turn it is: one of `only`, unless that is empty. Of near-equal ones the
/// seed draws one.
pub fn choose<S: Style>(view: &View, only: &[Action], seed: u64) -> Option<Action> {
    let actions = if only.is_empty() { view.position().actions() } else { only.to_vec() };
    let knowledge = Knowledge::new(view);
    let tactics = Tactics::new(&knowledge, S::WEIGHTS, S::appetite);
    let candidates: Vec<Candidate<'_>> = actions.iter().filter_map(|action| tactics.weigh(*action)).collect();
    let allowed: Vec<&Candidate<'_>> = candidates.iter().filter(|one| S::allows(&tactics, one)).collect();
    let among = if allowed.is_empty() { candidates.iter().collect() } else { allowed };
    let scored: Vec<(Action, f32)> =
        among.into_iter().map(|one| (one.action, tactics.score(one) + S::theme(&tactics, one))).collect();
    let best = scored.iter().map(|(_, score)| *score).fold(f32::NEG_INFINITY, f32::max);
    let near: Vec<Action> =
        scored.iter().filter(|(_, score)| *score >= best - NEAR).map(|(action, _)| *action).collect();
    near.get(Rng::new(seed).below(near.len())).copied().or_else(|| actions.first().copied())
}

/// Draws a setup of the style's kind, another than the last one.
fn set_up<S: Style>(rules: &Ruleset, previous: Option<&Setup>, rng: &mut Rng) -> Setup {
    loop {
        let taste = S::taste(rng);
        let setup = draw(&taste, rules, rng);
        if previous != Some(&setup) {
            return setup;
        }
    }
}

/// The style as a player behind SEI 1.
pub const fn stand_in<S: Style>() -> StandIn {
    StandIn { name: S::NAME, action: choose::<S>, setup: set_up::<S> }
}
