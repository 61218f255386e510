//! What the enemy dares: how readily a piece of its strikes one of ours that it does not know.
//!
//! It reasons as we do, from what it has been shown: a strike is as likely as it is profitable by the enemy's belief
//! about us. So a piece that never moved is safe from high ranks, which fear a bomb, and one that moved is not.

use super::worth::Worths;
use crate::belief::{Belief, Chances};
use crate::math;
use crate::rules::{ByRank, Outcome, Piece, PieceId, Rank, RankSet, defenders};

const PIECES: usize = PieceId::PER_SIDE;

/// What the enemy may know of one of our pieces.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Shown {
    /// It has never moved: it may be a bomb or the flag.
    Still,
    /// It can move, and that is all.
    Moved,
    /// Its rank.
    Known,
}

impl Shown {
    pub(crate) const COUNT: usize = 3;
    pub(crate) const ALL: [Shown; Shown::COUNT] = [Shown::Still, Shown::Moved, Shown::Known];

    pub(crate) fn of(piece: &Piece) -> Shown {
        if piece.learned.single().is_some() {
            Shown::Known
        } else if piece.learned.contains(Rank::Bomb) {
            Shown::Still
        } else {
            Shown::Moved
        }
    }
}

/// Chance that each enemy rank strikes each of our pieces when it can, by what the enemy has been shown.
#[derive(Copy, Clone)]
pub(crate) struct Daring([[ByRank<f32>; PIECES]; 2]);

/// A profit of three times this much makes a strike as good as certain, such a loss all but rules it out. This and the
/// next two are guesses that one match of 100 games confirmed together: `docs/experiments.md`.
const SPREAD: f32 = 15.0;
/// Chance of the unreasonable.
const WHIM: f32 = 0.05;
/// What the enemy would give for a good chance to take the flag.
const FLAG: f32 = 300.0;

impl Daring {
    /// `belief` is the enemy's about us, `ours` and `theirs` what ranks are worth on either side.
    pub(crate) fn new(belief: &Belief, ours: &Worths, theirs: &Worths, aggressor: bool) -> Daring {
        let mut table = [[ByRank::filled(1.0); PIECES]; 2];
        let mut prizes = *ours;
        prizes[Rank::Flag] = FLAG;
        for (id, chances) in belief.pieces() {
            for (shown, table) in [RankSet::ALL, RankSet::MOBILE].into_iter().zip(&mut table) {
                for striker in RankSet::MOBILE.iter() {
                    table[id.number()][striker] =
                        readiness(profit(striker, chances, shown, &prizes, theirs, aggressor));
                }
            }
        }
        Daring(table)
    }

    /// Chance that an enemy of rank `striker` strikes our piece of this number.
    pub(crate) fn of(&self, striker: Rank, number: usize, shown: Shown) -> f32 {
        match shown {
            Shown::Still => self.0[0][number][striker],
            Shown::Moved => self.0[1][number][striker],
            Shown::Known => 1.0,
        }
    }
}

/// What the striker expects of a piece of these chances, cut down to the ranks of `shown`.
fn profit(
    striker: Rank,
    chances: &Chances,
    shown: RankSet,
    prizes: &Worths,
    own: &Worths,
    aggressor: bool,
) -> f32 {
    let (mut profit, mut whole) = (0.0, 0.0);
    for outcome in Outcome::ALL {
        for rank in defenders(striker, outcome, aggressor).iter().filter(|&rank| shown.contains(rank)) {
            let chance = chances[rank.index()];
            whole += chance;
            profit += chance
                * match outcome {
                    Outcome::Win => prizes[rank],
                    Outcome::Tie => prizes[rank] - own[striker],
                    Outcome::Loss => -own[striker],
                };
        }
    }
    if whole > 0.0 { profit / whole } else { 0.0 }
}

fn readiness(profit: f32) -> f32 {
    WHIM + (1.0 - 2.0 * WHIM) / (1.0 + math::exp(-profit / SPREAD))
}
