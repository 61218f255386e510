//! Sampling whole consistent worlds from the joint model.

use super::core::Core;
use super::exact_dp::ExactDp;
use super::feasible::assignment;
use super::problem::Problem;
use crate::rules::{ByRank, Rank};

/// Number of count vectors up to which worlds are drawn exactly and independently.
pub(crate) const EXACT_STATES: usize = 20_000;

/// Proposals per piece before the first world.
const BURN_IN: usize = 100;

/// Proposals per piece between two worlds.
const THINNING: usize = 3;

/// One proposal in this many is a longer cycle instead of a swap.
const CYCLE_EVERY: u64 = 8;

/// Passes `worlds` consistent assignments (a rank per piece) to `visit`.
///
/// Small problems yield independent exact draws, large ones the thinned states of a
/// Markov chain whose stationary distribution is the joint model. `rng` returns
/// uniformly random words. Returns false, without a visit, if there is no world.
pub(crate) fn sample(
    problem: &Problem,
    worlds: usize,
    rng: &mut impl FnMut() -> u64,
    mut visit: impl FnMut(&[Rank]),
) -> bool {
    let Some(core) = Core::new(problem) else {
        return false;
    };
    let dp = ExactDp::new(&core.counts);
    if dp.size() > EXACT_STATES {
        return sample_chain(problem, worlds, rng, visit);
    }
    let totals = dp.completions(&core);
    let mut world: Vec<Rank> = core.allowed.iter().filter_map(|ranks| ranks.iter().next()).collect();
    for _ in 0..worlds {
        dp.draw(&core, &totals, || unit(rng()), &mut world);
        visit(&world);
    }
    true
}

/// Like [`sample`], by the Markov chain whatever the size.
pub(crate) fn sample_chain(
    problem: &Problem,
    worlds: usize,
    rng: &mut impl FnMut() -> u64,
    mut visit: impl FnMut(&[Rank]),
) -> bool {
    let (Some(core), Some(mut world)) = (Core::new(problem), assignment(problem)) else {
        return false;
    };
    let mut chain = Chain::new(&core, &world);
    chain.run(BURN_IN * core.free.len(), rng);
    for _ in 0..worlds {
        chain.run(THINNING * core.free.len(), rng);
        chain.write(&core, &mut world);
        visit(&world);
    }
    true
}

/// A Markov chain over the ways to seat the free pieces on slots of fixed ranks.
///
/// A piece only ever asks for slots of ranks it may have. How many those are never
/// changes, so a proposed cycle is as likely as the one that undoes it, and taking
/// it with the ratio of the weights keeps the joint model stationary. Swaps alone
/// may not connect all assignments under hard constraints; cycles up to the number
/// of ranks do, since any two assignments differ by such cycles.
struct Chain<'a> {
    weights: &'a [ByRank<f64>],
    /// Rank of each slot, fixed.
    rank: Vec<Rank>,
    /// Piece on each slot.
    piece: Vec<u8>,
    /// Slot of each piece.
    slot: Vec<u8>,
    /// Per piece the slots it may ask for.
    wanted: Vec<Vec<u8>>,
}

impl<'a> Chain<'a> {
    /// Seats the free pieces as in `world`.
    fn new(core: &'a Core, world: &[Rank]) -> Self {
        let rank: Vec<Rank> = core.free.iter().map(|&i| world[i]).collect();
        let wants = |&i: &usize| {
            let open = |&s: &u8| core.allowed[i].contains(rank[usize::from(s)]);
            (0..byte(rank.len())).filter(open).collect()
        };
        Self {
            weights: &core.weights,
            piece: (0..byte(rank.len())).collect(),
            slot: (0..byte(rank.len())).collect(),
            wanted: core.free.iter().map(wants).collect(),
            rank,
        }
    }

    /// Makes `proposals` proposals.
    fn run(&mut self, proposals: usize, rng: &mut impl FnMut() -> u64) {
        let longest = Rank::COUNT.min(self.rank.len());
        for _ in 0..proposals {
            let word = rng();
            // The start's choice uses the high bits, the kind's the low ones.
            let start = below(word, self.rank.len());
            if word.is_multiple_of(CYCLE_EVERY) && longest > 2 {
                let length = length(word / CYCLE_EVERY, longest);
                self.cycle(start, length, rng);
            } else {
                self.swap(start, rng);
            }
        }
    }

    /// Proposes that piece `i` swaps with the holder of a slot it wants.
    fn swap(&mut self, i: usize, rng: &mut impl FnMut() -> u64) {
        let wanted = &self.wanted[i];
        let there = usize::from(wanted[below(rng(), wanted.len())]);
        let here = usize::from(self.slot[i]);
        let (a, b) = (self.rank[here], self.rank[there]);
        if a == b {
            return;
        }
        let j = usize::from(self.piece[there]);
        let now = self.weights[i][a] * self.weights[j][b];
        let then = self.weights[i][b] * self.weights[j][a];
        if then >= now || unit(rng()) * now < then {
            self.seat(i, there);
            self.seat(j, here);
        }
    }

    /// Proposes a cycle: each piece takes the next one's slot, the last the first's.
    fn cycle(&mut self, start: usize, length: usize, rng: &mut impl FnMut() -> u64) {
        let mut path = [start; Rank::COUNT];
        for k in 1..length {
            let wanted = &self.wanted[path[k - 1]];
            let slot = wanted[below(rng(), wanted.len())];
            path[k] = usize::from(self.piece[usize::from(slot)]);
            if path[..k].contains(&path[k]) {
                return;
            }
        }
        let path = &path[..length];
        let slots: [usize; Rank::COUNT] = std::array::from_fn(|k| usize::from(self.slot[path[k % length]]));
        let mut ratio = 1.0;
        for (k, &i) in path.iter().enumerate() {
            let rank = |k: usize| self.rank[slots[k % length]];
            ratio *= self.weights[i][rank(k + 1)] / self.weights[i][rank(k)];
        }
        if unit(rng()) < ratio {
            for (k, &i) in path.iter().enumerate() {
                self.seat(i, slots[(k + 1) % length]);
            }
        }
    }

    /// Puts piece `i` on `slot`.
    fn seat(&mut self, i: usize, slot: usize) {
        self.slot[i] = byte(slot);
        self.piece[slot] = byte(i);
    }

    /// Writes the free pieces' ranks into `world`.
    fn write(&self, core: &Core, world: &mut [Rank]) {
        for (&i, &slot) in core.free.iter().zip(&self.slot) {
            world[i] = self.rank[usize::from(slot)];
        }
    }
}

/// A cycle length from 3 to `longest`: three half of the time, and so on.
fn length(word: u64, longest: usize) -> usize {
    let more = (word & 0xffff).trailing_ones() as usize;
    (3 + more).min(longest)
}

/// A small number as a byte.
fn byte(value: usize) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// Maps a random word to `0..n`.
fn below(word: u64, n: usize) -> usize {
    let wide = u128::from(word) * (n as u128);
    usize::try_from(wide >> 64).unwrap_or(0)
}

/// Maps a random word to `[0, 1)`.
#[allow(clippy::cast_precision_loss)]
fn unit(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
