//! Flag defence: who may get at our flag, and whether we can be there in time.
//!
//! Four of five games that a flag decided were decided by a miner that took the bomb beside it, mostly with pieces of
//! the loser's near enough to have stopped it (`docs/log/flags.md`). A race is seen here long before the search
//! sees its end.

use super::mass;
use super::params;
use super::paths::{FARTHEST, PathDistances};
use super::piece::{KINDS, MIDDLE, STRONG};
use super::race::{Attacker, Attackers, Fading, Scene, fading, farthest_that_matters, lateness};
use crate::rules::{
    ByRank, BySquare, Outcome, PieceNumber, PieceSet, Position, Rank, RankSet, Side, Square, SquareSet,
    StrikeRules, battle,
};

/// A square beside our flag, at the root.
#[derive(Copy, Clone, Debug)]
struct RingSquare {
    square: Square,
    /// See [`outer_bombs`].
    outer_bombs: SquareSet,
}

/// Our flag's surroundings, at the root.
#[derive(Clone, Debug, Default)]
pub(super) struct FlagDefence {
    /// The squares beside our flag.
    ring: Vec<RingSquare>,
    /// The squares that are not far from any of these for the enemy.
    zone: SquareSet,
    /// Our pieces that can stop attackers of each kind, see [`STOPPERS`].
    defenders: [PieceSet; KINDS],
    /// Our pieces of each rank.
    by_rank: ByRank<PieceSet>,
    /// What a lost race costs, as far as the enemy knows where to go.
    cost: f32,
    /// Danger by the enemy's steps to the ring and by how late we come.
    table: Fading,
}

impl FlagDefence {
    /// `aware` is how likely the enemy takes our flag for it.
    pub(super) fn new(position: &Position, us: Side, aware: f32, distances: &PathDistances) -> FlagDefence {
        let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
        let Some(square) = flag.and_then(|(_, piece)| piece.square) else {
            return FlagDefence::default();
        };
        let mut by_rank = ByRank::filled(PieceSet::EMPTY);
        for (id, piece) in position.pieces(us) {
            if let Some(rank) = piece.ranks.single() {
                by_rank[rank] |= PieceSet::only(id.into());
            }
        }
        let of = |ranks: RankSet| ranks.iter().fold(PieceSet::EMPTY, |set, rank| set | by_rank[rank]);
        let at_least = |least| RankSet::MOBILE.iter().filter(|rank| *rank >= least).collect();
        let defenders = STOPPERS.map(|least| of(at_least(least)));
        let walls = distances.ours.walls();
        let beside = |square| RingSquare { square, outer_bombs: outer_bombs(square, walls) };
        let ring: Vec<_> = square.neighbours().map(beside).collect();
        let near =
            |&from: &Square| ring.iter().any(|gate| distances.theirs[gate.square][from] <= params::far());
        FlagDefence {
            zone: Square::all().filter(near).collect(),
            ring,
            defenders,
            by_rank,
            cost: params::flag_lost() * (params::flag_unknown() + (1.0 - params::flag_unknown()) * aware),
            table: fading(params::defence_fade()),
        }
    }
}

/// The bombs beside a square beside our flag, if it lies behind bombs alone; else none. No defender gets there before
/// the enemy has taken one of them, so where these stand is where it has to be.
fn outer_bombs(gate: Square, walls: SquareSet) -> SquareSet {
    let beside = SquareSet::only(gate).neighbours();
    if (beside - walls).is_empty() { beside } else { SquareSet::EMPTY }
}

/// The least rank of ours that counts as stopping attackers of each kind. It does not stop all: a miner falls to a
/// lieutenant.
const STOPPERS: [Rank; KINDS] = [Rank::Miner, Rank::Captain, Rank::Colonel];

