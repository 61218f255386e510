//! Path distances: how far it is from square to square for each side, around lakes, bombs and crowds.
//!
//! Measured once for the position at the root: a few plies later it is still nearly true, and straight distances
//! would take pieces for near that stand behind a wall of their own comrades.

use super::params::{PAST_COMRADE, PAST_ENEMY, PROXIMITY};
use crate::rules::{BySquare, Position, RankSet, Side, Square, SquareSet};
use std::ops::{Deref, Index};
use std::sync::Arc;

/// Distances from this on are all the same.
pub(super) const FARTHEST: usize = PROXIMITY.len() - 1;

/// Steps to squares.
pub(super) struct Distances {
    /// From one square (second index) to another (first index).
    steps: BySquare<BySquare<u8>>,
    /// Of each square those that are no, one, two … steps away from it.
    layers: BySquare<[SquareSet; FARTHEST]>,
}

impl Distances {
    /// The fewest steps to a square from any of these; [`FARTHEST`] if that is more than `most`.
    pub(super) fn nearest(&self, to: Square, from: SquareSet, most: usize) -> u8 {
        let layers = &self.layers[to][..=most.min(FARTHEST - 1)];
        layers.iter().position(|layer| layer.meets(from)).unwrap_or(FARTHEST) as u8
    }

    /// The steps to a square from the nearest, the second and the third of these; [`FARTHEST`] for each that is more
    /// than `most` away.
    pub(super) fn nearest_three(&self, to: Square, from: SquareSet, most: usize) -> [u8; 3] {
        let mut found = [FARTHEST as u8; 3];
        let mut next = 0;
        for (steps, &layer) in self.layers[to][..=most.min(FARTHEST - 1)].iter().enumerate() {
            for _ in 0..(layer & from).len().min(3 - next as u32) {
                found[next] = steps as u8;
                next += 1;
            }
            if next == 3 {
                break;
            }
        }
        found
    }
}

impl Index<Square> for Distances {
    type Output = BySquare<u8>;

    fn index(&self, to: Square) -> &BySquare<u8> {
        &self.steps[to]
    }
}

/// Both players' path distances at the root.
#[derive(Clone)]
pub(super) struct PathDistances {
    /// For our pieces.
    pub(super) ours: SharedDistances,
    /// For the enemy's.
    pub(super) theirs: SharedDistances,
}

impl PathDistances {
    /// The distances in `position`, whose holder is `us`: those of `like` where they are the same.
    pub(super) fn new(position: &Position, us: Side, like: Option<&PathDistances>) -> PathDistances {
        PathDistances {
            ours: SharedDistances::new(position, us, like.map(|like| &like.ours)),
            theirs: SharedDistances::new(position, us.enemy(), like.map(|like| &like.theirs)),
        }
    }
}

/// One player's path distances. They are large, and many states of one search have the same.
#[derive(Clone)]
pub(super) struct SharedDistances {
    ground: Ground,
    distances: Arc<Distances>,
}

impl SharedDistances {
    fn new(position: &Position, side: Side, like: Option<&SharedDistances>) -> SharedDistances {
        let ground = Ground::of(position, side);
        match like.filter(|like| like.ground == ground) {
            Some(like) => like.clone(),
            None => SharedDistances { distances: Arc::new(distances(&ground)), ground },
        }
    }
}

impl SharedDistances {
    /// Where pieces of this player stand that cannot move.
    pub(super) const fn walls(&self) -> SquareSet {
        self.ground.walls
    }
}

impl Deref for SharedDistances {
    type Target = Distances;

    fn deref(&self) -> &Distances {
        &self.distances
    }
}

/// The squares that cost extra steps to cross, and those that cannot be crossed.
#[derive(Clone, Default, Eq, PartialEq)]
struct Ground {
    comrades: SquareSet,
    enemies: SquareSet,
    walls: SquareSet,
}

impl Ground {
    fn of(position: &Position, side: Side) -> Ground {
        let mut ground = Ground::default();
        for (id, piece) in Side::BOTH.into_iter().flat_map(|side| position.pieces(side)) {
            let square = SquareSet::from(piece.square);
            if id.side() != side {
                ground.enemies |= square;
            } else if piece.ranks.is_within(RankSet::IMMOBILE) {
                ground.walls |= square;
            } else {
                ground.comrades |= square;
            }
        }
        ground
    }
}

fn distances(ground: &Ground) -> Distances {
    let mut distances = Distances {
        steps: BySquare::filled(BySquare::filled(FARTHEST as u8)),
        layers: BySquare::filled([SquareSet::EMPTY; FARTHEST]),
    };
    for ((target, steps), (_, layers)) in distances.steps.iter_mut().zip(distances.layers.iter_mut()) {
        flood(ground, target, steps, layers);
    }
    distances
}

