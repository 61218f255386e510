//! The loops of AVX2. Those that the compiler vectorises well are the portable ones, compiled once more; the others keep
//! their sums in registers. All of it is safe code; calling it is the one thing that the compiler cannot check.

use super::{ActionRow, BytePairs, CONTEXT, LaneSums, PRODUCT_SHIFT, READ, READ_SHIFT, plain};
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi32, _mm256_adds_epi16, _mm256_cvtepi8_epi16, _mm256_madd_epi16,
    _mm256_max_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srai_epi32,
};

/// Sums of a register.
const WIDTH: usize = 8;
/// The sums of [`super::LANES`] outputs.
type Registers = [__m256i; super::LANES / WIDTH];
/// Blocks of outputs of a dense layer that share each look at the input: six of the sixteen registers hold their sums.
const BLOCKS: usize = 3;

/// Portable loops, compiled for AVX2.
macro_rules! portable {
    ($(fn $name:ident($($argument:ident: $kind:ty),*);)*) => {
        $(
            #[target_feature(enable = "avx2")]
            pub(super) fn $name($($argument: $kind),*) {
                plain::$name($($argument),*);
            }
        )*
    };
}

portable! {
    fn add_row(sums: &mut [i32], row: &[i16]);
    fn subtract_row(sums: &mut [i32], row: &[i16]);
}

#[target_feature(enable = "avx2")]
pub(super) fn dense(weights: &[BytePairs], input: &[[i16; 2]], sums: &mut Vec<LaneSums>) {
    let length = input.len().max(1);
    let mut together = weights.chunks_exact(BLOCKS * length);
    for blocks in &mut together {
        let (one, rest) = blocks.split_at(length);
        let (two, three) = rest.split_at(length);
        sums.extend(products([one, two, three], input));
    }
    for block in together.remainder().chunks_exact(length) {
        sums.extend(products([block], input));
    }
}

/// The sums of some blocks, each with as many weights as the input has pairs.
#[target_feature(enable = "avx2")]
#[inline]
fn products<const N: usize>(blocks: [&[BytePairs]; N], input: &[[i16; 2]]) -> [LaneSums; N] {
    let blocks = blocks.map(|block| &block[..input.len()]);
    let mut sums: [Registers; N] = [[_mm256_setzero_si256(); 2]; N];
    for (index, pair) in input.iter().enumerate() {
        let values = _mm256_set1_epi32(bytemuck::cast(*pair));
        for (sums, block) in sums.iter_mut().zip(blocks) {
            for (sum, weights) in sums.iter_mut().zip(bytemuck::cast::<_, [__m128i; 2]>(block[index].0)) {
                let products = _mm256_madd_epi16(_mm256_cvtepi8_epi16(weights), values);
                *sum = _mm256_add_epi32(*sum, products);
            }
        }
    }
    sums.map(bytemuck::cast)
}

#[target_feature(enable = "avx2")]
pub(super) fn add_pairs<const N: usize>(sums: &mut [i32; N], input: &[[i16; 2]], weights: &[[[i16; 2]; N]]) {
    for (&pair, weights) in input.iter().zip(weights).filter(|(pair, _)| **pair != [0; 2]) {
        let pair = _mm256_set1_epi32(bytemuck::cast(pair));
        let weights = weights.as_chunks::<WIDTH>().0;
        for (sums, weights) in sums.as_chunks_mut::<WIDTH>().0.iter_mut().zip(weights) {
            let products = _mm256_madd_epi16(bytemuck::cast::<[[i16; 2]; WIDTH], __m256i>(*weights), pair);
            *sums = bytemuck::cast(_mm256_add_epi32(bytemuck::cast(*sums), products));
        }
    }
}

/// Values of two bytes, by register.
#[target_feature(enable = "avx2")]
fn registers<const N: usize>(values: &[i16]) -> [__m256i; N] {
    let (chunks, _) = values.as_chunks::<{ 2 * WIDTH }>();
    std::array::from_fn(|place| bytemuck::cast(chunks[place]))
}

#[target_feature(enable = "avx2")]
pub(super) fn score<'a>(
    rows: impl Iterator<Item = &'a ActionRow>,
    context: &[i16; CONTEXT],
    readout: &[i16; READ],
) -> i32 {
    let zero = _mm256_setzero_si256();
    let context: [__m256i; CONTEXT / (2 * WIDTH)] = registers(context);
    let readout: [__m256i; READ / (2 * WIDTH)] = registers(readout);
    let mut sums = [context[0], context[1], zero];
    for row in rows {
        let row: [__m256i; CONTEXT / (2 * WIDTH)] = registers(row);
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum = _mm256_adds_epi16(*sum, value);
        }
    }
    let read = [0, 1].map(|place: usize| {
        let products = _mm256_madd_epi16(_mm256_max_epi16(sums[place], zero), readout[place]);
        _mm256_srai_epi32::<{ READ_SHIFT as i32 }>(products)
    });
    let multiplied = _mm256_srai_epi32::<{ PRODUCT_SHIFT as i32 }>(_mm256_madd_epi16(sums[2], context[2]));
    let all = _mm256_add_epi32(_mm256_add_epi32(read[0], read[1]), multiplied);
    bytemuck::cast::<__m256i, [i32; WIDTH]>(all).into_iter().fold(0, i32::wrapping_add)
}
