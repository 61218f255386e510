//! What was predicted of a piece before its rank was revealed.

use super::rank_probabilities::RankProbabilities;
use crate::rules::{ByRank, PieceId};

/// What the experts predicted of a piece just before a ply that may reveal its rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Prediction {
    /// That ply, counted as plies played with it.
    pub(crate) ply: u32,
    /// The piece.
    pub(crate) id: PieceId,
    /// The piece's rank probabilities by facts and counts.
    pub(crate) counts: RankProbabilities,
    /// What the experts said.
    pub(crate) experts: LogLikelihoods,
}

/// How much each expert favours each rank of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct LogLikelihoods {
    /// Likelihoods by the piece's history and what players of all kinds do.
    pub(crate) history: ByRank<f32>,
    /// Likelihoods by the piece's history and what this engine does against itself.
    pub(crate) self_play: ByRank<f32>,
    /// Likelihoods by the piece's place and what is known of the pieces that began elsewhere.
    pub(crate) setup: ByRank<f32>,
    /// What its moves were good for.
    pub(crate) moves: ByRank<f32>,
    /// Whom it has just come beside.
    pub(crate) contact: ByRank<f32>,
}
