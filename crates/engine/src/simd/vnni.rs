//! The loops of AVX-512 VNNI, which multiplies integers and adds their products in one step; for the rest those of AVX2.

use super::{BytePairs, LaneSums};
use std::arch::x86_64::{
    __m256i, _mm512_cvtepi8_epi16, _mm512_dpwssd_epi32, _mm512_set1_epi32, _mm512_setzero_si512,
};

pub(super) use super::avx2::{add_pairs, add_row, score, subtract_row};

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
