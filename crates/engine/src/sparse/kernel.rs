//! The inner loops of the network in integers: by AVX2 where the machine has it, and by plain loops that give the same bits.
//!
//! What both compute with wraps and saturates in the same places. The AVX2 versions use safe code only; calling them is the
//! one thing that the compiler cannot check.

/// Values that an action's row has: [`READ`] go with the context through a `ReLU`, the others are multiplied with it.
pub(super) const CONTEXT: usize = 48;
/// Values of the context that go through the `ReLU`.
pub(super) const READ: usize = 32;
/// What the second layer has.
pub(super) const SECOND: usize = 64;
/// Binary digits after the point: of activations and of the rows that are summed.
pub(super) const POINT: u32 = 10;
/// Of the weights that activations are multiplied with.
pub(super) const WEIGHT_POINT: u32 = 12;
/// Of sums of their products.
pub(super) const PRODUCT_POINT: u32 = POINT + WEIGHT_POINT;
/// Of scores and values.
pub(super) const SCORE_POINT: u32 = 16;
/// What a product of an activation and a weight is shifted by to be part of a score.
const READ_SHIFT: u32 = PRODUCT_POINT - SCORE_POINT;
/// What a product of two activations is shifted by to be part of a score.
const PRODUCT_SHIFT: u32 = 2 * POINT - SCORE_POINT;
/// Values in a register.
const WIDTH: usize = 16;

/// The row of an action's feature.
pub(super) type ActionRow = [i16; CONTEXT];

/// How the loops are run.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Kernel {
    /// On any machine.
    Plain,
    /// By AVX2. Made by [`Kernel::best`] alone, where the machine has it.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

/// Runs a loop by AVX2 or plainly.
macro_rules! run {
    ($kernel:expr, $name:ident($($argument:expr),*)) => {
        match $kernel {
            Kernel::Plain => plain::$name($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `Kernel::best` alone makes `Avx2`, after it has seen that the machine has AVX2, all that these ask for.
            #[allow(unsafe_code)]
            Kernel::Avx2 => unsafe { avx2::$name($($argument),*) },
        }
    };
}

impl Kernel {
    /// The quickest that this machine has.
    pub(super) fn best() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Kernel::Avx2;
        }
        Kernel::Plain
    }

    /// Adds a row to sums.
    pub(super) fn add(self, sums: &mut [i32], row: &[i16]) {
        run!(self, add(sums, row));
    }

    /// Takes a row from sums.
    pub(super) fn subtract(self, sums: &mut [i32], row: &[i16]) {
        run!(self, subtract(sums, row));
    }

    /// Adds to sums the products of pairs of inputs and their weights: those of the first pair for each sum, then those of the
    /// second.
    pub(super) fn multiply<const N: usize>(
        self,
        sums: &mut [i32; N],
        input: &[[i16; 2]],
        weights: &[[[i16; 2]; N]],
    ) {
        run!(self, multiply(sums, input, weights));
    }

    /// The score of an action whose features have these rows.
    pub(super) fn score<'a>(
        self,
        rows: impl Iterator<Item = &'a ActionRow>,
        context: &[i16; CONTEXT],
        readout: &[i16; READ],
    ) -> i32 {
        run!(self, score(rows, context, readout))
    }
}

mod plain {
    use super::{ActionRow, CONTEXT, PRODUCT_SHIFT, READ, READ_SHIFT, WIDTH};

