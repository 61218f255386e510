//! Loops over single precision, written so that a compiler makes vectors of them.
//!
//! Built for the machine that it runs on (`RUSTFLAGS="-C target-cpu=native"`) they are several times as fast.

// Vectors come of these loops only where they are part of their callers.
#![allow(clippy::inline_always)]

/// Sums that are kept apart while a dot product is worked out.
const LANES: usize = 16;

/// `one * two + three`, rounded once where the machine can.
#[inline(always)]
fn fused(one: f32, two: f32, three: f32) -> f32 {
    if cfg!(target_feature = "fma") { one.mul_add(two, three) } else { one * two + three }
}

/// Adds a row to sums.
#[inline(always)]
pub fn add<const N: usize>(sums: &mut [f32; N], row: &[f32; N]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum += value;
    }
}

/// Values of a row that are summed together.
const BLOCK: usize = 64;
/// Blocks that registers hold at once: 12 registers of 16 values.
const AT_ONCE: usize = 3;
/// How many rows ahead of the one that is summed memory is asked for.
const AHEAD: usize = 6;

/// Adds the rows of these numbers to `sums`. `N` is a multiple of 64.
#[inline(always)]
pub fn sum_rows<const N: usize>(sums: &mut [f32; N], table: &[f32], rows: &[u16]) {
    let table = table.as_chunks::<N>().0;
    let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
    let (together, alone) = blocks.as_chunks_mut::<AT_ONCE>();
    let first_alone = together.len() * AT_ONCE;
    for (place, blocks) in together.iter_mut().enumerate() {
        let [mut one, mut two, mut three] = *blocks;
        for (index, &number) in rows.iter().enumerate() {
            if let Some(&later) = rows.get(index + AHEAD) {
                fetch(&table[usize::from(later)]);
            }
            let row = &table[usize::from(number)].as_chunks::<BLOCK>().0[AT_ONCE * place..][..AT_ONCE];
            add(&mut one, &row[0]);
            add(&mut two, &row[1]);
            add(&mut three, &row[2]);
        }
        *blocks = [one, two, three];
    }
    for (place, block) in alone.iter_mut().enumerate() {
        let mut own = *block;
        for &number in rows {
            add(&mut own, &table[usize::from(number)].as_chunks::<BLOCK>().0[first_alone + place]);
        }
        *block = own;
    }
    debug_assert!(rest.is_empty(), "{N} values");
}

/// Asks for a row, so that it is near when it is needed.
#[inline(always)]
pub fn fetch(row: &[f32]) {
    #[cfg(target_arch = "x86_64")]
    for line in row.chunks(16) {
        // SAFETY: it is a hint, which reads nothing and cannot fail.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(line.as_ptr().cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}

/// Adds `factor` times a row to sums.
#[inline(always)]
pub fn add_scaled<const N: usize>(sums: &mut [f32; N], factor: f32, row: &[f32; N]) {
    for (sum, value) in sums.iter_mut().zip(row) {
        *sum = fused(factor, *value, *sum);
    }
}

/// The dot product. Both are as long, a multiple of 16.
#[inline(always)]
pub fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for ((sum, one), other) in sums.iter_mut().zip(one).zip(other) {
            *sum = fused(*one, *other, *sum);
        }
    }
    sums.iter().sum()
}

/// Row `index` of a table of rows.
#[inline(always)]
pub fn row<const N: usize>(table: &[f32], index: usize) -> &[f32; N] {
    &table.as_chunks::<N>().0[index]
}

/// Row `index` of a table of rows, to be changed.
#[inline(always)]
pub fn row_mut<const N: usize>(table: &mut [f32], index: usize) -> &mut [f32; N] {
    &mut table.as_chunks_mut::<N>().0[index]
}

/// The exponential, quick: within 3 parts in ten million.
#[inline(always)]
pub fn exp(value: f32) -> f32 {
    // 2^n times a polynomial for what is left of value / ln 2, which lies in -0.5..0.5.
    let scaled = (value * std::f32::consts::LOG2_E).clamp(-125.0, 125.0);
    let whole = scaled.round_ties_even();
    let left = (scaled - whole) * std::f32::consts::LN_2;
    let mut sum = 1.0 / 720.0;
    for coefficient in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = fused(sum, left, coefficient);
    }
    sum * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_close() {
        for step in -800..=800 {
            let value = step as f32 / 40.0;
            let right = outflank::math::exp(value);
            assert!((exp(value) / right - 1.0).abs() < 3e-6, "{value}");
        }
    }

    #[test]
    fn a_dot_product_is_the_sum_of_products() {
        let one: Vec<f32> = (0..64).map(|index| index as f32).collect();
        let sum: f32 = (0..64).map(|index| (index * index) as f32).sum();
        assert!((dot(&one, &one) - sum).abs() < 0.5);
    }
}
