//! Sums of products: by AVX2 where the machine has it, and by a plain loop that says the same.

/// Values that the quick loop takes at a time; rows of weights are padded to a multiple.
const STEP: usize = 16;

/// `count`, rounded up to what rows of weights are padded to.
pub(super) const fn padded(count: usize) -> usize {
    count.div_ceil(STEP) * STEP
}

/// Fills `sums` with the product of each row of `weights` with `input`. Rows are as long as `input`, whose length is
/// [`padded`].
pub(super) fn sums(weights: &[i8], input: &[i16], sums: &mut Vec<i32>) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: this machine has AVX2, all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            avx2::sums(weights, input, sums);
        }
        return;
    }
    plain_sums(weights, input, sums);
}

/// Like [`sums`], on any machine.
pub(super) fn plain_sums(weights: &[i8], input: &[i16], sums: &mut Vec<i32>) {
    sums.clear();
    sums.extend(weights.chunks_exact(input.len().max(1)).map(|row| {
        let products = row.iter().zip(input).map(|(&weight, &value)| i32::from(weight) * i32::from(value));
        products.sum::<i32>()
    }));
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::STEP;
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32,
        _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_extracti128_si256,
        _mm256_loadu_si256, _mm256_madd_epi16, _mm256_setzero_si256,
    };

    /// The weights of one output.
    type Row = [[i8; STEP]];

    /// Rows that are worked on together, so that each piece of the input is loaded once for all of them.
    const ROWS: usize = 4;

    /// See [`super::sums`].
    #[target_feature(enable = "avx2")]
    pub(super) fn sums(weights: &[i8], input: &[i16], sums: &mut Vec<i32>) {
        sums.clear();
        let (weights, input) = (weights.as_chunks::<STEP>().0, input.as_chunks::<STEP>().0);
        let length = input.len().max(1);
        let mut together = weights.chunks_exact(ROWS * length);
        for rows in &mut together {
            let (one, rest) = rows.split_at(length);
            let (two, rest) = rest.split_at(length);
            let (three, four) = rest.split_at(length);
            sums.extend(products([one, two, three, four], input));
        }
        for row in together.remainder().chunks_exact(length) {
            sums.push(product(row, input));
        }
    }

    /// The products of rows with the input. Zipped and without closures: the loop has no checks, and nothing is called.
    #[target_feature(enable = "avx2")]
    fn products([one, two, three, four]: [&Row; ROWS], input: &[[i16; STEP]]) -> [i32; ROWS] {
        let [mut first, mut second, mut third, mut fourth] = [_mm256_setzero_si256(); ROWS];
        for ((((values, one), two), three), four) in input.iter().zip(one).zip(two).zip(three).zip(four) {
            let values = load_values(values);
            first = _mm256_add_epi32(first, _mm256_madd_epi16(load_weights(one), values));
            second = _mm256_add_epi32(second, _mm256_madd_epi16(load_weights(two), values));
            third = _mm256_add_epi32(third, _mm256_madd_epi16(load_weights(three), values));
            fourth = _mm256_add_epi32(fourth, _mm256_madd_epi16(load_weights(four), values));
        }
        [added(first), added(second), added(third), added(fourth)]
    }

    #[target_feature(enable = "avx2")]
    fn product(row: &Row, input: &[[i16; STEP]]) -> i32 {
        let mut total = _mm256_setzero_si256();
        for (values, weights) in input.iter().zip(row) {
            total = _mm256_add_epi32(total, _mm256_madd_epi16(load_weights(weights), load_values(values)));
        }
        added(total)
    }

    #[target_feature(enable = "avx2")]
    fn load_values(values: &[i16; STEP]) -> __m256i {
        // SAFETY: the sixteen values are the 32 bytes that are read; the load asks for no alignment.
        #[allow(unsafe_code, clippy::cast_ptr_alignment)]
        unsafe {
            _mm256_loadu_si256(values.as_ptr().cast::<__m256i>())
        }
    }

    #[target_feature(enable = "avx2")]
    fn load_weights(weights: &[i8; STEP]) -> __m256i {
        // SAFETY: the sixteen weights are the 16 bytes that are read; the load asks for no alignment.
        #[allow(unsafe_code, clippy::cast_ptr_alignment)]
        let weights = unsafe { _mm_loadu_si128(weights.as_ptr().cast::<__m128i>()) };
        _mm256_cvtepi8_epi16(weights)
    }

    /// The sum of the eight parts.
    #[target_feature(enable = "avx2")]
    fn added(total: __m256i) -> i32 {
        let four = _mm_add_epi32(_mm256_castsi256_si128(total), _mm256_extracti128_si256::<1>(total));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}
