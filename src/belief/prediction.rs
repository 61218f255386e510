//! What was predicted of a piece before its rank was revealed.

use super::rank_probabilities::RankProbabilities;
use super::trust::{MixtureLogs, mixture_logs};
use crate::rules::{ByRank, PieceId, RankSet};

/// What the experts predicted of a piece just before a ply that may reveal its rank.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Prediction {
    /// That ply, counted as plies played with it.
    pub ply: u32,
    /// The piece.
    pub id: PieceId,
    /// Its rank probabilities by facts and counts.
    pub counts: RankProbabilities,
    /// What the experts said.
    pub experts: LogLikelihoods,
}

/// A prediction and what was revealed: a rank, or by a first move that the piece can move.
#[derive(Copy, Clone, Debug)]
pub(super) struct Scored {
    pub(super) prediction: Prediction,
    pub(super) ranks: RankSet,
    /// How well each mixture of experts predicted it. It never changes, and beliefs ask for it move after move.
    pub(super) said: MixtureLogs,
}

impl Scored {
    /// Scores a prediction by what was revealed.
    pub(super) fn new(prediction: Prediction, ranks: RankSet) -> Scored {
        Scored { prediction, ranks, said: mixture_logs(&prediction, ranks) }
    }
}

/// How much each expert favours each rank of a piece, in nats; only differences between ranks count.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct LogLikelihoods {
    /// Its history, by what players of all kinds do.
    pub history: ByRank<f32>,
    /// Its history, by what this engine does against itself.
    pub self_play: ByRank<f32>,
    /// Its place, and what is known of the pieces that began elsewhere.
    pub setup: ByRank<f32>,
    /// What its moves were good for.
    pub moves: ByRank<f32>,
    /// Whom it has just come beside.
    pub contact: ByRank<f32>,
}
