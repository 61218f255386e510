//! The exact chances of pieces that differ only in which ranks they may have, by dynamic programming.
//!
//! Pieces with the same possible ranks are a class, and ranks that are possible for the same classes are a group. Each
//! piece of the army's count is a slot of a group, taken by some class; the ways to take them are counted group by
//! group. A state says how many pieces of each class have a slot.
//!
//! Classes whose ranks contain each other form a chain and need no place in the state. Once the groups that the
//! smallest of them may have are counted, its pieces take any of the slots that the classes outside the chain have
//! left there, the next larger class any that are then left, and so on. What has moved and what may be anything are
//! such a chain, and most of what silent strikes tell joins it, so that few states remain.

mod chain;
mod classes;
mod states;

use super::super::army_model::RankProbabilities;
use crate::rules::{ByRank, PieceId};
pub(super) use classes::Class;
use classes::Group;
use states::States;

/// States up to which chances are computed this way.
const MOST_STATES: usize = 2000;
/// A group has a bit for each class.
const MOST_CLASSES: usize = 32;

/// The chances of a piece of each class, where `left` pieces of each rank belong to the classes. `None` if no
/// assignment is consistent or there are too many states.
pub(super) fn probabilities(classes: &[Class], left: &ByRank<u8>) -> Option<Vec<RankProbabilities>> {
    let pieces: usize = classes.iter().map(|class| usize::from(class.size)).sum();
    let slots: usize = left.values().copied().map(usize::from).sum();
    if pieces != slots || pieces > PieceId::PER_SIDE || !(1..=MOST_CLASSES).contains(&classes.len()) {
        return None;
    }
    let chain = chain::heaviest(classes, left);
    let groups = Group::all(classes, left, &chain);
    let shares = States::new(classes, &chain, &groups, MOST_STATES)?.shares()?;
    let mut probabilities = vec![ByRank::filled(0.0); classes.len()];
    for (group, shares) in groups.iter().zip(shares.chunks_exact(classes.len())) {
        for ((class, probabilities), share) in classes.iter().zip(&mut probabilities).zip(shares) {
            for rank in group.ranks.iter().filter(|_| *share > 0.0) {
                let chance = share * f64::from(left[rank]) / f64::from(class.size);
                probabilities[rank] = (chance as f32).max(f32::MIN_POSITIVE);
            }
        }
    }
    Some(probabilities)
}

#[cfg(test)]
mod tests {
    use super::super::assignment::{Problem, exact_marginals};
    use super::*;
    use crate::rng::Rng;
    use crate::rules::{Rank, RankSet};

    /// Deals `left` to classes of up to `most` pieces, with random ranks beside those dealt.
    fn random_classes(left: &ByRank<u8>, most: usize, rng: &mut Rng) -> Vec<Class> {
        let slots = left.iter().flat_map(|(rank, &count)| std::iter::repeat_n(rank, count.into()));
        let mut ranks: Vec<Rank> = slots.collect();
        rng.shuffle(&mut ranks);
        let mut classes = Vec::new();
        while !ranks.is_empty() {
            let size = ranks.len().min(1 + rng.below(most));
            let dealt: RankSet = ranks.drain(..size).collect();
            let ranks = dealt.or(RankSet::from_bits((rng.bits() & rng.bits() & 0xfff) as u16));
            classes.push(Class { ranks, size: size as u8 });
        }
        classes
    }

    #[test]
    fn classes_have_the_chances_of_their_pieces_in_the_joint_model() {
        let (mut rng, mut compared) = (Rng::new(4), 0);
        for round in 0..400 {
            let left = ByRank::from_fn(|_| rng.below(2 + round % 2) as u8);
            let classes = random_classes(&left, 1 + round % 5, &mut rng);
            let Some(found) = probabilities(&classes, &left) else {
                assert!(classes.is_empty() || classes.len() > 10, "{classes:?}");
                continue;
            };
            compared += 1;
            let pieces = classes.iter().zip(&found);
            let pieces: Vec<_> = pieces
                .flat_map(|(class, probabilities)| vec![(class.ranks, *probabilities); class.size.into()])
                .collect();
            let allowed: Vec<RankSet> = pieces.iter().map(|(ranks, _)| *ranks).collect();
            let weights = vec![ByRank::filled(1.0); allowed.len()];
            let mut exact = Vec::new();
            let problem = Problem { allowed: &allowed, weights: &weights, counts: left };
            assert!(exact_marginals(&problem, &mut exact).is_some());
            for ((_, probabilities), exact) in pieces.iter().zip(&exact) {
                let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6 && (*a > 0.0) == (*b > 0.0);
                assert!(probabilities.values().zip(exact.values()).all(near), "{probabilities:?} {exact:?}");
            }
        }
        assert!(compared > 300, "{compared}");
    }

    /// Two pieces that are a scout or a miner, one that is a miner or a bomb; two scouts or one, and so on.
    #[test]
    fn small_armies_come_out_as_counted_by_hand() {
        let (scout, miner, bomb) = (Rank::Scout, Rank::Miner, Rank::Bomb);
        let classes = [
            Class { ranks: [scout, miner].into_iter().collect(), size: 2 },
            Class { ranks: [miner, bomb].into_iter().collect(), size: 1 },
        ];
        let mut left = ByRank::filled(0);
        (left[scout], left[miner], left[bomb]) = (1, 1, 1);
        // The third has to be the bomb; of the others either one is the scout.
        let found = probabilities(&classes, &left).unwrap();
        assert_eq!((found[0][scout], found[0][miner], found[1][bomb]), (0.5, 0.5, 1.0));
        assert_eq!((found[0][bomb], found[1][miner]), (0.0, 0.0));
        left[bomb] = 2;
        assert_eq!(probabilities(&classes, &left), None);
        (left[scout], left[miner], left[bomb]) = (0, 1, 2);
        assert_eq!(probabilities(&classes, &left), None);
    }
}
