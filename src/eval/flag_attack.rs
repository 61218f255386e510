//! Flag attack: whether we can get at what may be the enemy's flag before it can stop us.

use super::params;
use super::paths::FARTHEST;
use super::race::{Fading, Scene, fading, lateness};
use crate::belief::RankProbabilities;
use crate::rules::{BySquare, Piece, PieceId, Position, Rank, RankSet, Side, Square, SquareSet};

/// What may be the enemy's flag, at the root.
#[derive(Clone, Debug)]
struct Target {
    id: PieceId,
    chance: f32,
    ring: Vec<Square>,
}

/// All that may be the enemy's flag.
#[derive(Clone, Debug)]
pub(super) struct FlagAttack {
    targets: Vec<Target>,
    miners: u64,
    table: Fading,
}

/// Who races at a node of the tree.
struct Racers {
    /// Our pieces that may strike.
    runners: SquareSet,
    /// Our miners.
    miners: SquareSet,
    /// The enemy's pieces that may stop them.
    stoppers: SquareSet,
}

impl FlagAttack {
    pub(super) fn new(position: &Position, us: Side, probabilities: &[RankProbabilities]) -> FlagAttack {
        let standing = |side| position.pieces(side).filter(|(_, piece)| piece.is_alive());
        let target = |(id, piece): (PieceId, &Piece)| {
            let chance = probabilities[id.number()][Rank::Flag];
            let ring = piece.square?.neighbours().collect();
            (chance >= params::likely_flag()).then_some(Target { id, chance, ring })
        };
        let miners = standing(us).filter(|(_, piece)| piece.ranks == RankSet::only(Rank::Miner));
        FlagAttack {
            targets: standing(us.enemy()).filter_map(target).collect(),
            miners: miners.fold(0, |set, (id, _)| set | 1 << id.number()),
            table: fading(params::attack_fade()),
        }
    }
}

impl FlagAttack {
    /// The points that our races for the enemy's flag are worth.
    pub(super) fn value(&self, scene: Scene<'_>) -> f32 {
        let open = |target: &&Target| {
            let piece = scene.position.piece(target.id);
            piece.is_alive() && piece.ranks.contains(Rank::Flag)
        };
        let targets = self.targets.iter().filter(open);
        let racers = Racers {
            runners: scene.map.strikers(),
            miners: scene.map.squares_of(self.miners),
            stoppers: scene.map.stoppers(),
        };
        // Many of these squares are beside several pieces.
        let mut known = BySquare::filled(None);
        let mut race = |gate: Square| *known[gate].get_or_insert_with(|| self.race(scene, &racers, gate));
        params::flag_won()
            * targets
                .map(|target| target.chance * target.ring.iter().map(|&gate| race(gate)).fold(0.0, f32::max))
                .sum::<f32>()
    }

    /// Our best race to a square beside what may be their flag.
    fn race(&self, scene: Scene<'_>, racers: &Racers, gate: Square) -> f32 {
        let (mut runners, mut inside) = (racers.runners, false);
        if let Some(id) = scene.position.piece_at(gate).filter(|id| id.side() != scene.us) {
            if scene.pieces.of(id.number()).probabilities[Rank::Bomb] >= params::likely_bomb() {
                runners = racers.miners;
            } else {
                inside = true;
            }
        }
        let steps = scene.distances.ours.nearest(gate, runners);
        if usize::from(steps) >= FARTHEST {
            return 0.0;
        }
        let near = if inside { 0 } else { scene.distances.theirs.nearest(gate, racers.stoppers) };
        self.table[usize::from(steps)][lateness(near, steps)]
    }
}