/// A square beside our flag.
#[derive(Copy, Clone)]
struct Gate<'a> {
    beside: &'a RingSquare,
    /// A bomb of ours stands there: only a miner gets through.
    closed: bool,
    /// Steps there for our nearest defenders against each kind of attackers, as far as they matter; none where one
    /// stands.
    near: [[u8; 3]; KINDS],
    /// Steps there for the enemy, by where it comes from.
    steps: &'a BySquare<u8>,
}

/// An enemy piece near our flag.
#[derive(Copy, Clone)]
struct NearbyEnemy {
    from: Square,
    /// How likely it is a miner.
    miner: f32,
    /// How likely it is a mover of each kind.
    kinds: [f32; KINDS],
    /// Its rank, if it is known.
    rank: Option<Rank>,
}

impl FlagDefence {
    /// The points that races for our flag cost us.
    pub(super) fn cost(&self, scene: Scene<'_>) -> f32 {
        let near = scene.position.occupied(scene.us.enemy()) & self.zone;
        if near.is_empty() {
            return 0.0;
        }
        let closed = |square| FlagDefence::guard(scene, square) == Some(Rank::Bomb);
        let all_closed = self.ring.iter().all(|gate| closed(gate.square));
        let nearby = FlagDefence::nearby(scene, near, all_closed);
        if nearby.is_empty() {
            return 0.0;
        }
        let defenders = self.defenders.map(|numbers| scene.map.squares_of(numbers));
        let mut gates = [None; 4];
        for (place, beside) in gates.iter_mut().zip(&self.ring) {
            *place = Some(FlagDefence::gate(scene, defenders, beside, &nearby));
        }
        let mut attackers = Attackers::default();
        for enemy in nearby {
            let race = |gate| self.attacker(scene, gate, &enemy);
            attackers.add(gates.iter().flatten().map(race).fold(Attacker::default(), Attacker::or));
        }
        self.cost * attackers.danger()
    }

    /// The race of an enemy piece to one square beside our flag.
    fn attacker(&self, scene: Scene<'_>, gate: &Gate<'_>, enemy: &NearbyEnemy) -> Attacker {
        let chances = if gate.closed { [enemy.miner, 0.0, 0.0] } else { enemy.kinds };
        let by_kind = self.race(gate, enemy.from, chances, &gate.near);
        let Some(rank) = enemy.rank.filter(|_| params::stopped_exactly() > 0.0) else { return by_kind };
        let exact = self.race_with(scene, gate, enemy.from, rank, chances);
        by_kind.mixed_with(exact, params::stopped_exactly())
    }

    /// Who of these enemy pieces may be dangerous, in the order of their numbers.
    fn nearby(scene: Scene<'_>, near: SquareSet, all_closed: bool) -> Vec<NearbyEnemy> {
        let (miners, movers) = (scene.pieces.miners(), scene.pieces.movers());
        let near = near.into_iter().filter_map(|square| scene.position.piece_at(square)).collect();
        let mut nearby = Vec::new();
        scene.map.each_mover(near, |number, from| {
            let (miner, mover) = (miners[number], movers[number]);
            if miner < params::unlikely() && (all_closed || mover < params::unlikely()) {
                return;
            }
            let kinds = if all_closed { [0.0; KINDS] } else { kinds(scene, number, mover) };
            let known = scene.position.piece_at(from).map(|id| scene.position.piece(id).ranks);
            nearby.push(NearbyEnemy { from, miner, kinds, rank: known.and_then(RankSet::single) });
        });
        nearby
    }

    /// The rank of our piece at a square, if one stands there.
    fn guard(scene: Scene<'_>, square: Square) -> Option<Rank> {
        let ours = scene.position.piece_at(square).filter(|id| id.side() == scene.us);
        ours.and_then(|id| scene.position.piece(id).ranks.single())
    }

