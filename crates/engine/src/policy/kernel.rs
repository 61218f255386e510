//! The inner loops of a network: by AVX2 or AVX-512 where the machine has it, and by portable loops that compute the
//! same, bit for bit. So products are rounded before they are added (no FMA), and each sum has one order.

use super::features::{LANES, LINE, SIDE};

/// Neighbouring squares of a row that are computed together.
pub(super) const TILE: usize = 5;

/// The weights of [`LANES`] channels, in one line of the cache.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Weights(pub(super) [f32; LANES]);

/// What a tile is computed from.
#[derive(Copy, Clone, Debug)]
pub(super) struct Source<'a> {
    /// The weights of the tile's channels: run by run, by input value.
    pub(super) weights: &'a [Weights],
    /// The values of the layer's input.
    pub(super) values: &'a [f32],
    /// Input channels of a square, a multiple of [`LANES`].
    pub(super) channels: usize,
    /// Where the squares that count for one begin: how far beyond it, run by run, each of some squares that lie side
    /// by side.
    pub(super) runs: &'a [usize],
    /// Squares of a run.
    pub(super) width: usize,
    /// The first square.
    pub(super) first: usize,
}

impl<'a> Source<'a> {
    /// The weights of each run, and the input values that they count for.
    #[inline]
    fn runs(self) -> impl Iterator<Item = (&'a [Weights], [&'a [f32]; TILE])> {
        let Source { weights, values, channels, runs, width, first } = self;
        let length = width * channels;
        weights.chunks_exact(length.max(1)).zip(runs).map(move |(weights, run)| {
            let square = |index| &values[(first + run + index) * channels..][..length];
            (weights, std::array::from_fn(square))
        })
    }
}

/// What becomes of a tile's sums.
#[derive(Copy, Clone, Debug)]
pub(super) struct Finish<'a> {
    /// What is added to each channel.
    pub(super) bias: &'a [f32; LANES],
    /// Whether what the output held is added.
    pub(super) adds: bool,
    /// Smaller results become this.
    pub(super) least: f32,
}

/// The first square of each tile of a board, on the padded board.
pub(super) fn tile_starts() -> impl Iterator<Item = usize> {
    (0..SIDE).flat_map(|row| [row * LINE, row * LINE + TILE])
}

/// The values of a tile that is written: `output` begins with its first square's, and has a square every so many
/// `channels`.
pub(super) fn tile_of<T>(output: &mut [T], channels: usize) -> impl Iterator<Item = &mut [T; LANES]> {
    output.chunks_mut(channels.max(1)).take(TILE).filter_map(|square| square.first_chunk_mut())
}

/// Weights that are used together with one byte.
const GROUP: usize = 3;

/// The bytes of one square that are not 0, and the weights of all planes.
#[derive(Copy, Clone, Debug)]
pub(super) struct Bytes<'a> {
    /// Each byte with its plane.
    pub(super) nonzero: &'a [(u8, u8)],
    /// The weights, plane by plane, from the first one that is to be used.
    pub(super) weights: &'a [Weights],
    /// Weights of a plane.
    pub(super) stride: usize,
}

impl<'a> Bytes<'a> {
    /// A group of weights and the value that each byte gives them.
    #[inline]
    fn of(self, group: usize) -> impl Iterator<Item = (&'a [Weights; GROUP], f32)> {
        let Bytes { nonzero, weights, stride } = self;
        nonzero.iter().filter_map(move |&(plane, byte)| {
            let start = usize::from(plane) * stride + group * GROUP;
            Some((weights.get(start..)?.first_chunk()?, f32::from(byte)))
        })
    }
}

/// Which loops are used. Those of an instruction set can only be had where the machine has it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Kernel(Kind);

#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Kind {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2, and for integers the products and sums of AVX-512 VNNI.
    #[cfg(target_arch = "x86_64")]
    Vnni,
}

impl Kernel {
    /// The loops that run on every machine.
    pub(super) const PORTABLE: Kernel = Kernel(Kind::Portable);

    /// The fastest loops that this machine can run.
    pub(super) fn best() -> Kernel {
        #[cfg(target_arch = "x86_64")]
        if let Some(kernel) = Kernel::vnni().or_else(Kernel::avx2) {
            return kernel;
        }
        Kernel::PORTABLE
    }

