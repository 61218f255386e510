//! Which ranks a hidden piece may have, given everybody's allowed sets and the counts.

use super::problem::{MAX_PIECES, Problem};
use crate::rules::{ByRank, Rank, RankSet};

/// For every piece the ranks it has in at least one consistent assignment.
///
/// `None` if there is no consistent assignment, the lengths or counts do not fit
/// together, or there are more than [`MAX_PIECES`] pieces.
#[must_use]
pub(crate) fn feasible(problem: &Problem) -> Option<Vec<RankSet>> {
    let ranks = assignment(problem)?;
    let came = sources(problem, &ranks);
    // Piece i leaves rank a for r exactly when a chain of moves leads from r back
    // to a; a shortest chain never leaves a, so it cannot need piece i itself.
    let keep = |(allowed, &rank): (&RankSet, &Rank)| allowed.and(came[rank]);
    Some(problem.allowed.iter().zip(&ranks).map(keep).collect())
}

/// One consistent assignment (a rank for every piece), if any exists.
#[must_use]
pub(crate) fn assignment(problem: &Problem) -> Option<Vec<Rank>> {
    let n = problem.allowed.len();
    let total: usize = problem.counts.values().map(|&c| usize::from(c)).sum();
    if n > MAX_PIECES || total != n || problem.weights.len() != n {
        return None;
    }
    let mut flow = Flow { allowed: problem.allowed, room: problem.counts, ranks: Vec::with_capacity(n) };
    (0..n).all(|_| flow.place_next()).then_some(flow.ranks)
}

/// A growing assignment of pieces to ranks with limited room.
struct Flow<'a> {
    allowed: &'a [RankSet],
    room: ByRank<u8>,
    ranks: Vec<Rank>,
}

impl Flow<'_> {
    /// Places the next piece, moving earlier ones along a shortest chain if needed.
    fn place_next(&mut self) -> bool {
        let piece = self.ranks.len();
        let start = self.allowed[piece];
        let mut via = ByRank::filled(None);
        let mut seen = start;
        let mut edge = start;
        while !edge.is_empty() {
            if let Some(end) = edge.iter().find(|&rank| self.room[rank] > 0) {
                self.shift(end, &via);
                return true;
            }
            edge = self.spread(edge, &mut seen, &mut via);
        }
        false
    }

    /// Ranks first reached from `edge` by moving one placed piece; notes which one.
    fn spread(&self, edge: RankSet, seen: &mut RankSet, via: &mut ByRank<Option<usize>>) -> RankSet {
        let mut next = RankSet::EMPTY;
        for (i, &a) in self.ranks.iter().enumerate() {
            if !edge.contains(a) {
                continue;
            }
            let reached = self.allowed[i].without(*seen);
            reached.iter().for_each(|rank| via[rank] = Some(i));
            *seen = seen.or(reached);
            next = next.or(reached);
        }
        next
    }

    /// Frees a place at the chain's start by moving its pieces towards `end`.
    fn shift(&mut self, end: Rank, via: &ByRank<Option<usize>>) {
        self.room[end] -= 1;
        let mut rank = end;
        while let Some(i) = via[rank] {
            rank = std::mem::replace(&mut self.ranks[i], rank);
        }
        self.ranks.push(rank);
    }
}

/// Per rank `a` the ranks (itself included) from which a chain of moves reaches `a`.
fn sources(problem: &Problem, ranks: &[Rank]) -> ByRank<RankSet> {
    let mut came = ByRank::from_fn(RankSet::only);
    for (allowed, &a) in problem.allowed.iter().zip(ranks) {
        for rank in allowed.iter() {
            came[rank] = came[rank].or(RankSet::only(a));
        }
    }
    for mid in Rank::ALL {
        for a in Rank::ALL {
            if came[a].contains(mid) {
                came[a] = came[a].or(came[mid]);
            }
        }
    }
    came
}
