//! What the policy says of turns of recorded games.

use crate::reading::replay;
use crate::softmax::Choice;
use outflank::math;
use outflank::policy::linear::features;
use outflank::rules::Side;
use outflank_record::{Record, Replay};

/// What the policy would choose in one of `every` turns of the players of a record about whom `wants` asks; none under
/// rules that it was not trained under.
///
/// # Errors
/// If the record cannot be played.
pub fn choices(record: &Record, every: u32, wants: impl Fn(&str) -> bool) -> anyhow::Result<Vec<Choice>> {
    let mut choices = Vec::new();
    let Some(mut replay) = replay(record)? else { return Ok(choices) };
    while replay.next_action().is_some() {
        let position = replay.view(Side::Red).position();
        let is_next = (u64::from(position.ply()) + record.game).is_multiple_of(u64::from(every));
        if is_next && wants(&record.players[position.to_move()].name) {
            choices.extend(choice(&replay));
        }
        replay.step()?;
    }
    Ok(choices)
}

/// What the policy would choose for the side to move; `None` if there is no choice.
fn choice(replay: &Replay) -> Option<Choice> {
    let player = replay.player(replay.view(Side::Red).position().to_move());
    let (policy, belief) = (player.policy(), player.belief());
    let mut choice = Choice::default();
    for said in &policy {
        let features = features(player.view(), &belief, said.action);
        choice.push(math::exp(said.logarithm), features.into_iter().map(|feature| (feature.index(), 1.0)));
    }
    (choice.len() > 1).then_some(choice)
}
