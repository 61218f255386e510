//! The loops for every machine. Some are compiled once more for AVX2, so they are inlined there.
#![allow(clippy::inline_always, reason = "compiled once more for AVX2")]

use super::{ActionRow, BytePairs, CONTEXT, LANES, LaneSums, PRODUCT_SHIFT, READ, READ_SHIFT};

pub(super) fn dense(weights: &[BytePairs], input: &[[i16; 2]], sums: &mut Vec<LaneSums>) {
    sums.extend(weights.chunks_exact(input.len().max(1)).map(|block| {
        let mut sums = [0; LANES];
        for (BytePairs(weights), pair) in block.iter().zip(input) {
            let pair = pair.map(i32::from);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weights[0]) * pair[0] + i32::from(weights[1]) * pair[1];
            }
        }
        sums
    }));
}

#[inline(always)]
pub(super) fn add_row(sums: &mut [i32], row: &[i16]) {
    for (sum, &value) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_add(i32::from(value));
    }
}

#[inline(always)]
pub(super) fn subtract_row(sums: &mut [i32], row: &[i16]) {
    for (sum, &value) in sums.iter_mut().zip(row) {
        *sum = sum.wrapping_sub(i32::from(value));
    }
}

fn products(one: [i16; 2], other: [i16; 2]) -> i32 {
    let [first, second] = [0, 1].map(|place: usize| i32::from(one[place]) * i32::from(other[place]));
    first.wrapping_add(second)
}

pub(super) fn add_pairs<const N: usize>(sums: &mut [i32; N], input: &[[i16; 2]], weights: &[[[i16; 2]; N]]) {
    for (&pair, weights) in input.iter().zip(weights).filter(|(pair, _)| **pair != [0; 2]) {
        for (sum, &weights) in sums.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(products(pair, weights));
        }
    }
}

pub(super) fn score<'a>(
    rows: impl Iterator<Item = &'a ActionRow>,
    context: &[i16; CONTEXT],
    readout: &[i16; READ],
) -> i32 {
    let mut sums = *context;
    sums[READ..].fill(0);
    for row in rows {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum = sum.saturating_add(value);
        }
    }
    let (read, multiplied) = sums.split_at_mut(READ);
    for value in &mut *read {
        *value = (*value).max(0);
    }
    let pairs = |values: &[i16], other: &[i16], shift: u32| -> i32 {
        let pairs = values.as_chunks::<2>().0.iter().zip(other.as_chunks::<2>().0);
        pairs.map(|(one, other)| products(*one, *other) >> shift).fold(0, i32::wrapping_add)
    };
    pairs(read, readout, READ_SHIFT).wrapping_add(pairs(multiplied, &context[READ..], PRODUCT_SHIFT))
}
