//! An army of which it is open how it came to be: whom a rescue brought back.
//!
//! Where it was not shown, the piece that came back may be any of several dead, and what lies in their graves follows from
//! which of them it is. So pieces are tied to each other by more than facts and counts: the army is a mixture of armies,
//! one for each way in which the rescue may have come about.

use crate::rules::{RankSet, WayOfRescue};
use crate::view::{HiddenArmy, View};

/// The ways in which an army may have come to be what it is, one of which holds. Empty if there is but one.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Ways(Vec<Way>);

/// One of several ways.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Way {
    /// How many equal ones it stands for.
    count: u32,
    /// The ranks left to some pieces, by index.
    ranks: Vec<(usize, RankSet)>,
}

impl Ways {
    /// The ways in which the latest rescue of the side of `pieces` may have come about, by what the other side knows.
    pub(super) fn of_rescue(pieces: &HiddenArmy, view: &View) -> Ways {
        let Some(side) = pieces.side() else { return Ways::default() };
        let indexed = |WayOfRescue { graves, ranks }| {
            let ranks = ranks.into_iter().filter_map(|(id, ranks)| Some((pieces.index(id)?, ranks)));
            Way { count: graves, ranks: ranks.collect() }
        };
        let ways = view.position().ways_of_rescue(side, view.viewer());
        Ways(ways.into_iter().map(indexed).collect())
    }

    /// Whether there is but one.
    pub(super) fn is_one(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left of these sets by each of several ways, with how many it stands for; none if there is but one.
    pub(super) fn narrowed(&self, allowed: &[RankSet]) -> impl Iterator<Item = (u32, Vec<RankSet>)> {
        self.0.iter().map(|Way { count, ranks }| {
            let mut allowed = allowed.to_vec();
            for &(index, ranks) in ranks {
                allowed[index] = allowed[index].and(ranks);
            }
            (*count, allowed)
        })
    }

    /// In how many ways pieces with these ranks, by index, may have come to be.
    #[cfg(test)]
    pub(super) fn count(&self, ranks: &[crate::rules::Rank]) -> u32 {
        if self.is_one() {
            return 1;
        }
        let fits = |way: &&Way| way.ranks.iter().all(|&(index, set)| set.contains(ranks[index]));
        self.0.iter().filter(fits).map(|way| way.count).sum()
    }
}
