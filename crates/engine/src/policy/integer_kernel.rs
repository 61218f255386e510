//! The inner loop of a convolution in integers: by AVX-512 VNNI or AVX2 where the machine has it, and by a portable loop
//! that computes the same, bit for bit.

use super::features::{LANES, NEIGHBOUR_ROWS};
use super::kernel::{Kernel, TILE, tile_of};

/// The weights of [`LANES`] outputs for two inputs, in one line of the cache.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Pairs(pub(super) [[i16; 2]; LANES]);

/// What a tile is computed from.
#[derive(Copy, Clone, Debug)]
pub(super) struct Source<'a> {
    /// The weights of the tile's outputs: run by run, by pair of inputs.
    pub(super) weights: &'a [Pairs],
    /// The layer's input.
    pub(super) values: &'a [i16],
    /// Input channels of a square, a multiple of [`LANES`].
    pub(super) channels: usize,
    /// The first square.
    pub(super) first: usize,
}

impl<'a> Source<'a> {
    /// The weights of each run, and the pairs of inputs that they count for.
    #[inline]
    fn runs(self) -> impl Iterator<Item = (&'a [Pairs], [&'a [[i16; 2]]; TILE])> {
        let Source { weights, values, channels, first } = self;
        let length = 3 * channels;
        weights.chunks_exact((length / 2).max(1)).zip(NEIGHBOUR_ROWS).map(move |(weights, run)| {
            let square = |index| values[(first + run + index) * channels..][..length].as_chunks().0;
            (weights, std::array::from_fn(square))
        })
    }
}

/// What becomes of a tile's sums: times `units`, plus `bias`, not below 0.
#[derive(Copy, Clone, Debug)]
pub(super) struct Finish<'a> {
    /// What one of each output's sum is worth, in features.
    pub(super) units: &'a [f32; LANES],
    /// What is added to each output.
    pub(super) bias: &'a [f32; LANES],
    /// Whether what the output held is added.
    pub(super) adds: bool,
}

/// The largest feature.
const MOST: f32 = i16::MAX as f32;

/// Computes a tile. `output` begins with the first of its values and has a square every so many `channels`.
pub(super) fn convolve(
    kernel: Kernel,
    source: Source<'_>,
    finish: Finish<'_>,
    output: &mut [i16],
    channels: usize,
) {
    #[cfg(target_arch = "x86_64")]
    if kernel.is_vnni() {
        // SAFETY: there is such a kernel only where the machine has AVX-512 F, BW and VNNI, all that the function asks
        // for.
        #[allow(unsafe_code)]
        unsafe {
            vnni::convolve(source, finish, output, channels);
        }
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if kernel.is_avx2() {
        // SAFETY: there is such a kernel only where the machine has AVX2, all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            avx2::convolve(source, finish, output, channels);
        }
        return;
    }
    convolve_plainly(source, finish, output, channels);
}

