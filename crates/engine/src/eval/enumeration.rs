//! Late in a game: all that the hidden pieces may be, taken together.
//!
//! Probabilities piece by piece forget that one of two pieces is the bomb and the other the flag. Where few worlds
//! are left they are listed, and what the tree finds out about one piece is known of all others.

use crate::belief::{Belief, RankProbabilities};
use crate::rules::{ByRank, Piece, PieceId, Position, Rank, RankSet};

/// The most worlds that are listed. With more, a look at them costs more time than a node of the tree.
const MOST: usize = 200;

/// All worlds of a belief, each with its probability.
#[derive(Clone)]
pub(super) struct Enumeration {
    /// The pieces whose rank differs from world to world.
    open: Vec<PieceId>,
    /// The probability of each world.
    shares: Vec<f32>,
    /// World by world the ranks of the open pieces.
    ranks: Vec<Rank>,
}

impl Enumeration {
    /// The worlds of the belief at the root, if they are few and not just one.
    pub(super) fn new(belief: &Belief) -> Option<Enumeration> {
        let worlds = belief.worlds(MOST)?;
        let first = worlds.first()?.world.ranks();
        let differs = |at: &usize| worlds.iter().any(|weighted| weighted.world.ranks()[*at] != first[*at]);
        let open: Vec<usize> = (0..first.len()).filter(differs).collect();
        let ranks = worlds.iter().flat_map(|weighted| open.iter().map(|&at| weighted.world.ranks()[at].1));
        Some(Enumeration {
            ranks: ranks.collect(),
            shares: worlds.iter().map(|weighted| weighted.share).collect(),
            open: open.iter().map(|&at| first[at].0).collect(),
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.shares.len() as u32
    }

    /// The probabilities of an enemy piece in the worlds that fit all that `position` still allows of every piece;
    /// `None` if none does, or all agree about this piece.
    pub(super) fn probabilities(&self, position: &Position, id: PieceId) -> Option<RankProbabilities> {
        let at = self.open.iter().position(|&open| open == id)?;
        let sets: Vec<RankSet> = self.open.iter().map(|&open| allowed(position.piece(open))).collect();
        let mut probabilities = ByRank::filled(0.0);
        for (world, share) in self.ranks.chunks(self.open.len()).zip(&self.shares) {
            if world.iter().zip(&sets).all(|(rank, set)| set.contains(*rank)) {
                probabilities[world[at]] += share;
            }
        }
        let sum: f32 = probabilities.values().sum();
        (sum > 0.0).then(|| probabilities.map(|chance| chance / sum))
    }
}

/// The ranks a piece may have while the game goes on: what was struck down was no flag.
fn allowed(piece: &Piece) -> RankSet {
    if piece.is_alive() { piece.ranks } else { piece.ranks.without(RankSet::only(Rank::Flag)) }
}