    pub(super) fn add(sums: &mut [i32], row: &[i16]) {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(i32::from(value));
        }
    }

    pub(super) fn subtract(sums: &mut [i32], row: &[i16]) {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_sub(i32::from(value));
        }
    }

    fn products(one: [i16; 2], other: [i16; 2]) -> i32 {
        let [first, second] = [0, 1].map(|place: usize| i32::from(one[place]) * i32::from(other[place]));
        first.wrapping_add(second)
    }

    pub(super) fn multiply<const N: usize>(
        sums: &mut [i32; N],
        input: &[[i16; 2]],
        weights: &[[[i16; 2]; N]],
    ) {
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
        let (read, multiplied) = sums.split_at(READ);
        let pairs = |values: &[i16], other: &[i16], shift: u32| -> i32 {
            let pairs = values.as_chunks::<2>().0.iter().zip(other.as_chunks::<2>().0);
            pairs.map(|(one, other)| products(*one, *other) >> shift).fold(0, i32::wrapping_add)
        };
        let read: Vec<i16> = read.iter().map(|&value| value.max(0)).collect();
        debug_assert_eq!(CONTEXT - READ, WIDTH);
        pairs(&read, readout, READ_SHIFT).wrapping_add(pairs(multiplied, &context[READ..], PRODUCT_SHIFT))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{ActionRow, CONTEXT, PRODUCT_SHIFT, READ, READ_SHIFT, WIDTH};
    use std::arch::x86_64::{
        __m128i, __m256i, _mm256_add_epi32, _mm256_adds_epi16, _mm256_cvtepi16_epi32, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srai_epi32, _mm256_sub_epi32,
    };

    /// Sums of a register.
    const LANES: usize = 8;

    #[target_feature(enable = "avx2")]
    pub(super) fn add(sums: &mut [i32], row: &[i16]) {
        for (sums, values) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
            let values = _mm256_cvtepi16_epi32(bytemuck::cast::<[i16; LANES], __m128i>(*values));
            *sums = bytemuck::cast(_mm256_add_epi32(bytemuck::cast(*sums), values));
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn subtract(sums: &mut [i32], row: &[i16]) {
        for (sums, values) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(row.as_chunks::<LANES>().0) {
            let values = _mm256_cvtepi16_epi32(bytemuck::cast::<[i16; LANES], __m128i>(*values));
            *sums = bytemuck::cast(_mm256_sub_epi32(bytemuck::cast(*sums), values));
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn multiply<const N: usize>(
        sums: &mut [i32; N],
        input: &[[i16; 2]],
        weights: &[[[i16; 2]; N]],
    ) {
        for (&pair, weights) in input.iter().zip(weights).filter(|(pair, _)| **pair != [0; 2]) {
            let pair = _mm256_set1_epi32(bytemuck::cast(pair));
            let weights = weights.as_chunks::<LANES>().0;
            for (sums, weights) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(weights) {
                let products =
                    _mm256_madd_epi16(bytemuck::cast::<[[i16; 2]; LANES], __m256i>(*weights), pair);
                *sums = bytemuck::cast(_mm256_add_epi32(bytemuck::cast(*sums), products));
            }
        }
    }

    #[target_feature(enable = "avx2")]
    fn registers<const N: usize>(values: &[i16]) -> [__m256i; N] {
        let (chunks, _) = values.as_chunks::<WIDTH>();
        std::array::from_fn(|place| bytemuck::cast(chunks[place]))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn score<'a>(
        rows: impl Iterator<Item = &'a ActionRow>,
        context: &[i16; CONTEXT],
        readout: &[i16; READ],
    ) -> i32 {
        let zero = _mm256_setzero_si256();
        let context: [__m256i; CONTEXT / WIDTH] = registers(context);
        let readout: [__m256i; READ / WIDTH] = registers(readout);
        let mut sums = [context[0], context[1], zero];
        for row in rows {
            let row: [__m256i; CONTEXT / WIDTH] = registers(row);
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum = _mm256_adds_epi16(*sum, value);
            }
        }
        let read = [0, 1].map(|place: usize| {
            let products = _mm256_madd_epi16(_mm256_max_epi16(sums[place], zero), readout[place]);
            _mm256_srai_epi32::<{ READ_SHIFT as i32 }>(products)
        });
        let multiplied =
            _mm256_srai_epi32::<{ PRODUCT_SHIFT as i32 }>(_mm256_madd_epi16(sums[2], context[2]));
        let all = _mm256_add_epi32(_mm256_add_epi32(read[0], read[1]), multiplied);
        bytemuck::cast::<__m256i, [i32; LANES]>(all).into_iter().fold(0, i32::wrapping_add)
    }
}
