//! Classes whose ranks contain each other.

use super::classes::Class;
use crate::rules::{ByRank, RankSet};

/// The chain of classes, the smallest set of ranks first, that leaves the fewest states to the others.
pub(super) fn heaviest(classes: &[Class], left: &ByRank<u8>) -> Vec<usize> {
    let present = left.iter().filter(|(_, count)| **count > 0);
    let present: RankSet = present.map(|(rank, _)| rank).collect();
    let ranks = |class: usize| classes[class].ranks.and(present);
    let mut order: Vec<usize> = (0..classes.len()).collect();
    order.sort_by_key(|&class| ranks(class).len());
    // By place in the order: the weight of the heaviest chain that ends there, and what comes before in it.
    let mut ends: Vec<(f64, Option<usize>)> = Vec::with_capacity(order.len());
    for (place, &class) in order.iter().enumerate() {
        let within = |&before: &usize| ranks(order[before]).is_within(ranks(class));
        let before = heaviest_of(&ends, (0..place).filter(within));
        let weight = before.map_or(1.0, |before| ends[before].0);
        ends.push((weight * f64::from(classes[class].size + 1), before));
    }
    let mut chain = Vec::with_capacity(order.len());
    let mut end = heaviest_of(&ends, 0..order.len());
    while let Some(place) = end {
        chain.push(order[place]);
        end = ends[place].1;
    }
    chain.reverse();
    chain
}

/// The last of the heaviest of these places.
fn heaviest_of(ends: &[(f64, Option<usize>)], places: impl Iterator<Item = usize>) -> Option<usize> {
    places.max_by(|&a, &b| ends[a].0.total_cmp(&ends[b].0))
}
