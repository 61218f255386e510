//! Classes of pieces that differ in nothing, and groups of ranks.

use crate::rules::{ByRank, Rank, RankSet};

/// Pieces with the same possible ranks.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(in super::super) struct Class {
    /// The ranks.
    pub(in super::super) ranks: RankSet,
    /// How many pieces, at least one.
    pub(in super::super) size: u8,
}

/// Ranks that the same classes may have.
#[derive(Copy, Clone, Debug)]
pub(super) struct Group {
    pub(super) ranks: RankSet,
    /// The classes, a bit each.
    pub(super) classes: u32,
    /// Pieces of these ranks, at least one.
    pub(super) slots: usize,
    /// The place of the first class of the chain that may have them; past the end if none may.
    pub(super) stage: usize,
}

impl Group {
    /// The groups of the ranks that are left, by stage.
    pub(super) fn all(classes: &[Class], left: &ByRank<u8>, chain: &[usize]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::with_capacity(Rank::COUNT);
        for (rank, &count) in left.iter().filter(|(_, count)| **count > 0) {
            let may = |(index, class): (usize, &Class)| u32::from(class.ranks.contains(rank)) << index;
            let who = classes.iter().enumerate().map(may).sum();
            let (ranks, slots) = (RankSet::only(rank), usize::from(count));
            if let Some(group) = groups.iter_mut().find(|group| group.classes == who) {
                (group.ranks, group.slots) = (group.ranks.or(ranks), group.slots + slots);
            } else {
                let stage = chain.iter().position(|class| who >> class & 1 == 1).unwrap_or(chain.len());
                groups.push(Group { ranks, classes: who, slots, stage });
            }
        }
        groups.sort_by_key(|group| group.stage);
        groups
    }

    pub(super) const fn has(&self, class: usize) -> bool {
        self.classes >> class & 1 == 1
    }
}