/// Fills in the steps from everywhere to the one square of `target`, going backwards from there.
fn flood(ground: &Ground, target: Square, steps: &mut BySquare<u8>, found: &mut [SquareSet; FARTHEST]) {
    let target = SquareSet::only(target);
    let mut layers = [SquareSet::EMPTY; FARTHEST + PAST_ENEMY + 1];
    layers[0] = target;
    let mut seen = SquareSet::EMPTY;
    for distance in 0..FARTHEST {
        if layers[distance..=distance + PAST_ENEMY].iter().all(|layer| layer.is_empty()) {
            break;
        }
        let layer = layers[distance] - seen;
        seen |= layer;
        found[distance] = layer;
        layer.iter().for_each(|square| steps[square] = distance as u8);
        // Nobody crosses the target: one step leads onto it.
        let crossed = if distance == 0 { target } else { layer - ground.walls };
        let hindered = if distance == 0 { SquareSet::EMPTY } else { crossed };
        let (comrades, enemies) = (hindered & ground.comrades, hindered & ground.enemies);
        layers[distance + 1] |= (crossed - comrades - enemies).neighbours();
        if !comrades.is_empty() {
            layers[distance + 1 + PAST_COMRADE] |= comrades.neighbours();
        }
        if !enemies.is_empty() {
            layers[distance + 1 + PAST_ENEMY] |= enemies.neighbours();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Spn};

    fn square(text: &str) -> Square {
        text.parse().unwrap()
    }

    /// Red: miner a1 behind bombs a2 and b1, scout d1, general e2; Blue: an unknown piece at a10, one at c2.
    const POSITION: &str = "?9/10/10/10/2__2__2/2__2__2/10/10/B1?1K5/EB1D6 r r -,- 0 0 preset=isf";

    #[test]
    fn the_nearest_of_several_has_the_fewest_steps() {
        let spn = Spn::parse(POSITION, Ruleset::default()).unwrap();
        let distances = PathDistances::new(&spn.position, Side::Red, None);
        let sets = [vec![], vec!["a1"], vec!["e2", "e9"], vec!["a4", "b1", "j10"], vec!["d1", "e2", "c2"]];
        for to in Square::all() {
            for from in &sets {
                let steps = from.iter().map(|text| distances.theirs[to][square(text)]);
                let set: SquareSet = from.iter().map(|text| square(text)).collect();
                let least = steps.min().unwrap_or(FARTHEST as u8);
                assert_eq!(distances.theirs.nearest(to, set, FARTHEST), least);
                for most in 0..FARTHEST {
                    let expected = if usize::from(least) <= most { least } else { FARTHEST as u8 };
                    assert_eq!(distances.theirs.nearest(to, set, most), expected);
                    assert_eq!(distances.theirs.nearest_three(to, set, most)[0], expected);
                }
            }
        }
    }

    #[test]
    fn the_same_ground_is_walked_once() {
        let spn = Spn::parse(POSITION, Ruleset::default()).unwrap();
        let one = PathDistances::new(&spn.position, Side::Red, None);
        let two = PathDistances::new(&spn.position, Side::Red, Some(&one));
        assert!(Arc::ptr_eq(&one.ours.distances, &two.ours.distances));
        let turned = PathDistances::new(&spn.position, Side::Blue, Some(&one));
        assert!(!Arc::ptr_eq(&one.ours.distances, &turned.ours.distances));
    }

    #[test]
    fn paths_lead_around_walls_and_lakes() {
        let spn = Spn::parse(POSITION, Ruleset::default()).unwrap();
        let distances = PathDistances::new(&spn.position, Side::Red, None);
        let ours = |from: &str, to: &str| distances.ours[square(to)][square(from)];
        assert_eq!(ours("e2", "e3"), 1);
        assert_eq!(ours("e4", "e7"), 3);
        // Around the lake.
        assert_eq!(ours("c4", "c7"), 5);
        // The general walks around the scout, or the scout steps aside.
        assert_eq!(ours("e1", "c1"), 3);
        // Nobody gets out between the bombs, nor in.
        assert_eq!(usize::from(ours("a1", "e2")), FARTHEST);
        assert_eq!(usize::from(ours("e2", "a1")), FARTHEST);
        // The enemy takes what stands in its way, for a price.
        assert_eq!(distances.theirs[square("a1")][square("a3")], 2 + PAST_ENEMY as u8);
    }
}
