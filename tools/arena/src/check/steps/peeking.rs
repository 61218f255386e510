//! What a player does not know must change nothing it says.
//!
//! In a game the host tells no hidden rank, so there is nothing to peek at. An engine hears both armies in three
//! places: in a study, in a position of both, and when the board is revealed at the end. There the hidden ranks are
//! exchanged in a way the player cannot tell from what it has seen; its answers must be the same, then and in
//! the games that follow.

use super::super::game::seed;
use super::super::host::Host;
use super::super::talk::{Step, Talk, Trouble};
use super::super::truth::Truth;
use super::same::{compare, thoughts};
use outflank::rng::Rng;
use outflank::rules::{Preset, Ruleset, Side, Viewer};

/// Games that are compared, and how long they are.
const GAMES: [(Side, u32); 4] = [(Side::Red, 0), (Side::Blue, 31), (Side::Red, 80), (Side::Blue, 121)];
/// Attempts to find a disguise.
const ATTEMPTS: usize = 100;

/// Where both armies are known.
type Telling = fn(&mut Talk, &Truth, Side) -> Step<Vec<String>>;

/// The places, and what is said when an engine peeks there.
const TELLINGS: [(Telling, &str); 3] = [
    (in_study, "in a study, told other hidden ranks, it says"),
    (in_position, "in a position of both armies, told other hidden ranks, it says"),
    (after_reveal, "in a game after the board was revealed, with other hidden ranks, it says"),
];

pub(super) fn peeking(host: &mut Host) -> Step<String> {
    let mut rng = Rng::new(51);
    let mut exchanged = 0;
    for (index, (viewer, plies)) in GAMES.into_iter().enumerate() {
        let silent = index % 2 == 1;
        let rules = Ruleset { silent, ..Ruleset::of([Preset::Isf, Preset::Gravon][index % 2]) };
        let (truth, other) = pair(rules, viewer, plies, &mut rng)?;
        for (telling, what) in TELLINGS {
            let first = hear(host, telling, &truth, viewer)?;
            let again = hear(host, telling, &truth, viewer)?;
            if compare(&first, &again, "").is_err() {
                let reason = "it answers the same words differently, so that nothing can be compared";
                return Err(Trouble::Skipped(reason.to_owned()));
            }
            compare(&first, &hear(host, telling, &other, viewer)?, what)?;
        }
        let cells = truth.setups[viewer.enemy()].0.iter().zip(&other.setups[viewer.enemy()].0);
        exchanged += cells.filter(|(one, two)| one != two).count();
    }
    Ok(format!("{exchanged} ranks exchanged in {} games", GAMES.len()))
}

/// A game and one that its viewer cannot tell from it.
fn pair(rules: Ruleset, viewer: Side, plies: u32, rng: &mut Rng) -> Step<(Truth, Truth)> {
    for _ in 0..ATTEMPTS {
        let mut truth = Truth::random(rules, rng);
        truth.wander(plies, rng);
        if truth.position.to_move() != viewer || truth.position.actions().is_empty() {
            continue;
        }
        if let Some(other) = truth.disguised(viewer, rng) {
            return Ok((truth, other));
        }
    }
    Err(Trouble::Skipped("this check found no other army that fits the game".to_owned()))
}

fn hear(host: &mut Host, telling: Telling, truth: &Truth, viewer: Side) -> Step<Vec<String>> {
    let talk = host.fresh()?;
    seed(talk, 7)?;
    telling(talk, truth, viewer)
}

/// A study of the game, then the game as its player sees it.
fn in_study(talk: &mut Talk, truth: &Truth, viewer: Side) -> Step<Vec<String>> {
    tell(talk, truth, viewer, true)?;
    let mut answers = thoughts(talk)?;
    answers.extend(afterwards(talk, truth, viewer)?);
    Ok(answers)
}

/// The position with both armies, then the game as its player sees it.
fn in_position(talk: &mut Talk, truth: &Truth, viewer: Side) -> Step<Vec<String>> {
    talk.tell(&format!("newgame\nposition {}", truth.spn(Viewer::Both)))?;
    let mut answers = thoughts(talk)?;
    answers.extend(afterwards(talk, truth, viewer)?);
    Ok(answers)
}

/// The game, its end with the board revealed, then the game again.
fn after_reveal(talk: &mut Talk, truth: &Truth, viewer: Side) -> Step<Vec<String>> {
    tell(talk, truth, viewer, false)?;
    // The engine's score of its belief depends on the truth, and may.
    talk.ask(&format!("gameover {viewer} reveal {}", truth.board()))?;
    afterwards(talk, truth, viewer)
}

fn afterwards(talk: &mut Talk, truth: &Truth, viewer: Side) -> Step<Vec<String>> {
    tell(talk, truth, viewer, false)?;
    thoughts(talk)
}

fn tell(talk: &mut Talk, truth: &Truth, viewer: Side, study: bool) -> Step {
    truth.lines(viewer, study).iter().try_for_each(|line| talk.tell(line))
}
