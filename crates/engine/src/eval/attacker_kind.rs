//! Kinds of attackers of a flag, by who can stop them.

use crate::rules::{Rank, RankSet};

/// Kinds of attackers: up to lieutenants, captains and majors, colonels and better.
pub(super) const KINDS: usize = 3;
/// The second kind.
pub(super) const MIDDLE: RankSet = RankSet::only(Rank::Captain).or(RankSet::only(Rank::Major));
/// The third.
pub(super) const STRONG: RankSet =
    RankSet::only(Rank::Colonel).or(RankSet::only(Rank::General)).or(RankSet::only(Rank::Marshal));

/// Index of the kind that a rank is of.
pub(super) fn kind(rank: Rank) -> usize {
    if STRONG.contains(rank) { 2 } else { usize::from(MIDDLE.contains(rank)) }
}