/// Like [`convolve`], on any machine.
fn convolve_plainly(source: Source<'_>, finish: Finish<'_>, output: &mut [i16], channels: usize) {
    let mut tile = [[0_i32; LANES]; TILE];
    for (weights, squares) in source.runs() {
        for (sums, square) in tile.iter_mut().zip(squares) {
            // A copy stays in registers.
            let mut total = *sums;
            for (Pairs(weights), pair) in weights.iter().zip(square) {
                let pair = pair.map(i32::from);
                for (sum, weight) in total.iter_mut().zip(weights) {
                    *sum += i32::from(weight[0]) * pair[0] + i32::from(weight[1]) * pair[1];
                }
            }
            *sums = total;
        }
    }
    for (values, sums) in tile_of(output, channels).zip(tile) {
        for (index, (value, sum)) in values.iter_mut().zip(sums).enumerate() {
            let scaled = sum as f32 * finish.units[index] + finish.bias[index];
            let scaled = if finish.adds { scaled + f32::from(*value) } else { scaled };
            *value = scaled.clamp(0.0, MOST).round_ties_even() as i16;
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Finish, LANES, MOST, Pairs, Source, TILE, tile_of};
    use std::arch::x86_64::{
        __m128i, __m256, __m256i, _mm256_add_epi32, _mm256_add_ps, _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps,
        _mm256_cvtps_epi32, _mm256_madd_epi16, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps,
        _mm256_packs_epi32, _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps,
        _mm256_setzero_si256,
    };

    /// Sums of [`LANES`] outputs: two registers of eight.
    type Sums = [__m256i; LANES / 8];
    /// What puts the quarters of two packed registers in order.
    const IN_ORDER: i32 = 0b11_01_10_00;

    /// See [`super::convolve`]. The sums of the whole tile stay in registers: ten of the sixteen that AVX2 has.
    #[target_feature(enable = "avx2")]
    pub(super) fn convolve(source: Source<'_>, finish: Finish<'_>, output: &mut [i16], channels: usize) {
        let mut sums: [Sums; TILE] = [[_mm256_setzero_si256(); 2]; TILE];
        for (weights, squares) in source.runs() {
            add_run(weights, squares, &mut sums);
        }
        for (values, [low, high]) in tile_of(output, channels).zip(sums) {
            let held: [__m128i; 2] = bytemuck::cast(*values);
            let low = finished(low, 0, finish, held[0]);
            let high = finished(high, 1, finish, held[1]);
            let packed = _mm256_permute4x64_epi64::<IN_ORDER>(_mm256_packs_epi32(low, high));
            *values = bytemuck::cast(packed);
        }
    }

    /// Zipped and a pair at a time: a loop that is unrolled adds in another order and runs out of registers.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn add_run(
        weights: &[Pairs],
        [one, two, three, four, five]: [&[[i16; 2]]; TILE],
        sums: &mut [Sums; TILE],
    ) {
        let pairs = one.iter().zip(two).zip(three).zip(four).zip(five);
        for (Pairs(weights), ((((one, two), three), four), five)) in weights.iter().zip(pairs) {
            let [low, high]: Sums = bytemuck::cast(*weights);
            for (sums, pair) in sums.iter_mut().zip([one, two, three, four, five]) {
                let values = _mm256_set1_epi32(bytemuck::cast(*pair));
                sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(values, low));
                sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(values, high));
            }
        }
    }

    /// What becomes of eight sums. Each step rounds as the portable loop does.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn finished(sums: __m256i, half: usize, finish: Finish<'_>, held: __m128i) -> __m256i {
        let [units, bias] =
            [finish.units, finish.bias].map(|both| bytemuck::cast::<_, [__m256; 2]>(*both)[half]);
        let scaled = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums), units), bias);
        let held = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(held));
        let scaled = if finish.adds { _mm256_add_ps(scaled, held) } else { scaled };
        let positive = _mm256_max_ps(scaled, _mm256_setzero_ps());
        _mm256_cvtps_epi32(_mm256_min_ps(positive, _mm256_set1_ps(MOST)))
    }
}

#[cfg(target_arch = "x86_64")]
mod vnni {
    use super::{Finish, MOST, Pairs, Source, TILE, tile_of};
    use std::arch::x86_64::{
        __m256i, __m512, __m512i, _mm512_add_ps, _mm512_cvtepi16_epi32, _mm512_cvtepi32_epi16,
        _mm512_cvtepi32_ps, _mm512_cvtps_epi32, _mm512_dpwssd_epi32, _mm512_max_ps, _mm512_min_ps,
        _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512,
    };

