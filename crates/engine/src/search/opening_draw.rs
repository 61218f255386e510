//! A draw among nearly equal moves in the opening: whoever knows our setup still cannot prepare for what we do.
//!
//! The search sees hardly a difference between first moves, so without a draw the policy's favourite would be played in
//! every game. Gumbel noise on what moves are worth, and then the best of them, is a draw by softmax (Gumbel 1954,
//! Statistical Theory of Extreme Values).

use super::params;
use crate::math;
use crate::rng::Rng;

/// The stream of the seed that the draw is made from, by ply.
const STREAM: u64 = 2 << 32;
/// The mean of Gumbel noise: Euler's constant.
const MEAN: f32 = 0.577_215_7;

/// The draw of one ply.
pub(super) struct OpeningDraw {
    rng: Rng,
    /// A move that is worth so many points less is drawn less often by a factor of e.
    scale: f32,
}

impl OpeningDraw {
    pub(super) fn new(seed: u64, ply: u32) -> OpeningDraw {
        let left = 1.0 - ply as f32 / params::opening_draw_plies() as f32;
        let scale = params::opening_draw() * left.max(0.0);
        OpeningDraw { rng: Rng::stream(seed, STREAM | u64::from(ply)), scale }
    }

    /// The points that the next move has by luck; none once the opening is over.
    pub(super) fn points(&mut self) -> f32 {
        // From the open interval: the logarithm of neither end is finite.
        let chance = self.rng.unit().clamp(1e-6, 1.0 - 1e-6);
        self.scale * (-math::ln(-math::ln(chance)) - MEAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of these worths is the best with the luck of so many seeds.
    fn drawn<const N: usize>(worths: [f32; N], ply: u32) -> [usize; N] {
        let mut counts = [0; N];
        for seed in 0..2000 {
            let mut draw = OpeningDraw::new(seed, ply);
            let with_luck = worths.map(|worth| worth + draw.points());
            let best = (0..N).max_by(|&one, &other| with_luck[one].total_cmp(&with_luck[other])).unwrap();
            counts[best] += 1;
        }
        counts
    }

    #[test]
    fn equal_moves_are_drawn_alike_and_worse_ones_by_their_worth() {
        let alike = drawn([0.0; 4], 0);
        assert!(alike.iter().all(|count| (400..600).contains(count)), "{alike:?}");
        let [best, worse, poor] = drawn([0.0, -params::opening_draw(), -8.0 * params::opening_draw()], 0);
        // A factor of e is 73 and 27 of a hundred.
        assert!((1360..1560).contains(&best) && worse + best >= 1990 && poor <= 10, "{best} {worse} {poor}");
    }

    #[test]
    fn nothing_is_drawn_once_the_opening_is_over() {
        let [late, later] = [0, 1].map(|more| params::opening_draw_plies() + more);
        assert_eq!((OpeningDraw::new(1, late).points(), OpeningDraw::new(1, later).points()), (0.0, 0.0));
    }
}
