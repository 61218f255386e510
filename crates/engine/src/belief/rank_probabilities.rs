//! What one piece may be.

use crate::rules::{ByRank, Rank, RankSet};

/// The probabilities of one piece's ranks; they sum to one.
pub type RankProbabilities = ByRank<f32>;

/// Every rank of a set alike.
pub(super) fn uniform(ranks: RankSet) -> RankProbabilities {
    let share = 1.0 / ranks.len().max(1) as f32;
    ByRank::from_fn(|rank| if ranks.contains(rank) { share } else { 0.0 })
}

/// Probabilities in parts per million that sum to exactly 1,000,000; a possible rank is never 0.
pub fn parts_per_million(probabilities: &RankProbabilities) -> ByRank<u32> {
    let mut parts = probabilities.map(|chance| if chance > 0.0 { ((chance * 1e6) as u32).max(1) } else { 0 });
    let likeliest = Rank::ALL.into_iter().max_by_key(|&rank| parts[rank]).unwrap_or(Rank::Flag);
    let others: u32 = Rank::ALL.into_iter().filter(|&rank| rank != likeliest).map(|rank| parts[rank]).sum();
    parts[likeliest] = 1_000_000u32.saturating_sub(others);
    parts
}
