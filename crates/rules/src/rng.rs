//! Seeded randomness with a stream that stays the same across releases.
//!
//! `ChaCha8` is specified (RFC 8439 with fewer rounds) and the reductions below are ours, so a seed means the
//! same game next year.

use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng};

/// A seeded source of random numbers: the same numbers for a seed on every machine and in every release.
#[derive(Debug)]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// A generator whose stream this seed fixes.
    pub fn new(seed: u64) -> Rng {
        Rng(ChaCha8Rng::seed_from_u64(seed))
    }

    /// One of several generators under the same seed, one for each use: they do not depend on each other.
    pub fn stream(seed: u64, stream: u64) -> Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Rng(rng)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`; 0 for a bound of 0. Multiply-shift: the bias is below 2^-32 for bounds that fit 32
    /// bits.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number from 0 to below 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Puts the items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_fixed() {
        let mut rng = Rng::new(7);
        let drawn: Vec<usize> = (0..6).map(|_| rng.below(100)).collect();
        assert_eq!(drawn, STREAM_OF_SEED_7);
    }

    const STREAM_OF_SEED_7: [usize; 6] = [15, 16, 70, 72, 60, 35];
}
