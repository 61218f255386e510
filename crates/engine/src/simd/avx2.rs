//! The loops of AVX2. Those that the compiler vectorises well are the portable ones, compiled once more; the others keep
//! their sums in registers. All of it is safe code; calling it is the one thing that the compiler cannot check.

use super::{
    ActionRow, BytePairs, Bytes, CONTEXT, LaneSums, MOST, PRODUCT_SHIFT, Pairs, READ, READ_SHIFT, Scale,
    Source, TILE, plain, tile_of,
};
use std::arch::x86_64::{
    __m128i, __m256, __m256i, _mm256_add_epi32, _mm256_add_ps, _mm256_adds_epi16, _mm256_cvtepi8_epi16,
    _mm256_cvtepi16_epi32, _mm256_cvtepi32_ps, _mm256_cvtps_epi32, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps, _mm256_packs_epi32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps, _mm256_setzero_si256, _mm256_srai_epi32,
};

/// Sums of a register.
const WIDTH: usize = 8;
/// The sums of [`super::LANES`] outputs.
type Registers = [__m256i; super::LANES / WIDTH];
/// What puts the quarters of two packed registers in order.
const IN_ORDER: i32 = 0b11_01_10_00;
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
    fn add_bytes(bytes: Bytes<'_>, sums: &mut [f32]);
    fn add_scaled(weights: &[f32], value: f32, sums: &mut [f32]);
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

/// The sums of the whole tile stay in registers: ten of the sixteen that AVX2 has.
#[target_feature(enable = "avx2")]
pub(super) fn convolve(source: Source<'_>, scale: Scale<'_>, output: &mut [i16], channels: usize) {
    let mut sums: [Registers; TILE] = [[_mm256_setzero_si256(); 2]; TILE];
    for (weights, squares) in source.runs() {
        add_run(weights, squares, &mut sums);
    }
    for (values, [low, high]) in tile_of(output, channels).zip(sums) {
        let held: [__m128i; 2] = bytemuck::cast(*values);
        let low = finished(low, 0, scale, held[0]);
        let high = finished(high, 1, scale, held[1]);
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
    sums: &mut [Registers; TILE],
) {
    let pairs = one.iter().zip(two).zip(three).zip(four).zip(five);
    for (Pairs(weights), ((((one, two), three), four), five)) in weights.iter().zip(pairs) {
        let [low, high]: Registers = bytemuck::cast(*weights);
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
fn finished(sums: __m256i, half: usize, scale: Scale<'_>, held: __m128i) -> __m256i {
    let [units, bias] = [scale.units, scale.bias].map(|both| bytemuck::cast::<_, [__m256; 2]>(*both)[half]);
    let scaled = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums), units), bias);
    let held = _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(held));
    let scaled = if scale.adds { _mm256_add_ps(scaled, held) } else { scaled };
    let positive = _mm256_max_ps(scaled, _mm256_setzero_ps());
    _mm256_cvtps_epi32(_mm256_min_ps(positive, _mm256_set1_ps(MOST)))
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