    /// See [`super::convolve`]. A register holds the sums of a square, and adds the products of a pair in one step.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn convolve(source: Source<'_>, finish: Finish<'_>, output: &mut [i16], channels: usize) {
        let mut sums = [_mm512_setzero_si512(); TILE];
        for (weights, squares) in source.runs() {
            add_run(weights, squares, &mut sums);
        }
        let [units, bias]: [__m512; 2] = [finish.units, finish.bias].map(|values| bytemuck::cast(*values));
        for (values, sums) in tile_of(output, channels).zip(sums) {
            // Each step rounds as the portable loop does.
            let scaled = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums), units), bias);
            let held = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(bytemuck::cast::<_, __m256i>(*values)));
            let scaled = if finish.adds { _mm512_add_ps(scaled, held) } else { scaled };
            let positive = _mm512_max_ps(scaled, _mm512_setzero_ps());
            let rounded = _mm512_cvtps_epi32(_mm512_min_ps(positive, _mm512_set1_ps(MOST)));
            // All lie within 0 and the largest feature, so that nothing is cut off.
            *values = bytemuck::cast(_mm512_cvtepi32_epi16(rounded));
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn add_run(
        weights: &[Pairs],
        [one, two, three, four, five]: [&[[i16; 2]]; TILE],
        sums: &mut [__m512i; TILE],
    ) {
        let pairs = one.iter().zip(two).zip(three).zip(four).zip(five);
        for (Pairs(weights), ((((one, two), three), four), five)) in weights.iter().zip(pairs) {
            let weights = bytemuck::cast::<_, __m512i>(*weights);
            for (sums, pair) in sums.iter_mut().zip([one, two, three, four, five]) {
                *sums = _mm512_dpwssd_epi32(*sums, _mm512_set1_epi32(bytemuck::cast(*pair)), weights);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// The values of a tile by these loops: of 32 channels, of which the first [`LANES`] are computed.
    fn tile(kernel: Kernel, source: Source<'_>, finish: Finish<'_>) -> Vec<i16> {
        let mut output: Vec<i16> = (0..5 * 32).map(|index| 37 * index).collect();
        convolve(kernel, source, finish, &mut output, 32);
        output
    }

    #[test]
    fn every_loop_computes_what_the_portable_one_does() {
        let mut rng = Rng::new(1);
        for (channels, most) in [(16, 32_767), (32, 9_000), (64, 300)] {
            let mut weight = || rng.below(255) as i16 - 127;
            let mut pairs = || Pairs(std::array::from_fn(|_| [weight(), weight()]));
            let weights: Vec<Pairs> = (0..9 * channels / 2).map(|_| pairs()).collect();
            let values: Vec<i16> = (0..144 * channels).map(|_| rng.below(most) as i16).collect();
            let units = std::array::from_fn(|_| rng.unit() / 50.0);
            let bias = std::array::from_fn(|_| 4000.0 * rng.unit() - 2000.0);
            for (first, adds) in [(0, false), (5, true), (12, true), (113, false)] {
                let source = Source { weights: &weights, values: &values, channels, first };
                let finish = Finish { units: &units, bias: &bias, adds };
                let plain = tile(Kernel::PORTABLE, source, finish);
                for kernel in Kernel::all() {
                    assert_eq!(tile(kernel, source, finish), plain, "{}", kernel.name());
                }
                let computed = || plain.chunks(32).flat_map(|square| &square[..LANES]);
                assert!(computed().any(|&value| value == 0) && computed().any(|&value| value > 0));
                let left_alone = |index: usize| plain[index] == 37 * index as i16;
                assert!((0..5 * 32).filter(|index| index % 32 >= LANES).all(left_alone));
            }
        }
    }

    #[test]
    fn the_largest_sums_are_exact() {
        // 32 channels of the largest features and weights: 1.2e9.
        let weights = vec![Pairs([[127; 2]; LANES]); 9 * 16];
        let values = vec![i16::MAX; 144 * 32];
        let source = Source { weights: &weights, values: &values, channels: 32, first: 0 };
        let finish = Finish { units: &[1e-6; LANES], bias: &[0.0; LANES], adds: false };
        for kernel in Kernel::all() {
            assert_eq!(tile(kernel, source, finish)[0], 1198, "288 * 127 * 32767 / 10^6");
        }
    }
}
