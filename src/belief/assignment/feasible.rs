//! Which ranks a hidden piece may have, given everybody's allowed sets and the counts.

use super::{MAX_PIECES, Problem, RANKS};

/// Bits of the twelve ranks.
const ALL: u16 = (1 << RANKS) - 1;

/// Ranks of a set in ascending order.
pub(super) fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let rank = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            rank
        })
    })
}

/// For every piece the ranks it has in at least one consistent assignment.
///
/// `None` if there is no consistent assignment, the lengths or counts do not fit
/// together, or there are more than [`MAX_PIECES`] pieces.
#[must_use]
pub(crate) fn feasible(problem: &Problem) -> Option<Vec<u16>> {
    let ranks = assignment(problem)?;
    let came = sources(problem, &ranks);
    // Piece i leaves rank a for r exactly when a chain of moves leads from r back
    // to a; a shortest chain never leaves a, so it cannot need piece i itself.
    let keep = |(&mask, &a): (&u16, &u8)| mask & came[usize::from(a)] & ALL;
    Some(problem.allowed.iter().zip(&ranks).map(keep).collect())
}

/// One consistent assignment (a rank for every piece), if any exists.
#[must_use]
pub(crate) fn assignment(problem: &Problem) -> Option<Vec<u8>> {
    let n = problem.allowed.len();
    let total: usize = problem.counts.iter().map(|&c| usize::from(c)).sum();
    if n > MAX_PIECES || total != n || problem.weights.len() != n {
        return None;
    }
    let mut flow = Flow { allowed: problem.allowed, room: problem.counts, ranks: Vec::with_capacity(n) };
    (0..n).all(|_| flow.place_next()).then_some(flow.ranks)
}

/// A growing assignment of pieces to ranks with limited room.
struct Flow<'a> {
    allowed: &'a [u16],
    room: [u8; RANKS],
    ranks: Vec<u8>,
}

impl Flow<'_> {
    /// Places the next piece, moving earlier ones along a shortest chain if needed.
    fn place_next(&mut self) -> bool {
        let piece = self.ranks.len();
        let start = self.allowed[piece] & ALL;
        let mut via = [None; RANKS];
        let mut seen = start;
        let mut edge = start;
        while edge != 0 {
            if let Some(end) = bits(edge).find(|&r| self.room[r] > 0) {
                self.shift(end, &via);
                return true;
            }
            edge = self.spread(edge, &mut seen, &mut via);
        }
        false
    }

    /// Ranks first reached from `edge` by moving one placed piece; notes which one.
    fn spread(&self, edge: u16, seen: &mut u16, via: &mut [Option<usize>; RANKS]) -> u16 {
        let mut next = 0;
        for (i, &a) in self.ranks.iter().enumerate() {
            if edge >> a & 1 == 0 {
                continue;
            }
            for r in bits(self.allowed[i] & ALL & !*seen) {
                via[r] = Some(i);
                *seen |= 1 << r;
                next |= 1 << r;
            }
        }
        next
    }

    /// Frees a place at the chain's start by moving its pieces towards `end`.
    fn shift(&mut self, end: usize, via: &[Option<usize>; RANKS]) {
        self.room[end] -= 1;
        let mut rank = end;
        while let Some(i) = via[rank] {
            let from = usize::from(self.ranks[i]);
            self.ranks[i] = index(rank);
            rank = from;
        }
        self.ranks.push(index(rank));
    }
}

/// Per rank `a` the ranks (itself included) from which a chain of moves reaches `a`.
fn sources(problem: &Problem, ranks: &[u8]) -> [u16; RANKS] {
    let mut came: [u16; RANKS] = std::array::from_fn(|a| 1 << a);
    for (&mask, &a) in problem.allowed.iter().zip(ranks) {
        for r in bits(mask & ALL) {
            came[r] |= 1 << a;
        }
    }
    for mid in 0..RANKS {
        for a in 0..RANKS {
            if came[a] >> mid & 1 == 1 {
                came[a] |= came[mid];
            }
        }
    }
    came
}

/// A rank as the byte that assignments store.
fn index(rank: usize) -> u8 {
    u8::try_from(rank).unwrap_or(u8::MAX)
}
