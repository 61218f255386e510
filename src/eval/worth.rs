//! What pieces are worth, by rank and by who is left.
//!
//! Only ratios matter; a captain is worth 80. The base figures come from a logistic fit of outcomes to who was left, in
//! 953 games against the arena's bots, smoothed by hand; that and the matches that settled the corrections are in
//! `docs/experiments.md`.

use crate::belief::Chances;
use crate::nudge::{Part, nudged};
use crate::rules::{Army, ByRank, Rank, RankSet};

/// How steep the odds are: an advantage of this much is seven tenths of the way to a won game. A logistic fit of how
/// self-play ended says so, and matches agree: `docs/experiments.md`.
pub(crate) const STEEPNESS: f32 = 1100.0;

/// Worth by rank.
pub(crate) type Worths = ByRank<f32>;

/// A piece's worth before anybody has fallen. The flag's is what a good chance to take it is worth risking for.
const BASE: Worths =
    ByRank::new([700.0, 110.0, 15.0, 150.0, 60.0, 65.0, 80.0, 150.0, 225.0, 340.0, 420.0, 50.0]);

/// The base worth of two whole armies without their flags: 7520 for the classic one.
pub(crate) fn both_armies(army: &Army) -> f32 {
    Rank::ALL[1..].iter().map(|&rank| 2.0 * BASE[rank] * f32::from(army.count(rank))).sum()
}

/// Worth of keeping one's own piece unknown to the enemy, by rank.
pub(crate) const SECRECY: Worths =
    ByRank::new([40.0, 25.0, 1.0, 5.0, 3.0, 4.0, 7.0, 12.0, 24.0, 40.0, 60.0, 12.0]);

/// Worth of knowing an enemy piece for sure, by rank.
pub(crate) const KNOWLEDGE: Worths =
    ByRank::new([120.0, 10.0, 3.0, 7.0, 5.0, 7.0, 11.0, 17.0, 28.0, 45.0, 60.0, 14.0]);

/// Living pieces of a side by rank: the army less the dead, each counted by what it may have been, to whole pieces.
pub(crate) fn living(army: &Army, dead: impl Iterator<Item = Chances>) -> ByRank<u8> {
    let mut counts = ByRank::new(army.counts().map(f32::from));
    for chances in dead {
        for ((_, count), chance) in counts.iter_mut().zip(chances) {
            *count -= chance;
        }
    }
    counts.map(|count| count.round().max(0.0) as u8)
}

/// Worth of `own` pieces against what the `enemy` has left.
pub(crate) fn worths(own: &ByRank<u8>, enemy: &ByRank<u8>) -> Worths {
    let mut worths = BASE;
    worths[Rank::Captain] = nudged(Part::Evaluation, worths[Rank::Captain]);
    let has = |counts: &ByRank<u8>, rank: Rank| counts[rank] > 0;
    if !has(enemy, Rank::Marshal) {
        worths[Rank::Spy] = 10.0;
    }
    if !has(enemy, Rank::Spy) {
        worths[Rank::Marshal] += 40.0;
    }
    for rank in RankSet::MOBILE.iter().filter(|&rank| rank >= Rank::Captain) {
        let beaten_by = Rank::ALL[rank.index() + 1..=Rank::Marshal.index()]
            .iter()
            .map(|&higher| enemy[higher])
            .sum::<u8>();
        let unbeaten = beaten_by == 0 && (rank != Rank::Marshal || !has(enemy, Rank::Marshal));
        if unbeaten {
            worths[rank] += 90.0;
        }
    }
    if !has(enemy, Rank::Bomb) {
        worths[Rank::Miner] = 25.0;
    } else if own[Rank::Miner] <= 2 {
        worths[Rank::Miner] += 35.0;
    }
    if own[Rank::Scout] <= 3 {
        worths[Rank::Scout] += 8.0;
    }
    worths
}
