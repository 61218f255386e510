//! The exact chances of pieces that differ only in which ranks they may have, by dynamic programming.
//!
//! Pieces with the same possible ranks are a class, and ranks that are possible for the same classes are a group. Each
//! piece of the army's count is a slot of a group, taken by some class; the ways to take them are counted group by
//! group. A state says how many pieces of each class have a slot.
//!
//! Classes whose ranks contain each other form a chain and need no place in the state. Once the groups that the smallest
//! of them may have are counted, its pieces take any of the slots that the classes outside the chain have left there,
//! the next larger class any that are then left, and so on. What has moved and what may be anything are such a
//! chain, and most of what silent strikes tell joins it, so that few states remain.

mod chain;
mod states;

use super::super::Chances;
use crate::rules::{PieceId, Rank};
use states::States;

/// Pieces with the same possible ranks.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Class {
    /// The ranks, by the bits of a [`RankSet`](crate::rules::RankSet).
    pub(super) ranks: u16,
    /// How many pieces, at least one.
    pub(super) size: u8,
}

/// States up to which chances are computed this way.
const MOST_STATES: usize = 2000;
/// A group has a bit for each class.
const MOST_CLASSES: usize = 32;

/// The chances of a piece of each class, where `left` pieces of each rank belong to the classes. `None` if no assignment
/// is consistent or there are too many states.
pub(super) fn chances(classes: &[Class], left: &[u8; Rank::COUNT]) -> Option<Vec<Chances>> {
    let pieces: usize = classes.iter().map(|class| usize::from(class.size)).sum();
    let slots: usize = left.iter().copied().map(usize::from).sum();
    if pieces != slots || pieces > PieceId::PER_SIDE || !(1..=MOST_CLASSES).contains(&classes.len()) {
        return None;
    }
    let chain = chain::heaviest(classes, left);
    let groups = Group::all(classes, left, &chain);
    let shares = States::new(classes, &chain, &groups, MOST_STATES)?.shares()?;
    let mut chances = vec![[0.0; Rank::COUNT]; classes.len()];
    for (group, shares) in groups.iter().zip(shares.chunks_exact(classes.len())) {
        for ((class, chances), share) in classes.iter().zip(&mut chances).zip(shares) {
            for rank in (0..Rank::COUNT).filter(|&rank| *share > 0.0 && group.ranks >> rank & 1 == 1) {
                let chance = share * f64::from(left[rank]) / f64::from(class.size);
                chances[rank] = (chance as f32).max(f32::MIN_POSITIVE);
            }
        }
    }
    Some(chances)
}

/// Ranks that the same classes may have.
#[derive(Copy, Clone, Debug)]
struct Group {
    ranks: u16,
    /// The classes, a bit each.
    classes: u32,
    /// Pieces of these ranks, at least one.
    slots: usize,
    /// The place of the first class of the chain that may have them; past the end if none may.
    stage: usize,
}

impl Group {
    /// The groups of the ranks that are left, by stage.
    fn all(classes: &[Class], left: &[u8; Rank::COUNT], chain: &[usize]) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::with_capacity(Rank::COUNT);
        for (rank, &count) in left.iter().enumerate().filter(|(_, count)| **count > 0) {
            let may = |(index, class): (usize, &Class)| u32::from(class.ranks >> rank & 1) << index;
            let who = classes.iter().enumerate().map(may).sum();
            let (ranks, slots) = (1 << rank, usize::from(count));
            if let Some(group) = groups.iter_mut().find(|group| group.classes == who) {
                (group.ranks, group.slots) = (group.ranks | ranks, group.slots + slots);
            } else {
                let stage = chain.iter().position(|class| who >> class & 1 == 1).unwrap_or(chain.len());
                groups.push(Group { ranks, classes: who, slots, stage });
            }
        }
        groups.sort_by_key(|group| group.stage);
        groups
    }

    const fn has(&self, class: usize) -> bool {
        self.classes >> class & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::assignment::{Problem, marginals_exact};
    use super::*;
    use crate::rng::Rng;

    /// Deals `left` to classes of up to `most` pieces, with random ranks beside those dealt.
    fn random_classes(left: &[u8; Rank::COUNT], most: usize, rng: &mut Rng) -> Vec<Class> {
        let mut ranks: Vec<usize> = (0..Rank::COUNT).flat_map(|r| vec![r; usize::from(left[r])]).collect();
        rng.shuffle(&mut ranks);
        let mut classes = Vec::new();
        while !ranks.is_empty() {
            let size = ranks.len().min(1 + rng.below(most));
            let dealt = ranks.drain(..size).map(|rank| 1 << rank).fold(0, |a, b| a | b);
            let ranks = dealt | (rng.bits() & rng.bits() & 0xfff) as u16;
            classes.push(Class { ranks, size: size as u8 });
        }
        classes
    }

    #[test]
    fn classes_have_the_chances_of_their_pieces_in_the_joint_model() {
        let (mut rng, mut compared) = (Rng::new(4), 0);
        for round in 0..400 {
            let left: [u8; Rank::COUNT] = std::array::from_fn(|_| rng.below(2 + round % 2) as u8);
            let classes = random_classes(&left, 1 + round % 5, &mut rng);
            let Some(found) = chances(&classes, &left) else {
                assert!(classes.is_empty() || classes.len() > 10, "{classes:?}");
                continue;
            };
            compared += 1;
            let pieces = classes.iter().zip(&found);
            let pieces: Vec<_> = pieces
                .flat_map(|(class, chances)| vec![(class.ranks, *chances); class.size.into()])
                .collect();
            let allowed: Vec<u16> = pieces.iter().map(|(ranks, _)| *ranks).collect();
            let weights = vec![[1.0; Rank::COUNT]; allowed.len()];
            let mut exact = Vec::new();
            assert!(marginals_exact(
                &Problem { allowed: &allowed, weights: &weights, counts: left },
                &mut exact
            ));
            for ((_, chances), exact) in pieces.iter().zip(&exact) {
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6 && (*a > 0.0) == (*b > 0.0);
                assert!(chances.iter().zip(exact).all(near), "{chances:?} {exact:?}");
            }
        }
        assert!(compared > 300, "{compared}");
    }

    /// Two pieces that are a scout or a miner, one that is a miner or a bomb; two scouts or one, and so on.
    #[test]
    fn small_armies_come_out_as_counted_by_hand() {
        let (scout, miner, bomb) = (2, 3, 11);
        let classes = [
            Class { ranks: 1 << scout | 1 << miner, size: 2 },
            Class { ranks: 1 << miner | 1 << bomb, size: 1 },
        ];
        let mut left = [0; Rank::COUNT];
        (left[scout], left[miner], left[bomb]) = (1, 1, 1);
        // The third has to be the bomb; of the others either one is the scout.
        let found = chances(&classes, &left).unwrap();
        assert_eq!((found[0][scout], found[0][miner], found[1][bomb]), (0.5, 0.5, 1.0));
        assert_eq!((found[0][bomb], found[1][miner]), (0.0, 0.0));
        left[bomb] = 2;
        assert_eq!(chances(&classes, &left), None);
        (left[scout], left[miner], left[bomb]) = (0, 1, 2);
        assert_eq!(chances(&classes, &left), None);
    }
}
