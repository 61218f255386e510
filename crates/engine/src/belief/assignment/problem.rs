//! What is known of an army, before anything follows from it.

use crate::rules::{ByRank, RankSet};

/// Most pieces one problem may hold: an army of 40 and some room.
pub(crate) const MAX_PIECES: usize = 42;

/// The hidden pieces of one army and what is known of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Problem<'a> {
    /// Per piece the ranks that hard facts allow.
    pub(crate) allowed: &'a [RankSet],
    /// Per piece the positive, not necessarily normalised, weight of each rank.
    pub(crate) weights: &'a [ByRank<f32>],
    /// How many of the pieces have each rank; sums to the number of pieces.
    pub(crate) counts: ByRank<u8>,
}
