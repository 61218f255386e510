//! What pieces are worth, by rank and by who is left, and what it is worth to be on the way to a rescue. Only ratios
//! matter.

use super::params;
use crate::belief::RankProbabilities;
use crate::math;
use crate::rules::{Army, ByRank, BySide, Position, Rank, RankSet, Side};

/// Points by rank.
pub(super) type PieceValues = ByRank<f32>;

/// The base value of two whole armies without their flags: 7520 for the classic one.
pub(super) fn both_armies(army: &Army) -> f32 {
    Rank::ALL[1..].iter().map(|&rank| 2.0 * params::base_value(rank) * f32::from(army.count(rank))).sum()
}

/// The value of pieces of which so many stand, but for the flag.
pub(super) fn army_value(values: &PieceValues, counts: &ByRank<u8>) -> f32 {
    Rank::ALL[1..].iter().map(|&rank| values[rank] * f32::from(counts[rank])).sum()
}

/// Living pieces of a side by rank: the army less the dead, each counted by what it may have been, to whole pieces.
pub(super) fn living(army: &Army, dead: impl Iterator<Item = RankProbabilities>) -> ByRank<u8> {
    let mut counts = army.counts().map(f32::from);
    for probabilities in dead {
        for (count, chance) in counts.values_mut().zip(probabilities.values()) {
            *count -= chance;
        }
    }
    counts.map(|count| count.round().max(0.0) as u8)
}

/// Values of `own` pieces against what the `enemy` has left.
pub(super) fn piece_values(own: &ByRank<u8>, enemy: &ByRank<u8>) -> PieceValues {
    let mut values = ByRank::from_fn(params::base_value);
    let has = |counts: &ByRank<u8>, rank: Rank| counts[rank] > 0;
    if !has(enemy, Rank::Marshal) {
        values[Rank::Spy] = params::spy_without_target();
    }
    if !has(enemy, Rank::Spy) {
        values[Rank::Marshal] += params::marshal_without_spy();
    }
    for rank in RankSet::MOBILE.iter().filter(|&rank| rank >= Rank::Captain) {
        let beaten_by =
            RankSet::MOBILE.iter().filter(|&higher| higher > rank).map(|higher| enemy[higher]).sum::<u8>();
        let unbeaten = beaten_by == 0 && (rank != Rank::Marshal || !has(enemy, Rank::Marshal));
        if unbeaten {
            values[rank] += params::unbeaten();
        }
    }
    if !has(enemy, Rank::Bomb) {
        values[Rank::Miner] = params::miner_without_bombs();
    } else if own[Rank::Miner] <= params::last_miners_count() {
        values[Rank::Miner] += params::last_miners();
    }
    if own[Rank::Scout] <= params::last_scouts_count() {
        values[Rank::Scout] += params::last_scouts();
    }
    values
}

/// The value of both sides' ways to their next rescue, for `us`, where the rules have any.
pub(super) fn rescue_value(position: &Position, values: &BySide<PieceValues>, us: Side) -> f32 {
    side_value(position, values, us) - side_value(position, values, us.enemy())
}

fn side_value(position: &Position, values: &BySide<PieceValues>, side: Side) -> f32 {
    if position.rescues(side) >= Position::MOST_RESCUES {
        return 0.0;
    }
    let prizes = position.rescuable(side).iter().map(|rank| values[side][rank]);
    let prize = prizes.fold(0.0, f32::max);
    let Some(steps) = (if prize > 0.0 { position.steps_to_rescue(side) } else { None }) else { return 0.0 };
    prize * params::rescue_next() * math::powi(params::rescue_fade(), steps as i32 - 1)
}
