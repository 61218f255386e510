//! The loops of AVX-512 VNNI, which multiplies integers and adds their products in one step; for the rest those of AVX2.

use super::{BytePairs, LaneSums, MOST, Pairs, Scale, Source, TILE, tile_of};
use std::arch::x86_64::{
    __m256i, __m512, __m512i, _mm512_add_ps, _mm512_cvtepi8_epi16, _mm512_cvtepi16_epi32,
    _mm512_cvtepi32_epi16, _mm512_cvtepi32_ps, _mm512_cvtps_epi32, _mm512_dpwssd_epi32, _mm512_max_ps,
    _mm512_min_ps, _mm512_mul_ps, _mm512_set1_epi32, _mm512_set1_ps, _mm512_setzero_ps, _mm512_setzero_si512,
};

pub(super) use super::avx2::{add_bytes, add_pairs, add_row, add_scaled, score, subtract_row};

/// Blocks of outputs of a dense layer that share each look at the input: as many as keep the multiplier busy.
const BLOCKS: usize = 4;

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn dense(weights: &[BytePairs], input: &[[i16; 2]], sums: &mut Vec<LaneSums>) {
    let length = input.len().max(1);
    for blocks in weights.chunks(BLOCKS * length) {
        let block = |number: usize| &blocks[number * length..][..length];
        match blocks.len() / length {
            0 => {}
            1 => sums.extend(products([0].map(block), input)),
            2 => sums.extend(products([0, 1].map(block), input)),
            3 => sums.extend(products([0, 1, 2].map(block), input)),
            _ => sums.extend(products([0, 1, 2, 3].map(block), input)),
        }
    }
}

/// The sums of some blocks, each with as many weights as the input has pairs.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[inline]
fn products<const N: usize>(blocks: [&[BytePairs]; N], input: &[[i16; 2]]) -> [LaneSums; N] {
    let blocks = blocks.map(|block| &block[..input.len()]);
    let mut sums = [_mm512_setzero_si512(); N];
    for (index, pair) in input.iter().enumerate() {
        let values = _mm512_set1_epi32(bytemuck::cast(*pair));
        for (sum, block) in sums.iter_mut().zip(blocks) {
            let weights = _mm512_cvtepi8_epi16(bytemuck::cast::<_, __m256i>(block[index].0));
            *sum = _mm512_dpwssd_epi32(*sum, weights, values);
        }
    }
    sums.map(bytemuck::cast)
}

/// A register holds the sums of a square, and adds the products of a pair in one step.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn convolve(source: Source<'_>, scale: Scale<'_>, output: &mut [i16], channels: usize) {
    let mut sums = [_mm512_setzero_si512(); TILE];
    for (weights, squares) in source.runs() {
        add_run(weights, squares, &mut sums);
    }
    let [units, bias]: [__m512; 2] = [scale.units, scale.bias].map(|values| bytemuck::cast(*values));
    for (values, sums) in tile_of(output, channels).zip(sums) {
        // Each step rounds as the portable loop does.
        let scaled = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums), units), bias);
        let held = _mm512_cvtepi32_ps(_mm512_cvtepi16_epi32(bytemuck::cast::<_, __m256i>(*values)));
        let scaled = if scale.adds { _mm512_add_ps(scaled, held) } else { scaled };
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