    /// The loops of AVX2, if this machine has it.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn avx2() -> Option<Kernel> {
        std::arch::is_x86_feature_detected!("avx2").then_some(Kernel(Kind::Avx2))
    }

    /// Those with AVX-512 VNNI for integers, if this machine has it beside AVX2.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn vnni() -> Option<Kernel> {
        let wide = std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512bw")
            && std::arch::is_x86_feature_detected!("avx512vnni");
        Kernel::avx2().filter(|_| wide).map(|_| Kernel(Kind::Vnni))
    }

    /// All loops that this machine can run.
    #[cfg(test)]
    pub(super) fn all() -> Vec<Kernel> {
        let mut all = vec![Kernel::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        all.extend(Kernel::avx2().into_iter().chain(Kernel::vnni()));
        all
    }

    /// The name of the loops.
    pub(super) const fn name(self) -> &'static str {
        match self.0 {
            Kind::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Vnni => "avx512vnni",
        }
    }

    /// Whether the loops are those of AVX2: then this machine has it.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn is_avx2(self) -> bool {
        matches!(self.0, Kind::Avx2)
    }

    /// Whether integers are multiplied by AVX-512 VNNI: then this machine has it, and AVX-512 F and BW.
    #[cfg(target_arch = "x86_64")]
    pub(super) const fn is_vnni(self) -> bool {
        matches!(self.0, Kind::Vnni)
    }

    /// Computes a tile of a convolution. `output` begins with the first of the tile's values and has a square every so
    /// many `channels`.
    pub(super) fn convolve(
        self,
        source: Source<'_>,
        finish: Finish<'_>,
        output: &mut [f32],
        channels: usize,
    ) {
        match self.0 {
            Kind::Portable => convolve(source, finish, output, channels),
            // SAFETY: `Kernel::best` has seen that this machine has AVX2, all that the function asks for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx2 | Kind::Vnni => unsafe { avx2::convolve(source, finish, output, channels) },
        }
    }

    /// Adds the products of some bytes and their weights to as many sums as a multiple of three times [`LANES`].
    pub(super) fn add_bytes(self, bytes: Bytes<'_>, sums: &mut [f32]) {
        match self.0 {
            Kind::Portable => add_bytes(bytes, sums),
            // SAFETY: `Kernel::best` has seen that this machine has AVX2, all that the function asks for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx2 | Kind::Vnni => unsafe { avx2::add_bytes(bytes, sums) },
        }
    }

    /// Adds `value` times each weight to each sum.
    pub(super) fn add_scaled(self, weights: &[f32], value: f32, sums: &mut [f32]) {
        match self.0 {
            Kind::Portable => add_scaled(weights, value, sums),
            // SAFETY: `Kernel::best` has seen that this machine has AVX2, all that the function asks for.
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            Kind::Avx2 | Kind::Vnni => unsafe { avx2::add_scaled(weights, value, sums) },
        }
    }
}

/// See [`Kernel::add_bytes`].
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled once more for AVX2")]
fn add_bytes(bytes: Bytes<'_>, sums: &mut [f32]) {
    for (group, values) in sums.as_chunks_mut::<{ GROUP * LANES }>().0.iter_mut().enumerate() {
        // A copy stays in registers.
        let mut sums = *values;
        for (weights, value) in bytes.of(group) {
            for (sums, Weights(weights)) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(weights) {
                add_scaled(weights, value, sums);
            }
        }
        *values = sums;
    }
}

/// See [`Kernel::convolve`].
fn convolve(source: Source<'_>, finish: Finish<'_>, output: &mut [f32], channels: usize) {
    let mut tile = [*finish.bias; TILE];
    for (weights, squares) in source.runs() {
        for (sums, square) in tile.iter_mut().zip(squares) {
            // A copy stays in registers.
            let mut total = *sums;
            for (Weights(weights), &value) in weights.iter().zip(square) {
                for (sum, weight) in total.iter_mut().zip(weights) {
                    *sum += weight * value;
                }
            }
            *sums = total;
        }
    }
    for (values, sums) in tile_of(output, channels).zip(tile) {
        for (value, sum) in values.iter_mut().zip(sums) {
            let sum = if finish.adds { sum + *value } else { sum };
            *value = sum.max(finish.least);
        }
    }
}

