//! All consistent worlds, where there are few.

use super::core::Core;
use super::feasible::assignment;
use super::problem::Problem;
use crate::rules::{ByRank, Rank, RankSet};

/// Steps of the enumeration for each world that is asked for: beyond that there are too many, or they are too hard to
/// find.
const STEPS: usize = 32;

/// Every consistent assignment (a rank per piece) with its share; `None` if there are more than `most`, or none, or if
/// they are too hard to find.
pub(crate) fn enumerate(problem: &Problem, most: usize) -> Option<Vec<(Vec<Rank>, f64)>> {
    if are_surely_more(problem, most) {
        return None;
    }
    let core = Core::new(problem)?;
    let world = core.allowed.iter().filter_map(|ranks| ranks.iter().next()).collect();
    let mut search =
        Search { core: &core, left: core.counts, world, most, steps: STEPS * most, found: Vec::new() };
    search.extend(0, 1.0)?;
    let sum: f64 = search.found.iter().map(|(_, weight)| weight).sum();
    let shares = search.found.into_iter().map(|(world, weight)| (world, weight / sum));
    (sum > 0.0).then(|| shares.collect())
}

/// Whether one consistent assignment already makes more than `most`: pieces that may be the same ranks can exchange
/// theirs. So it is for most of a game, and the enumeration need not find out.
fn are_surely_more(problem: &Problem, most: usize) -> bool {
    /// What rounding may add to a bound.
    const ROUNDED: f64 = 1.001;
    let Some(ranks) = assignment(problem) else { return false };
    let mut left: Vec<(RankSet, Rank)> = problem.allowed.iter().copied().zip(ranks).collect();
    let mut worlds = 1.0;
    while let Some(&(group, _)) = left.first() {
        let mut counts = ByRank::filled(0.0);
        let mut size = 0.0;
        // The ways to give a group's ranks to its pieces, a multinomial coefficient, piece by piece.
        for (_, rank) in left.iter().filter(|(allowed, _)| *allowed == group) {
            size += 1.0;
            counts[*rank] += 1.0;
            worlds *= size / counts[*rank];
        }
        left.retain(|(allowed, _)| *allowed != group);
    }
    worlds > ROUNDED * most as f64
}

struct Search<'a> {
    core: &'a Core,
    /// Of each rank, how many are still to be given out.
    left: ByRank<u8>,
    world: Vec<Rank>,
    most: usize,
    steps: usize,
    found: Vec<(Vec<Rank>, f64)>,
}

impl Search<'_> {
    /// Gives ranks to the free pieces from this one on; `None` once there are too many worlds.
    fn extend(&mut self, piece: usize, weight: f64) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        let Some(&at) = self.core.free.get(piece) else {
            self.found.push((self.world.clone(), weight));
            return (self.found.len() <= self.most).then_some(());
        };
        for rank in self.core.allowed[at].iter() {
            if self.left[rank] > 0 {
                self.left[rank] -= 1;
                self.world[at] = rank;
                self.extend(piece + 1, weight * self.core.weights[piece][rank])?;
                self.left[rank] += 1;
            }
        }
        Some(())
    }
}
