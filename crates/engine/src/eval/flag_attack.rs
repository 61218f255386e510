//! Flag attack: whether we can get at what may be the enemy's flag before it can stop us.

use super::params;
use super::paths::{FARTHEST, PathDistances};
use super::piece::{KINDS, kind};
use super::race::{Attacker, Attackers, Fading, Scene, fading, farthest_that_matters, lateness};
use crate::belief::RankProbabilities;
use crate::rules::{
    ByNumber, BySquare, Piece, PieceId, PieceSet, Position, Rank, RankSet, Side, Square, SquareSet,
};

/// What may be the enemy's flag, at the root.
#[derive(Clone, Debug)]
struct Target {
    id: PieceId,
    chance: f32,
    ring: Vec<Square>,
    /// The squares that are not far from any of these for us.
    zone: SquareSet,
}

/// All that may be the enemy's flag.
#[derive(Clone, Debug)]
pub(super) struct FlagAttack {
    targets: Vec<Target>,
    /// Our miners.
    miners: PieceSet,
    /// Our pieces that may strike, by kind.
    runners: [PieceSet; KINDS],
    table: Fading,
}

/// Who races at a node of the tree.
struct Racers {
    /// Our pieces that may strike, by kind.
    runners: [SquareSet; KINDS],
    /// Our miners.
    miners: SquareSet,
}

/// A square beside what may be their flag.
#[derive(Copy, Clone)]
struct Gate {
    square: Square,
    /// Who of ours gets through, by kind: what may be a bomb is left to miners.
    runners: [SquareSet; KINDS],
    /// Whether a piece of theirs stands there that may stop each kind.
    inside: [bool; KINDS],
}

impl Gate {
    /// Steps there for the nearest of the enemy's that may stop a kind, the second and the third, as far as that
    /// matters for these runners of ours.
    fn near(&self, scene: Scene<'_>, kind: usize, runners: SquareSet) -> [u8; 3] {
        let steps = &scene.distances.ours[self.square];
        let Some(most) =
            (runners & self.runners[kind]).into_iter().map(|from| farthest_that_matters(steps[from])).max()
        else {
            return [FARTHEST as u8; 3];
        };
        let near = scene.distances.theirs.nearest_three(self.square, scene.map.stoppers(kind), most);
        if self.inside[kind] && near[0] > 0 { [0, near[0], near[1]] } else { near }
    }
}

impl FlagAttack {
    pub(super) fn new(
        position: &Position,
        us: Side,
        probabilities: &ByNumber<RankProbabilities>,
        distances: &PathDistances,
    ) -> FlagAttack {
        let standing = |side| position.pieces(side).filter(|(_, piece)| piece.is_alive());
        let target = |(id, piece): (PieceId, &Piece)| {
            let chance = probabilities[id][Rank::Flag];
            let ring: Vec<_> = piece.square?.neighbours().collect();
            let near =
                |&from: &Square| ring.iter().any(|&gate| distances.ours[gate][from] <= params::far_attack());
            let zone = Square::all().filter(near).collect();
            (chance >= params::likely_flag()).then_some(Target { id, chance, ring, zone })
        };
        let mut runners = [PieceSet::EMPTY; KINDS];
        let movers = standing(us).filter_map(|(id, piece)| Some((id, piece.ranks.single()?)));
        for (id, rank) in movers.filter(|(_, rank)| rank.is_mobile()) {
            runners[kind(rank)] |= PieceSet::only(id.into());
        }
        let miners = standing(us).filter(|(_, piece)| piece.ranks == RankSet::only(Rank::Miner));
        FlagAttack {
            targets: standing(us.enemy()).filter_map(target).collect(),
            miners: miners.map(|(id, _)| id).collect(),
            runners,
            table: fading(params::attack_fade()),
        }
    }

