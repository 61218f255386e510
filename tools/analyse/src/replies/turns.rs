//! The turns that are looked at.

use crate::reading::replay;
use crate::softmax::Choice;
use outflank::game_phase::phase;
use outflank::replies::features;
use outflank::rules::{Action, Side};
use outflank_record::{Record, Replay};

/// A turn of a player: what each of its actions was about, and which it chose.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What the actions were about, and which was chosen.
    pub choice: Choice,
    /// The place of that one.
    pub chosen: usize,
    /// Whether it is a strike.
    pub struck: bool,
    /// Early, in the middle or late: its [`phase`].
    pub phase: usize,
}

/// One in `every` turns of the players of a record about whom `wants` asks, if there was a choice.
///
/// # Errors
/// If the record cannot be played.
pub fn turns(record: &Record, every: u32, wants: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Turn>> {
    let mut turns = Vec::new();
    let Some(mut replay) = replay(record)? else { return Ok(turns) };
    while let Some(action) = replay.next_action() {
        let position = replay.view(Side::Red).position();
        let is_next = (u64::from(position.ply()) + record.game).is_multiple_of(u64::from(every));
        if is_next && wants(&record.players[position.to_move()].name) {
            turns.extend(turn(&replay, action));
        }
        replay.step()?;
    }
    Ok(turns)
}

/// The turn in which the side to move chooses this action; `None` if there is no other.
fn turn(replay: &Replay, chosen: Action) -> Option<Turn> {
    let side = replay.view(Side::Red).position().to_move();
    let (own, other) = (replay.view(side).position(), replay.view(side.enemy()));
    let belief = replay.player(side.enemy()).belief();
    let actions = own.actions();
    let mut turn = Turn {
        choice: Choice::default(),
        chosen: actions.iter().position(|action| *action == chosen)?,
        struck: own.is_strike(chosen),
        phase: phase(own.ply()),
    };
    for &action in &actions {
        let id = own.piece_at(action.from)?;
        let features = features(other, action, belief.probabilities(id)?);
        let share = f32::from(u8::from(action == chosen));
        turn.choice.push(share, features.into_iter().map(|(feature, holds)| (feature.index(), holds)));
    }
    (actions.len() > 1).then_some(turn)
}