/// See [`Kernel::add_scaled`].
#[inline(always)]
#[allow(clippy::inline_always, reason = "compiled once more for AVX2")]
fn add_scaled(weights: &[f32], value: f32, sums: &mut [f32]) {
    for (sum, weight) in sums.iter_mut().zip(weights) {
        *sum += weight * value;
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{Bytes, Finish, LANES, Source, TILE, Weights};
    use std::arch::x86_64::{__m256, _mm256_add_ps, _mm256_max_ps, _mm256_mul_ps, _mm256_set1_ps};

    /// Sums of [`LANES`] channels: two registers of eight.
    type Sums = [__m256; LANES / 8];
    /// Input channels between two checks of bounds.
    const STEP: usize = 8;

    /// See [`super::Kernel::convolve`]. The sums of the whole tile stay in registers, ten of the sixteen that AVX2 has:
    /// compiled for AVX2, the portable loop keeps them in memory.
    #[target_feature(enable = "avx2")]
    pub(super) fn convolve(source: Source<'_>, finish: Finish<'_>, output: &mut [f32], channels: usize) {
        let mut sums: [Sums; TILE] = [bytemuck::cast(*finish.bias); TILE];
        for (weights, squares) in source.runs() {
            let squares = squares.map(|square| square.as_chunks::<STEP>().0);
            for (step, weights) in weights.as_chunks::<STEP>().0.iter().enumerate() {
                add_step(weights, squares.map(|square| &square[step]), &mut sums);
            }
        }
        let least = _mm256_set1_ps(finish.least);
        for (values, mut sums) in super::tile_of(output, channels).zip(sums) {
            for (sum, held) in sums.iter_mut().zip(bytemuck::cast::<_, Sums>(*values)) {
                let all = if finish.adds { _mm256_add_ps(*sum, held) } else { *sum };
                *sum = _mm256_max_ps(all, least);
            }
            *values = bytemuck::cast(sums);
        }
    }

    /// Each product is rounded before it is added, as in the portable loop.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn add_step(weights: &[Weights; STEP], squares: [&[f32; STEP]; TILE], sums: &mut [Sums; TILE]) {
        for (channel, Weights(weights)) in weights.iter().enumerate() {
            let weights: Sums = bytemuck::cast(*weights);
            for (sums, square) in sums.iter_mut().zip(squares) {
                let value = _mm256_set1_ps(square[channel]);
                sums[0] = _mm256_add_ps(sums[0], _mm256_mul_ps(value, weights[0]));
                sums[1] = _mm256_add_ps(sums[1], _mm256_mul_ps(value, weights[1]));
            }
        }
    }

    /// See [`super::Kernel::add_bytes`].
    #[target_feature(enable = "avx2")]
    pub(super) fn add_bytes(bytes: Bytes<'_>, sums: &mut [f32]) {
        super::add_bytes(bytes, sums);
    }

    /// See [`super::Kernel::add_scaled`].
    #[target_feature(enable = "avx2")]
    pub(super) fn add_scaled(weights: &[f32], value: f32, sums: &mut [f32]) {
        super::add_scaled(weights, value, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn values(count: usize, rng: &mut Rng) -> Vec<f32> {
        (0..count).map(|_| rng.unit() - 0.5).collect()
    }

    #[test]
    fn the_fastest_loops_compute_what_the_portable_ones_do() {
        let mut rng = Rng::new(1);
        for (channels, runs, width) in [(16, &[0, 12, 24][..], 3), (48, &[13], 1)] {
            let mut lanes = || Weights(std::array::from_fn(|_| rng.unit() - 0.5));
            let weights: Vec<Weights> = (0..runs.len() * width * channels).map(|_| lanes()).collect();
            let input = values(144 * channels, &mut rng);
            for (first, adds) in [(0, false), (5, true), (12, true), (113, false)] {
                let source = Source { weights: &weights, values: &input, channels, runs, width, first };
                let finish = Finish { bias: &[0.25; LANES], adds, least: if adds { 0.0 } else { -1e9 } };
                let mut outputs = [vec![0.5; 5 * 32], vec![0.5; 5 * 32]];
                Kernel::best().convolve(source, finish, &mut outputs[0], 32);
                Kernel::PORTABLE.convolve(source, finish, &mut outputs[1], 32);
                assert_eq!(outputs[0], outputs[1]);
                assert!(outputs[0].chunks(32).all(|square| square[LANES..] == [0.5; 32 - LANES]));
            }
        }
    }

    #[test]
    fn bytes_count_alike() {
        let mut rng = Rng::new(3);
        let weights: Vec<Weights> =
            (0..54 * 9).map(|_| Weights(std::array::from_fn(|_| rng.unit() / 255.0))).collect();
        let nonzero: Vec<(u8, u8)> = (0..54).step_by(3).map(|plane| (plane, 5 * plane)).collect();
        let bytes = Bytes { nonzero: &nonzero, weights: &weights[3..], stride: 9 };
        let mut sums = [vec![1.0; 6 * LANES], vec![1.0; 6 * LANES]];
        Kernel::best().add_bytes(bytes, &mut sums[0]);
        Kernel::PORTABLE.add_bytes(bytes, &mut sums[1]);
        assert_eq!(sums[0], sums[1]);
        let weight = |plane: usize| 5.0 * plane as f32 * weights[9 * plane + 3].0[0];
        let first = 1.0 + (0..54).step_by(3).map(weight).sum::<f32>();
        assert!((sums[1][0] - first).abs() < 1e-4);
    }

    #[test]
    fn scaled_weights_are_added_alike() {
        let mut rng = Rng::new(2);
        let weights = values(100, &mut rng);
        let before = values(99, &mut rng);
        let [mut one, mut other] = [before.clone(), before.clone()];
        Kernel::best().add_scaled(&weights, 3.0, &mut one);
        Kernel::PORTABLE.add_scaled(&weights, 3.0, &mut other);
        assert_eq!(one, other);
        assert!((one[98] - before[98] - 3.0 * weights[98]).abs() < 1e-5);
    }
}
