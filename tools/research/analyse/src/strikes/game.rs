//! One game, replayed.

use super::blind::BlindStrike;
use super::dangers::{Dangers, Moment};
use crate::reading::replay;
use crate::strike::Strike;
use outflank::belief::Likelihood;
use outflank::rules::{BySide, Side};
use outflank_record::{Record, Replay};

/// What to look at.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the belief weighs.
    pub likelihoods: Vec<Likelihood>,
    /// Nodes of the search before which players think about the enemy's moves; too few, and they do not.
    pub inference_nodes: u64,
}

/// What one player's strikes brought, and the dangers that it faced.
#[derive(Clone, Debug, Default)]
pub struct Faced {
    /// Its strikes at hidden pieces that had never moved.
    pub blind: Vec<BlindStrike>,
    /// What it could believe of dangers.
    pub dangers: Dangers,
}

impl Faced {
    /// Replays a game as each of those players saw it about whom `wanted` asks.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn of(
        record: &Record,
        plan: &Plan,
        wanted: impl Fn(&str) -> bool,
    ) -> anyhow::Result<BySide<Option<Faced>>> {
        let mut players = BySide::from_fn(|side| wanted(&record.players[side].name).then(Faced::default));
        let Some(mut replay) = replay(record)? else { return Ok(players) };
        loop {
            if replay.is_running() {
                for (side, player) in players.iter_mut() {
                    if let Some(player) = player {
                        player.look_ahead(&replay, side, &plan.likelihoods)?;
                    }
                }
            }
            let Some(mover) = replay.step()? else { return Ok(players) };
            if plan.inference_nodes > 0 && replay.is_running() {
                replay.infer(mover.enemy(), plan.inference_nodes, record.game);
            }
            if let Some(player) = players[mover.enemy()].as_mut().filter(|_| replay.is_running()) {
                let moment = Moment::new(&replay, mover, &plan.likelihoods);
                moment.note_chaser(&mut player.dangers);
                moment.note_miner(&mut player.dangers);
            }
        }
    }

    /// Notes what the next ply is for `side`.
    fn look_ahead(&mut self, replay: &Replay, side: Side, likelihoods: &[Likelihood]) -> anyhow::Result<()> {
        let strike = Strike::coming(replay)?;
        self.blind.extend(strike.and_then(|strike| BlindStrike::of(&strike, side)));
        let moment = Moment::new(replay, side.enemy(), likelihoods);
        moment.note_guards(&mut self.dangers);
        moment.note_target(&mut self.dangers);
        Ok(())
    }
}
