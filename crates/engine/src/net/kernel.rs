//! Sums of products: by AVX-512 VNNI or AVX2 where the machine has it, and by a plain loop that says the same.
//!
//! Weights lie by [`LANES`] outputs and pair of inputs, so that a register holds one sum for each output and nothing
//! has to be added across it.

/// Outputs whose sums are worked out together.
pub(super) const LANES: usize = 16;

/// The weights of [`LANES`] outputs for two inputs.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Pairs(pub(super) [[i8; 2]; LANES]);

/// The sums of [`LANES`] outputs.
pub(super) type Sums = [i32; LANES];

/// What fills sums with the products of weights and input: the weights of the first [`LANES`] outputs by pair of
/// inputs, then those of the next; there are as many sums as that makes.
pub(super) type Multiply = fn(&[Pairs], &[[i16; 2]], &mut Vec<Sums>);

/// The quickest way to multiply that this machine has.
pub(super) fn multiply(weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>) {
    #[cfg(target_arch = "x86_64")]
    if let Some(quick) = vnni().or_else(avx2) {
        return quick(weights, input, sums);
    }
    multiply_plainly(weights, input, sums);
}

/// Like [`multiply`], on any machine.
pub(super) fn multiply_plainly(weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>) {
    sums.clear();
    sums.extend(weights.chunks_exact(input.len().max(1)).map(|block| {
        let mut sums = [0; LANES];
        for (Pairs(weights), pair) in block.iter().zip(input) {
            let [one, two] = pair.map(i32::from);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum += i32::from(weights[0]) * one + i32::from(weights[1]) * two;
            }
        }
        sums
    }));
}

/// By AVX2, if this machine has it.
#[cfg(target_arch = "x86_64")]
pub(super) fn avx2() -> Option<Multiply> {
    let multiply = |weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>| {
        // SAFETY: this is handed out only where the machine has AVX2, all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            avx2::multiply(weights, input, sums);
        }
    };
    std::arch::is_x86_feature_detected!("avx2").then_some(multiply as Multiply)
}

/// By AVX-512 VNNI, if this machine has it.
#[cfg(target_arch = "x86_64")]
pub(super) fn vnni() -> Option<Multiply> {
    let multiply = |weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>| {
        // SAFETY: this is handed out only where the machine has AVX-512 F, BW and VNNI, all that the function asks for.
        #[allow(unsafe_code)]
        unsafe {
            vnni::multiply(weights, input, sums);
        }
    };
    let has = std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512vnni");
    has.then_some(multiply as Multiply)
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{LANES, Pairs, Sums};
    use std::arch::x86_64::{
        __m128i, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_madd_epi16, _mm256_set1_epi32,
        _mm256_setzero_si256,
    };

    /// Blocks of outputs that share each look at the input: six of the sixteen registers hold their sums.
    const BLOCKS: usize = 3;

    /// See [`super::multiply`].
    #[target_feature(enable = "avx2")]
    pub(super) fn multiply(weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>) {
        sums.clear();
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
    fn products<const N: usize>(blocks: [&[Pairs]; N], input: &[[i16; 2]]) -> [Sums; N] {
        let blocks = blocks.map(|block| &block[..input.len()]);
        // Eight sums a register.
        let mut sums = [[_mm256_setzero_si256(); LANES / 8]; N];
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
}

#[cfg(target_arch = "x86_64")]
mod vnni {
    use super::{Pairs, Sums};
    use std::arch::x86_64::{
        __m256i, _mm512_cvtepi8_epi16, _mm512_dpwssd_epi32, _mm512_set1_epi32, _mm512_setzero_si512,
    };

    /// Blocks of outputs that share each look at the input: as many as keep the multiplier busy.
    const BLOCKS: usize = 4;

    /// See [`super::multiply`].
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub(super) fn multiply(weights: &[Pairs], input: &[[i16; 2]], sums: &mut Vec<Sums>) {
        sums.clear();
        let length = input.len().max(1);
        let mut together = weights.chunks_exact(BLOCKS * length);
        for blocks in &mut together {
            let (one, rest) = blocks.split_at(length);
            let (two, rest) = rest.split_at(length);
            let (three, four) = rest.split_at(length);
            sums.extend(products([one, two, three, four], input));
        }
        let rest = together.remainder();
        match rest.len() / length {
            0 => {}
            1 => sums.extend(products([rest], input)),
            2 => {
                let (one, two) = rest.split_at(length);
                sums.extend(products([one, two], input));
            }
            _ => {
                let (one, rest) = rest.split_at(length);
                let (two, three) = rest.split_at(length);
                sums.extend(products([one, two, three], input));
            }
        }
    }

    /// The sums of some blocks, each with as many weights as the input has pairs.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    fn products<const N: usize>(blocks: [&[Pairs]; N], input: &[[i16; 2]]) -> [Sums; N] {
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
}
