//! What the eight pieces of barrage may be by where they began and by when they first moved.
//!
//! The tables for forty pieces say nothing here: their shares come from full rows, and a side that has six pieces
//! to move leaves none of them unmoved for as long as one that has thirty-three. No collection of barrage setups is
//! to be had. The rows are a leaning by what any Stratego setup is about, and the first moves follow what is open to
//! a rank on an empty board: scouts run at once, miners when bombs are known, the strong wait. In 1,000 games of the
//! engine against itself an unmoved scout went with chance 0.5 a turn at first, a miner with 0.1 to 0.2, the others
//! with 0.01 to 0.05; the differences are cut down here, as others need not play like it.

use super::params;
use crate::math;
use crate::rules::{ByRank, Rank};

/// Weight by row from the back and rank in the order F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B: 1 is "as if placed blindly".
const BY_ROW: [ByRank<f32>; 4] = [
    ByRank::new([4.0, 1.1, 0.9, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 2.0]),
    ByRank::new([0.8, 1.3, 0.9, 1.2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2]),
    ByRank::new([0.3, 1.0, 1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 1.2, 0.6]),
    ByRank::new([0.2, 0.6, 1.2, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 1.2, 0.4]),
];

/// Chance that a mobile piece which has not moved first moves in a turn of its side, by rank.
const FIRST_MOVE: ByRank<f32> =
    ByRank::new([0.0, 0.03, 0.10, 0.06, 0.04, 0.04, 0.04, 0.04, 0.04, 0.03, 0.03, 0.0]);

/// How much each rank is favoured for a piece that began in `row` (from the back, below 4).
pub(super) fn by_row(row: usize) -> ByRank<f32> {
    BY_ROW[row.min(3)]
}

/// How much each rank is favoured for a piece that first moved in its side's turn `first_move`, if that was seen,
/// after `turns` turns of its side.
pub(super) fn by_first_move(first_move: Option<u32>, moved: bool, turns: u32) -> ByRank<f32> {
    let mut weights = ByRank::filled(1.0);
    let Some(until) = first_move.or(if moved { None } else { Some(turns) }) else { return weights };
    let stays = FIRST_MOVE.map(|chance| math::pow(1.0 - chance, until as f32));
    let mobile = Rank::ALL.into_iter().filter(|rank| rank.is_mobile());
    let goes = |rank: Rank| FIRST_MOVE[rank] * stays[rank];
    let mean = mobile.clone().map(goes).sum::<f32>() / mobile.clone().count() as f32;
    for rank in mobile {
        weights[rank] = if moved {
            // After many turns nothing is left of either: then it says nothing.
            if mean > 0.0 {
                (goes(rank) / mean).clamp(1.0 / params::barrage_most(), params::barrage_most())
            } else {
                1.0
            }
        } else {
            params::barrage_doubt() + (1.0 - params::barrage_doubt()) * stays[rank]
        };
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prior(row: usize, first_move: Option<u32>, moved: bool, turns: u32) -> ByRank<f32> {
        let (row, behaved) = (by_row(row), by_first_move(first_move, moved, turns));
        ByRank::from_fn(|rank| row[rank] * behaved[rank])
    }

    #[test]
    fn a_piece_that_stays_is_ever_more_likely_immobile_and_never_surely() {
        let share = |turns| {
            let weights = prior(1, None, false, turns);
            (weights[Rank::Flag] + weights[Rank::Bomb]) / weights.values().sum::<f32>()
        };
        assert!(share(0) < share(10) && share(10) < share(100) && share(10_000) < 0.9);
        for row in 0..4 {
            assert!(prior(row, None, false, u32::MAX).values().all(|&weight| weight > 0.01));
        }
    }

    #[test]
    fn the_first_to_run_is_a_scout_and_one_that_waited_is_none() {
        let scout = |first_move| {
            let weights = prior(2, Some(first_move), true, 50);
            weights[Rank::Scout] / weights[Rank::Marshal]
        };
        assert!(scout(0) > 1.5 && scout(40) < 0.8, "{} {}", scout(0), scout(40));
        for turn in [0, 1000, u32::MAX] {
            assert!(prior(2, Some(turn), true, turn).values().all(|weight| (0.01..10.0).contains(weight)));
        }
        // A piece that moved unseen says nothing by it.
        assert_eq!(prior(2, None, true, 50).map(f32::to_bits), BY_ROW[2].map(f32::to_bits));
    }
}
