//! How far it is from square to square for each side, around lakes, bombs and crowds.
//!
//! Measured once for the position at the root: a few plies later it is still nearly true, and straight distances would
//! take pieces for near that stand behind a wall of their own comrades.

use crate::rules::{BySquare, Position, RankSet, Side, Square, SquareSet};

/// Distances from this on are all the same.
pub(crate) const FARTHEST: usize = 19;
/// Extra steps for a square where a comrade stands that may step aside. This and the next are guesses, used as they are
/// in the matches of `docs/experiments.md`.
const COMRADE: usize = 1;
/// Extra steps for a square where an enemy stands that would have to be taken on the way.
const FOE: usize = 3;

/// Steps from one square (second index) to another (first index).
pub(crate) type Steps = BySquare<BySquare<u8>>;

/// Both players' ways.
#[derive(Copy, Clone)]
pub(crate) struct Ways {
    /// For our pieces.
    pub(crate) ours: Steps,
    /// For the enemy's.
    pub(crate) theirs: Steps,
}

impl Ways {
    /// The ways in `position`, whose holder is `us`.
    pub(crate) fn new(position: &Position, us: Side) -> Ways {
        Ways { ours: steps(position, us), theirs: steps(position, us.enemy()) }
    }
}

/// The squares that cost extra steps to cross, and those that cannot be crossed.
#[derive(Default)]
struct Ground {
    comrades: SquareSet,
    foes: SquareSet,
    walls: SquareSet,
}

impl Ground {
    fn of(position: &Position, side: Side) -> Ground {
        let mut ground = Ground::default();
        for (id, piece) in Side::BOTH.into_iter().flat_map(|side| position.pieces(side)) {
            let square = SquareSet::from(piece.square);
            if id.side() != side {
                ground.foes |= square;
            } else if piece.ranks.is_within(RankSet::IMMOBILE) {
                ground.walls |= square;
            } else {
                ground.comrades |= square;
            }
        }
        ground
    }
}

fn steps(position: &Position, side: Side) -> Steps {
    let ground = Ground::of(position, side);
    let mut steps = BySquare::filled(BySquare::filled(FARTHEST as u8));
    for (target, steps) in steps.iter_mut() {
        flood(&ground, target, steps);
    }
    steps
}

/// Fills in the steps from everywhere to the one square of `target`, going backwards from there.
fn flood(ground: &Ground, target: Square, steps: &mut BySquare<u8>) {
    let target = SquareSet::only(target);
    let mut layers = [SquareSet::EMPTY; FARTHEST + FOE + 1];
    layers[0] = target;
    let mut seen = SquareSet::EMPTY;
    for distance in 0..FARTHEST {
        let layer = layers[distance] - seen;
        seen |= layer;
        for square in layer {
            steps[square] = distance as u8;
        }
        // Nobody crosses the target: one step leads onto it.
        let crossed = if distance == 0 { target } else { layer - ground.walls };
        let hindered = if distance == 0 { SquareSet::EMPTY } else { crossed };
        let (comrades, foes) = (hindered & ground.comrades, hindered & ground.foes);
        layers[distance + 1] |= (crossed - comrades - foes).neighbours();
        layers[distance + 1 + COMRADE] |= comrades.neighbours();
        layers[distance + 1 + FOE] |= foes.neighbours();
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
    fn ways_lead_around_walls_and_lakes() {
        let spn = Spn::parse(POSITION, Ruleset::default()).unwrap();
        let ways = Ways::new(&spn.position, Side::Red);
        let ours = |from: &str, to: &str| ways.ours[square(to)][square(from)];
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
        assert_eq!(ways.theirs[square("a1")][square("a3")], 2 + FOE as u8);
    }
}
