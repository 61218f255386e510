//! What the search expects the enemy to answer, beside what it answered.

use crate::reading::replay;
use outflank::engine::{Control, Request, Stopwatch};
use outflank::rules::{Action, Side};
use outflank::search::Budget;
use outflank_record::{Record, Replay};
use std::sync::atomic::AtomicBool;

/// Searches are made in one of so many turns that could be looked at: a prime, so that they meet no rhythm of play.
const RARELY: u32 = 23;

/// Turns of which the search was asked what follows, and those of which it was right.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Turns that had an answer.
    pub asked: usize,
    /// Those in which it was the one expected.
    pub right: usize,
}

/// Compares what players answered, about whom `wants` asks, with what a search to this depth expects after the same
/// action.
///
/// # Errors
/// If the record cannot be played.
pub fn expected(record: &Record, depth: u32, wants: impl Fn(&str) -> bool) -> anyhow::Result<Expected> {
    let mut found = Expected::default();
    let Some(mut replay) = replay(record)? else { return Ok(found) };
    while let Some(action) = replay.next_action() {
        let position = replay.view(Side::Red).position();
        let (ply, side) = (position.ply(), position.to_move());
        let is_asked = ply % RARELY == 7 && wants(&record.players[side.enemy()].name);
        let answer = is_asked.then(|| answer(&replay, side, action, depth));
        replay.step()?;
        if let (Some(expected), Some(answered)) = (answer, replay.next_action()) {
            found.asked += 1;
            found.right += usize::from(expected == Some(answered));
        }
    }
    Ok(found)
}

/// What the player of `side` expects after this action of its own; `None` if it expects the enemy to play elsewhere.
fn answer(replay: &Replay, side: Side, action: Action, depth: u32) -> Option<Action> {
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let budget = Budget { depth: Some(depth), ..Budget::default() };
    let request = Request { budget, only: vec![action] };
    let choice = replay.player(side).search(&request, Control::new(clock, stop), &mut |_| ());
    choice.answer.map(|step| step.action)
}
