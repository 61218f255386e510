//! What the eight pieces of barrage may be by where they began and by not having moved.
//!
//! The tables for forty pieces say nothing here: their shares come from full rows, and a side that has six pieces
//! to move leaves none of them unmoved for as long as one that has thirty-three. No collection of barrage setups is
//! to be had, so this is but a leaning by row, and weak enough for a few moves to outweigh it.

use super::Chances;
use crate::rules::Rank;

/// Weight by row from the back and rank in the order F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B: 1 is "as if placed blindly".
const BY_ROW: [Chances; 4] = [
    [3.0, 1.1, 0.9, 1.5, 1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 2.0],
    [0.8, 1.3, 0.9, 1.2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2],
    [0.4, 1.0, 1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 1.2, 0.6],
    [0.2, 0.6, 1.2, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.2, 1.2, 0.4],
];

/// Chance that a mobile piece which has not moved first moves in a turn of its side.
const FIRST_MOVE: f32 = 0.04;
/// Share of the likelihood that not having moved leaves alone: some keep a piece at home for the whole game.
const DOUBT: f32 = 0.2;

/// How much each rank is favoured for a piece that began in `row` (from the back, below 4), after `turns` turns of
/// its side.
pub(super) fn prior(row: usize, moved: bool, turns: u32) -> Chances {
    let mut weights = BY_ROW[row.min(3)];
    if !moved {
        let stays = DOUBT + (1.0 - DOUBT) * (1.0 - FIRST_MOVE).powf(turns as f32);
        for rank in Rank::ALL.into_iter().filter(|rank| rank.is_mobile()) {
            weights[rank.index()] *= stays;
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_stays_is_ever_more_likely_immobile_and_never_surely() {
        let share = |turns| {
            let weights = prior(1, false, turns);
            (weights[0] + weights[11]) / weights.iter().sum::<f32>()
        };
        assert!(share(0) < share(10) && share(10) < share(100) && share(10_000) < 0.9);
        for row in 0..4 {
            assert!(prior(row, false, 100_000).iter().all(|&weight| weight > 0.01));
        }
    }
}
