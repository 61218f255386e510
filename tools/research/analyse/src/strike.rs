//! Strikes, with what both players knew before.

use outflank::rules::{Outcome, PieceId, Rank, Side, Square, battle};
use outflank_record::points::points;
use outflank_record::{Replay, Visibility};

/// A piece that strikes or is struck, as it was before.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Fighter {
    /// Which piece.
    pub id: PieceId,
    /// Its true rank.
    pub rank: Rank,
    /// What the enemy could tell of it.
    pub seen: Visibility,
}

/// A strike.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Strike {
    /// The ply that it was, from 1.
    pub ply: u32,
    /// Where the struck piece stood.
    pub square: Square,
    /// Who struck.
    pub striker: Fighter,
    /// Who was struck.
    pub victim: Fighter,
    /// How it ended for the striker.
    pub outcome: Outcome,
}

impl Fighter {
    fn of(replay: &Replay, id: PieceId) -> anyhow::Result<Fighter> {
        let seen = replay.view(id.side().enemy()).position().piece(id);
        Ok(Fighter { id, rank: replay.truth(id)?, seen: Visibility::of(seen.ranks, seen.moved) })
    }
}

impl Strike {
    /// The strike that the next ply is; `None` if it is none.
    ///
    /// # Errors
    /// If a piece has no rank.
    pub fn coming(replay: &Replay) -> anyhow::Result<Option<Strike>> {
        let Some(action) = replay.next_action() else { return Ok(None) };
        let position = replay.view(Side::Red).position();
        let pieces = position.piece_at(action.from).zip(position.piece_at(action.to));
        let Some((striker, victim)) = pieces else { return Ok(None) };
        let (striker, victim) = (Fighter::of(replay, striker)?, Fighter::of(replay, victim)?);
        let outcome = battle(striker.rank, victim.rank, position.rules().strike_rules());
        Ok(Some(Strike { ply: replay.ply() + 1, square: action.to, striker, victim, outcome }))
    }

    /// The side that struck.
    pub const fn mover(&self) -> Side {
        self.striker.id.side()
    }

    /// The piece of `side` in it.
    pub fn fighter(&self, side: Side) -> Fighter {
        if self.mover() == side { self.striker } else { self.victim }
    }

    /// Whether the piece of `side` fell.
    pub fn fell(&self, side: Side) -> bool {
        match self.outcome {
            Outcome::Win => self.mover() != side,
            Outcome::Loss => self.mover() == side,
            Outcome::Tie => true,
        }
    }

    /// Whether this piece fell in it.
    pub fn felled(&self, id: PieceId) -> bool {
        self.fighter(id.side()).id == id && self.fell(id.side())
    }

    /// Points that `side` took in it.
    pub fn taken(&self, side: Side) -> u32 {
        if self.fell(side.enemy()) { points(self.fighter(side.enemy()).rank) } else { 0 }
    }

    /// Whether it takes the piece that had just taken something on the same square.
    pub fn retakes(&self, before: &Strike) -> bool {
        let won = self.outcome == Outcome::Win && before.outcome == Outcome::Win;
        won && before.ply + 1 == self.ply && before.square == self.square
    }
}
