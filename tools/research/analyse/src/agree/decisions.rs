//! Decisions of recorded players to strike or not, and what the engine would have done.
//!
//! Matches say little about a single number unless there are thousands of games. Each turn of a strong player says
//! something: it could strike, and did or did not. Numbers under which the engine's two scores, of the best strike and
//! of the best move, foretell these decisions better are worth a match.

use super::agreement::Decision;
use crate::reading::replay;
use outflank::engine::{Control, Request, Stopwatch};
use outflank::rng::Rng;
use outflank::rules::{Action, BySide, Position, Rank, Side};
use outflank::search::{Budget, Score};
use outflank_record::{Record, Replay, Visibility};
use std::sync::atomic::AtomicBool;

/// How decisions are looked at.
#[derive(Copy, Clone, Debug)]
pub struct Look {
    /// Nodes of each of the two searches.
    pub nodes: u64,
    /// The share of the turns without a strike that are looked at; turns with one all are.
    pub share: f32,
    /// Seeds the choice of turns.
    pub seed: u64,
}

/// The decisions of the players of a record about whom `wanted` asks.
///
/// # Errors
/// If the record cannot be played.
pub fn of(record: &Record, look: Look, wanted: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Decision>> {
    let mut decisions = Vec::new();
    let mut rng = Rng::stream(look.seed, record.game);
    let wanted = BySide::from_fn(|side| wanted(&record.players[side].name));
    let Some(mut replay) = replay(record)? else { return Ok(decisions) };
    while let Some(action) = replay.next_action() {
        let position = replay.view(Side::Red).position();
        let struck = position.is_strike(action);
        // The coin is tossed for every quiet turn, so that the same ones are looked at whoever is asked about.
        if (struck || rng.unit() < look.share) && wanted[position.to_move()] {
            decisions.extend(decision(&replay, struck, look));
        }
        replay.step()?;
    }
    Ok(decisions)
}

/// The decision that the side to move has made; `None` if it had no choice, or a search came to no end.
fn decision(replay: &Replay, struck: bool, look: Look) -> Option<Decision> {
    let side = replay.view(Side::Red).position().to_move();
    let position = replay.view(side).position();
    let (attacks, moves): (Vec<Action>, Vec<Action>) =
        position.actions().into_iter().partition(|action| position.is_strike(*action));
    if attacks.is_empty() || moves.is_empty() {
        return None;
    }
    let (best, strike) = search(replay, side, attacks, look.nodes)?;
    let (_, quiet) = search(replay, side, moves, look.nodes)?;
    let (striker, target) = fighters(position, best)?;
    let weight = if struck { 1.0 } else { 1.0 / f64::from(look.share) };
    Some(Decision { striker, target, strike, quiet, struck, weight })
}

/// The best of these actions and what it is expected to score, in thousandths.
fn search(replay: &Replay, side: Side, only: Vec<Action>, nodes: u64) -> Option<(Action, f64)> {
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let request = Request { budget: Budget { nodes: Some(nodes), ..Budget::default() }, only };
    let choice = replay.player(side).search(&request, Control::new(clock, stop), &mut |_| ());
    let Score { win, draw, .. } = choice.score?;
    Some((choice.action?, f64::from(win) + f64::from(draw) / 2.0))
}

fn fighters(position: &Position, strike: Action) -> Option<(Rank, Visibility)> {
    let piece = |square| Some(position.piece(position.piece_at(square)?));
    let (striker, victim) = (piece(strike.from)?, piece(strike.to)?);
    Some((striker.ranks.single()?, Visibility::of(victim.ranks, victim.moved)))
}