    /// The points that our races for the enemy's flag are worth.
    pub(super) fn value(&self, scene: Scene<'_>) -> f32 {
        if self.targets.is_empty() {
            return 0.0;
        }
        let open = |target: &&Target| {
            let piece = scene.position.piece(target.id);
            piece.is_alive() && piece.ranks.contains(Rank::Flag)
        };
        let racers = Racers {
            runners: self.runners.map(|numbers| scene.map.squares_of(numbers)),
            miners: scene.map.squares_of(self.miners),
        };
        let all = racers.runners.into_iter().fold(SquareSet::EMPTY, |all, runners| all | runners);
        // Many of these squares are beside several pieces.
        let mut known = BySquare::filled(f32::NAN);
        let mut alone = |square: Square| {
            if known[square].is_nan() {
                known[square] = self.alone(scene, &gate(scene, &racers, square));
            }
            known[square]
        };
        let mut value = |target: &Target| {
            let best = target.ring.iter().map(|&square| alone(square)).fold(0.0, f32::max);
            let several = (all & target.zone).len() > 1;
            if several { best.max(self.together(scene, &racers, target)) } else { best }
        };
        params::flag_won()
            * self.targets.iter().filter(open).map(|target| target.chance * value(target)).sum::<f32>()
    }

    /// How likely the nearest of ours wins the race to a square, were it alone.
    fn alone(&self, scene: Scene<'_>, gate: &Gate) -> f32 {
        let mut best = 0.0;
        for kind in 0..KINDS {
            let steps = scene.distances.ours.nearest(gate.square, gate.runners[kind], FARTHEST);
            let row = &self.table[usize::from(steps)];
            // Even if nobody can stop it.
            if usize::from(steps) >= FARTHEST || row[row.len() - 1] <= best {
                continue;
            }
            let stoppers = || {
                scene.distances.theirs.nearest(
                    gate.square,
                    scene.map.stoppers(kind),
                    farthest_that_matters(steps),
                )
            };
            let near = if gate.inside[kind] { 0 } else { stoppers() };
            best = f32::max(best, row[lateness(near, steps)]);
        }
        best
    }

    /// How likely one of ours near it gets at a flag when all go for it: defenders cannot meet them all.
    fn together(&self, scene: Scene<'_>, racers: &Racers, target: &Target) -> f32 {
        let mut gates = [None; 4];
        for (place, &square) in gates.iter_mut().zip(&target.ring) {
            *place = Some(gate(scene, racers, square));
        }
        let mut attackers = Attackers::default();
        for (kind, &runners) in racers.runners.iter().enumerate() {
            let runners = runners & target.zone;
            if runners.is_empty() {
                continue;
            }
            let near =
                gates.map(|gate| gate.map_or([FARTHEST as u8; 3], |gate| gate.near(scene, kind, runners)));
            for from in runners {
                let race = |(gate, near): (Gate, [u8; 3])| {
                    let steps = scene.distances.ours[gate.square][from];
                    let row = &self.table[usize::from(steps).min(FARTHEST)];
                    Attacker {
                        coming: row[row.len() - 1],
                        dangers: near.map(|near| row[lateness(near, steps)]),
                    }
                };
                let ways = gates.into_iter().zip(near).filter_map(|(gate, near)| Some((gate?, near)));
                let ways = ways.filter(|(gate, _)| gate.runners[kind].contains(from)).map(race);
                attackers.add(ways.fold(Attacker::default(), Attacker::or));
            }
        }
        attackers.danger()
    }
}

/// What a square beside what may be their flag is like at a node.
fn gate(scene: Scene<'_>, racers: &Racers, square: Square) -> Gate {
    let mut gate = Gate { square, runners: racers.runners, inside: [false; KINDS] };
    if let Some(id) = scene.position.piece_at(square).filter(|id| id.side() != scene.us) {
        let evaluation = scene.pieces.of(id.into());
        if evaluation.enemy.probabilities[Rank::Bomb] >= params::likely_bomb() {
            gate.runners = [racers.miners, SquareSet::EMPTY, SquareSet::EMPTY];
        } else {
            gate.inside = evaluation.stops;
        }
    }
    gate
}
