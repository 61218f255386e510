//! One game, replayed.

use crate::reading::replay;
use crate::strike::Strike;
use outflank::rules::{BySide, PieceId, Rank, Side};
use outflank_record::points::points;
use outflank_record::{EndReason, Record, Replay, verify};
use std::collections::BTreeMap;

/// The leads that are looked at, in percent of the points with which the side began.
pub const LEADS: [u32; 3] = [10, 20, 30];

/// What became of a piece, but for strikes.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Story {
    /// Its true rank.
    pub rank: Rank,
    /// The ply with which the enemy first knew it.
    pub revealed: Option<u32>,
    /// The last ply in which it moved or struck.
    pub acted: Option<u32>,
}

/// A game as the report looks at it.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who won.
    pub winner: Option<Side>,
    /// The reason of the ending.
    pub reason: EndReason,
    /// Plies made.
    pub plies: u32,
    /// Its strikes, in order.
    pub strikes: Vec<Strike>,
    /// The pieces of both sides.
    pub pieces: BTreeMap<PieceId, Story>,
    /// The ply with which each side first had each of [`LEADS`].
    pub leads: BySide<[Option<u32>; LEADS.len()]>,
    /// What each ply's player expected to score with it, in thousandths; `None` where it did not say.
    pub expected: Vec<Option<u16>>,
}

impl Game {
    /// Replays a record.
    ///
    /// # Errors
    /// If the game cannot have gone as recorded.
    pub fn of(record: &Record) -> anyhow::Result<Game> {
        verify(record)?;
        let mut game = Game {
            winner: record.outcome.side()?,
            reason: record.outcome.reason,
            plies: record.plies,
            strikes: Vec::new(),
            pieces: BTreeMap::new(),
            leads: BySide::default(),
            expected: (0..record.candidates.len()).map(|ply| record.expected(ply)).collect(),
        };
        if let Some(mut replay) = replay(record)? {
            game.follow(&mut replay)?;
        }
        Ok(game)
    }

    fn follow(&mut self, replay: &mut Replay) -> anyhow::Result<()> {
        let start = BySide::from_fn(|side| material(replay, side));
        self.look(replay);
        loop {
            let strike = Strike::coming(replay)?;
            let actor = actor(replay);
            if replay.step()?.is_none() {
                return Ok(());
            }
            if let Some(story) = actor.and_then(|id| self.pieces.get_mut(&id)) {
                story.acted = Some(replay.ply());
            }
            self.strikes.extend(strike);
            self.look(replay);
            self.note_leads(replay, start);
        }
    }

    /// Notes which ranks have become known.
    fn look(&mut self, replay: &Replay) {
        for side in Side::BOTH {
            let seen = replay.view(side.enemy()).position();
            for (id, piece) in replay.view(side).position().pieces(side) {
                let Some(rank) = piece.ranks.single() else { continue };
                let story = self.pieces.entry(id).or_insert(Story { rank, revealed: None, acted: None });
                let known = seen.piece(id).ranks.single().is_some();
                story.revealed = story.revealed.or_else(|| known.then_some(replay.ply()));
            }
        }
    }

    fn note_leads(&mut self, replay: &Replay, start: BySide<u32>) {
        let now = BySide::from_fn(|side| material(replay, side));
        for (side, leads) in self.leads.iter_mut() {
            let ahead = now[side].saturating_sub(now[side.enemy()]);
            for (percent, lead) in LEADS.into_iter().zip(leads) {
                if lead.is_none() && ahead > 0 && 100 * ahead >= percent * start[side] {
                    *lead = Some(replay.ply());
                }
            }
        }
    }

    /// The strike in which a piece fell.
    pub fn fall(&self, id: PieceId) -> Option<&Strike> {
        self.strikes.iter().find(|strike| strike.felled(id))
    }
}

/// Points of the living pieces of `side`.
fn material(replay: &Replay, side: Side) -> u32 {
    let pieces = replay.view(side).position().pieces(side).filter(|(_, piece)| piece.is_alive());
    pieces.filter_map(|(_, piece)| piece.ranks.single()).map(points).sum()
}

/// The piece that makes the next ply.
fn actor(replay: &Replay) -> Option<PieceId> {
    let action = replay.next_action()?;
    replay.view(Side::Red).position().piece_at(action.from)
}
