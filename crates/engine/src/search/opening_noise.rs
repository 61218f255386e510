//! Noise on the moves of an opening: whoever knows our setup still cannot prepare for what we do.
//!
//! The search sees hardly a difference between first moves, so without noise the policy's favourite would be played in
//! every game. To take the best after Gumbel noise is to sample by a softmax (Gumbel 1954, Statistical Theory of Extreme
//! Values).

use super::params;
use crate::math;
use crate::rng::Rng;
use crate::rules::{Position, Side};

/// The stream of the seed that the noise comes from, by ply.
const STREAM: u64 = 2 << 32;
/// The mean of Gumbel noise: Euler's constant.
const MEAN: f32 = 0.577_215_7;

/// The share of both armies that stands in an opening.
const WHOLE: f32 = 0.9;

/// The noise of one ply.
pub(super) struct OpeningNoise {
    rng: Rng,
    /// A move that is worth so many points less is chosen less often by a factor of e.
    scale: f32,
}

impl OpeningNoise {
    /// The noise at a position. A position with few pieces is no opening, whatever its ply: it is somebody's study.
    pub(super) fn new(seed: u64, position: &Position) -> OpeningNoise {
        let standing = Side::BOTH.into_iter().flat_map(|side| position.pieces(side));
        let standing = standing.filter(|(_, piece)| piece.is_alive()).count();
        let whole = 2 * position.rules().army().size();
        let is_opening = standing as f32 >= WHOLE * whole as f32;
        OpeningNoise::at(seed, if is_opening { position.ply() } else { params::opening_noise_plies() })
    }

    /// The noise of an opening at this ply.
    fn at(seed: u64, ply: u32) -> OpeningNoise {
        let left = 1.0 - ply as f32 / params::opening_noise_plies() as f32;
        let scale = params::opening_noise() * left.max(0.0);
        OpeningNoise { rng: Rng::stream(seed, STREAM | u64::from(ply)), scale }
    }

    /// The points that the next move has by chance; none once the opening is over.
    pub(super) fn points(&mut self) -> f32 {
        // From the open interval: the logarithm of neither end is finite.
        let chance = self.rng.unit().clamp(1e-6, 1.0 - 1e-6);
        self.scale * (-math::ln(-math::ln(chance)) - MEAN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Setup, Spn};

    /// How often each of these worths is the best with the noise of so many seeds.
    fn chosen<const N: usize>(worths: [f32; N], ply: u32) -> [usize; N] {
        let mut counts = [0; N];
        for seed in 0..2000 {
            let mut noise = OpeningNoise::at(seed, ply);
            let with_noise = worths.map(|worth| worth + noise.points());
            let best = (0..N).max_by(|&one, &other| with_noise[one].total_cmp(&with_noise[other])).unwrap();
            counts[best] += 1;
        }
        counts
    }

    #[test]
    fn equal_moves_are_chosen_alike_and_worse_ones_by_their_worth() {
        let alike = chosen([0.0; 4], 0);
        assert!(alike.iter().all(|count| (400..600).contains(count)), "{alike:?}");
        let [best, worse, poor] = chosen([0.0, -params::opening_noise(), -8.0 * params::opening_noise()], 0);
        // A factor of e is 73 and 27 of a hundred.
        assert!((1360..1560).contains(&best) && worse + best >= 1990 && poor <= 10, "{best} {worse} {poor}");
    }

    #[test]
    fn there_is_none_once_the_opening_is_over() {
        let [late, later] = [0, 1].map(|more| params::opening_noise_plies() + more);
        let points = |ply| OpeningNoise::at(1, ply).points();
        assert_eq!((points(late), points(later)), (0.0, 0.0));
    }

    #[test]
    fn a_study_is_no_opening() {
        let mut whole = Position::new(Ruleset::default());
        for side in Side::BOTH {
            whole.deploy(side, &"B3FB3262452B3B6B5S7325B48269474M62225873".parse::<Setup>().unwrap());
        }
        assert!((OpeningNoise::new(1, &whole).scale - params::opening_noise()).abs() < 1e-6);
        let text = "9?/9?/10/10/2__2__2/2__2__2/?9/G9/10/MB3K3H r r -,- 0 0 preset=isf";
        let study = Spn::parse(text, Ruleset::default()).unwrap();
        assert!(OpeningNoise::new(1, &study.position).scale.abs() < 1e-6);
    }
}
