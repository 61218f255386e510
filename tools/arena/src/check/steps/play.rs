//! Whole games, from either side, against random actions.

use super::super::game::{go, one_of};
use super::super::host::Host;
use super::super::talk::{Step, Talk, fail};
use super::super::truth::Truth;
use super::tell;
use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side};

/// Plies after which a game is broken off.
const PLIES: u32 = 160;

pub(super) fn game(host: &mut Host) -> Step<String> {
    let mut rng = Rng::new(21);
    let isf = Ruleset::default();
    let silent = Ruleset { silent: true, ..Ruleset::of(Preset::Gravon) };
    let strict = Ruleset { twosquares: 1, aggressor: true, ..isf };
    let mut plies = 0;
    for (rules, side) in [(isf, Side::Red), (silent, Side::Blue), (strict, Side::Red)] {
        plies += one_game(host.fresh()?, Truth::random(rules, &mut rng), side, &mut rng)?;
    }
    Ok(format!("{plies} plies"))
}

fn one_game(talk: &mut Talk, mut truth: Truth, side: Side, rng: &mut Rng) -> Step<u32> {
    for line in truth.lines(side, false) {
        talk.tell(&line)?;
    }
    while truth.position.ending().is_none() && truth.position.ply() < PLIES {
        if truth.position.to_move() == side {
            tell::same_legal(talk, &truth.legal())?;
            let action = one_of(&go(talk, "go nodes 60")?, &truth.legal())?;
            truth.play(action);
        } else if let Some(action) = truth.any(rng) {
            truth.play(action);
        }
        match truth.shown_to(side).last() {
            Some(played) => talk.tell(&format!("play {played}"))?,
            None => return fail("this check lost a ply"),
        }
    }
    Ok(truth.position.ply())
}