    /// The race of an attacker from a square to one beside our flag, through which it gets with these chances, by kind.
    fn race(
        &self,
        gate: &Gate<'_>,
        from: Square,
        chances: [f32; KINDS],
        near: &[[u8; 3]; KINDS],
    ) -> Attacker {
        let steps = gate.steps[from];
        let row = &self.table[usize::from(steps).min(FARTHEST)];
        let mut attacker =
            Attacker { coming: chances.iter().sum::<f32>() * row[row.len() - 1], dangers: [0.0; 3] };
        for (chance, near) in chances.into_iter().zip(near).filter(|(chance, _)| *chance > 0.0) {
            for (danger, &near) in attacker.dangers.iter_mut().zip(near) {
                *danger += chance * row[lateness(near, steps)];
            }
        }
        attacker
    }

    /// The race of an attacker of known rank: only what beats it stops it, and a tie counts half, also where whoever
    /// strikes wins it: it may be the attacker.
    fn race_with(
        &self,
        scene: Scene<'_>,
        gate: &Gate<'_>,
        from: Square,
        rank: Rank,
        chances: [f32; KINDS],
    ) -> Attacker {
        let ours = |outcome: Outcome| {
            let able = RankSet::MOBILE.iter().filter(|&own| battle(own, rank, StrikeRules::USUAL) == outcome);
            able.fold(PieceSet::EMPTY, |set, own| set | self.by_rank[own])
        };
        let beats = ours(Outcome::Win);
        let most = farthest_that_matters(gate.steps[from]);
        let [sure, at_best] = [beats, beats | ours(Outcome::Tie)].map(|numbers| {
            let near = gate.beside.nearest(scene, scene.map.squares_of(numbers), most);
            self.race(gate, from, chances, &[near; KINDS])
        });
        sure.mixed_with(at_best, 0.5)
    }

    fn gate<'a>(
        scene: Scene<'a>,
        defenders: [SquareSet; KINDS],
        beside: &'a RingSquare,
        nearby: &[NearbyEnemy],
    ) -> Gate<'a> {
        let square = beside.square;
        let steps = &scene.distances.theirs[square];
        let most = nearby.iter().map(|enemy| farthest_that_matters(steps[enemy.from])).max().unwrap_or(0);
        let nearest = |defenders| beside.nearest(scene, defenders, most);
        let guard = FlagDefence::guard(scene, square);
        if guard == Some(Rank::Bomb) {
            return Gate { beside, closed: true, near: [nearest(defenders[0]); KINDS], steps };
        }
        let mut near = defenders.map(nearest);
        // Whoever stands there defends against the weakest, a scout or a spy as well.
        if guard.is_some_and(Rank::is_mobile) && near[0][0] > 0 {
            near[0] = [0, near[0][0], near[0][1]];
        }
        Gate { beside, closed: false, near, steps }
    }
}

impl RingSquare {
    /// The steps here, or to where the enemy has to be stopped, for the nearest three of these defenders.
    fn nearest(&self, scene: Scene<'_>, defenders: SquareSet, most: usize) -> [u8; 3] {
        if self.outer_bombs.is_empty() {
            scene.distances.ours.nearest_three(self.square, defenders, most)
        } else {
            nearest_through(scene, self.outer_bombs, defenders)
        }
    }
}

/// The steps of the nearest, the second and the third of these defenders through any of these squares to one beside
/// them.
fn nearest_through(scene: Scene<'_>, ways: SquareSet, defenders: SquareSet) -> [u8; 3] {
    let beyond = ways.into_iter().map(|way| scene.distances.ours.nearest_three(way, defenders, FARTHEST));
    let nearest =
        beyond.fold([FARTHEST as u8; 3], |one, other| std::array::from_fn(|k| one[k].min(other[k])));
    nearest.map(|steps| (steps + 1).min(FARTHEST as u8))
}

/// How likely the enemy piece of this number is a mover of each kind; together as likely as it is one at all.
fn kinds(scene: Scene<'_>, number: PieceNumber, mover: f32) -> [f32; KINDS] {
    let chance = |ranks| mass(&scene.pieces.of(number).enemy.probabilities, ranks);
    let [middle, strong] = [MIDDLE, STRONG].map(chance);
    [(mover - middle - strong).max(0.0), middle, strong]
}
