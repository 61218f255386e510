//! An engine that is asked the same questions twice answers alike.

use super::super::game::{RED, seed};
use super::super::host::Host;
use super::super::plain::timeless;
use super::super::talk::{Step, Talk, fail, shown};
use super::super::truth::Truth;
use outflank::rng::Rng;
use outflank::rules::{Ruleset, Side};

pub(super) fn determinism(host: &mut Host) -> Step<String> {
    let first = answers(host.fresh()?)?;
    let second = answers(host.fresh()?)?;
    compare(&first, &second, "with equal seeds and nodes it says")?;
    Ok(format!("{} equal lines", first.len()))
}

/// A game's questions, the same ones every time.
fn answers(talk: &mut Talk) -> Step<Vec<String>> {
    seed(talk, 99)?;
    talk.say("go setup")?;
    let mut found: Vec<String> = talk.until("bestsetup")?.into_iter().map(|answer| answer.text).collect();
    let mut rng = Rng::new(41);
    let mut truth = Truth::random(Ruleset::default(), &mut rng);
    truth.setups[Side::Red] =
        RED.parse().or_else(|error| fail(format!("this check's own setup: {error}")))?;
    truth = Truth::new(Ruleset::default(), truth.setups);
    for plies in [0, 2, 12, 40, 80] {
        truth.wander(plies, &mut rng);
        if truth.position.to_move() == Side::Blue {
            truth.wander(truth.position.ply() + 1, &mut rng);
        }
        for line in truth.lines(Side::Red, false) {
            talk.tell(&line)?;
        }
        found.extend(thoughts(talk)?);
    }
    Ok(found)
}

/// What an engine makes of the game it is in, without times. Unknown questions are answered too: by an error.
pub(super) fn thoughts(talk: &mut Talk) -> Step<Vec<String>> {
    let mut answers = talk.ask("legal\nbelief\nbelief ours\nbelief dead\nbelief sample 2\neval")?;
    talk.say("go nodes 300")?;
    answers.extend(talk.until("bestmove")?.into_iter().map(|answer| timeless(&answer.text)));
    Ok(answers)
}

/// Fails at the first line that differs.
pub(super) fn compare(first: &[String], second: &[String], what: &str) -> Step {
    match first.iter().zip(second).find(|(one, two)| one != two) {
        Some((one, two)) => fail(format!("{what} first \"{}\", then \"{}\"", shown(one), shown(two))),
        None if first.len() == second.len() => Ok(()),
        None => fail(format!("{what} first {} lines, then {}", first.len(), second.len())),
    }
}
