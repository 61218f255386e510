//! Whether we can get at what may be the enemy's flag before it can stop us: the other side of [`super::siege`].

use super::Gauge;
use super::siege::{Fading, fading, lateness};
use crate::belief::Chances;
use crate::eval::ways::FARTHEST;
use crate::rules::{Piece, PieceId, Position, Rank, RankSet, Side, Square};

/// What a race won is worth, were the flag there for sure: 1500 lost a match, `docs/experiments.md`; the other constants are guesses
/// that were part of it.
const WON: f32 = 600.0;
/// Pieces less likely to be the flag are no target.
const LIKELY: f32 = 0.15;
/// An enemy piece that can move at least this likely may stop us.
const STOPS: f32 = 0.4;
/// A piece that is a bomb at least this likely is left to our miners.
const BOMB: f32 = 0.3;
/// What is left of a race with each step more.
const FADE: f32 = 0.9;

/// What may be the enemy's flag, at the root.
#[derive(Clone, Debug)]
struct Target {
    id: PieceId,
    chance: f32,
    ring: Vec<Square>,
}

/// All that may be the enemy's flag.
#[derive(Clone, Debug)]
pub(super) struct Storm {
    targets: Vec<Target>,
    miners: u64,
    table: Fading,
}

impl Storm {
    pub(super) fn new(position: &Position, us: Side, chances: &[Chances]) -> Storm {
        let standing = |side| position.pieces(side).filter(|(_, piece)| piece.is_alive());
        let target = |(id, piece): (PieceId, &Piece)| {
            let chance = chances[id.number()][Rank::Flag.index()];
            let ring = piece.square?.neighbours().collect();
            (chance >= LIKELY).then_some(Target { id, chance, ring })
        };
        let miners = standing(us).filter(|(_, piece)| piece.ranks == RankSet::only(Rank::Miner));
        Storm {
            targets: standing(us.enemy()).filter_map(target).collect(),
            miners: miners.fold(0, |set, (id, _)| set | 1 << id.number()),
            table: fading(FADE),
        }
    }
}

impl Gauge {
    /// What our races for the enemy's flag are worth.
    pub(crate) fn storm(&self, position: &Position) -> f32 {
        let open = |target: &&Target| {
            let piece = position.piece(target.id);
            piece.is_alive() && piece.ranks.contains(Rank::Flag)
        };
        let targets = self.storm.targets.iter().filter(open);
        WON * targets
            .map(|target| {
                let best = target.ring.iter().map(|&gate| self.race(position, gate));
                target.chance * best.fold(0.0, f32::max)
            })
            .sum::<f32>()
    }

    /// Our best race to a square beside what may be their flag.
    fn race(&self, position: &Position, gate: Square) -> f32 {
        let (mut runners, mut inside) = (self.rows.strikers(), false);
        if let Some(id) = position.piece_at(gate).filter(|id| id.side() != self.us) {
            let row = self.row_of(id);
            if row.chances[Rank::Bomb.index()] >= BOMB {
                runners = self.storm.miners;
            } else {
                inside = true;
            }
        }
        let steps = self.field.nearest(runners, gate, &self.ways.ours);
        if usize::from(steps) >= FARTHEST {
            return 0.0;
        }
        let mut near = if inside { 0 } else { FARTHEST as u8 };
        let movers = self.rows.movers();
        self.field.each_mover(|number, from| {
            if movers[number] >= STOPS {
                near = near.min(self.ways.theirs[gate][from]);
            }
        });
        self.storm.table[usize::from(steps)][lateness(near, steps)]
    }
}
