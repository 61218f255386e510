//! Many positions at once through a network's trunk, by matrix tiles (AMX with half-precision factors), for self-play.
//!
//! A board lies in a grid of twelve by twelve squares with a border of zeros, a row of channels per square. A 3x3 convolution is
//! then nine products of sixteen consecutive rows with a matrix of weights, all into the same sums: squares of the border are
//! computed, too, and thrown away. Sums are single precision; features are rounded to half precision (bfloat16) after each
//! layer, as the twin in plain Rust does, too.

#[allow(unsafe_code)] // tile instructions; `Convolution::run_plainly` is their twin
#[cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), path = "tiles/without.rs")]
mod kernel;

use std::sync::OnceLock;

/// Squares of a side with its border, rows of a board, and the first row that is computed.
const SIDE: usize = 12;
const FIRST: usize = SIDE;
/// Rows in front of and behind a board that may be read but hold nothing.
const GUARD: usize = 16;
/// Rows that are computed: eight tiles.
const COMPUTED: usize = 128;
/// Rows of features of one position.
const ROWS: usize = GUARD + FIRST + COMPUTED + GUARD;
/// Rows and columns of a tile of sums, and factors (pairs of rows) of a tile of weights.
const TILE: usize = 16;
const DEPTH: usize = 32;

/// A number rounded to half precision, kept in its upper 16 bits.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// The number that a half stands for.
fn whole(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// The row of a square (0..100) in a board's features.
const fn row_of(square: usize) -> usize {
    GUARD + (square / 10 + 1) * SIDE + square % 10 + 1
}

/// Numbers that begin where a line of the cache does: a tile's rows then lie in one line each, which doubles the speed of loads.
#[derive(Debug)]
struct Aligned {
    values: Vec<u16>,
    start: usize,
}

impl Aligned {
    fn new(numbers: &[u16]) -> Aligned {
        let mut values = vec![0; numbers.len() + DEPTH];
        let start = values.as_ptr().align_offset(2 * DEPTH).min(DEPTH);
        values[start..start + numbers.len()].copy_from_slice(numbers);
        Aligned { values, start }
    }

    fn get(&self) -> &[u16] {
        &self.values[self.start..self.start + self.values.len() - DEPTH]
    }

    fn get_mut(&mut self) -> &mut [u16] {
        let end = self.start + self.values.len() - DEPTH;
        &mut self.values[self.start..end]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        Aligned::new(self.get())
    }
}

/// The features of one position: rows of channels, zero wherever no square is.
#[derive(Clone, Debug)]
pub struct Features {
    channels: usize,
    values: Aligned,
}

impl Features {
    /// All zero. The channels are made a multiple of what a tile takes.
    pub fn new(channels: usize) -> Features {
        let channels = channels.div_ceil(DEPTH) * DEPTH;
        Features { channels, values: Aligned::new(&vec![0; ROWS * channels]) }
    }

    /// Takes over planes of bytes, 100 a channel.
    pub fn set_planes(&mut self, planes: &[u8]) {
        let values = self.values.get_mut();
        values.fill(0);
        for (channel, plane) in planes.chunks_exact(100).enumerate() {
            // Most squares of most planes are empty: four at a time.
            for (group, bytes) in plane.chunks_exact(4).enumerate().filter(|(_, bytes)| **bytes != [0; 4]) {
                for (place, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte > 0) {
                    values[row_of(4 * group + place) * self.channels + channel] = half(f32::from(byte));
                }
            }
        }
    }

    /// The channels of a square.
    pub fn square(&self, square: usize) -> &[u16] {
        let start = row_of(square) * self.channels;
        &self.values.get()[start..start + self.channels]
    }

    /// The channels of a square as numbers.
    pub fn numbers(&self, square: usize) -> impl Iterator<Item = f32> {
        self.square(square).iter().map(|&value| whole(value))
    }

    /// Mean and maximum of each channel over the board.
    pub fn pooled(&self, means: &mut [f32], most: &mut [f32]) {
        means.fill(0.0);
        most.fill(f32::MIN);
        for square in 0..100 {
            for ((mean, most), &value) in means.iter_mut().zip(most.iter_mut()).zip(self.square(square)) {
                *mean += whole(value) / 100.0;
                *most = most.max(whole(value));
            }
        }
    }
}

/// A convolution of 3x3 or 1x1 squares, its weights packed for tiles.
#[derive(Clone, Debug)]
pub struct Convolution {
    inputs: usize,
    outputs: usize,
    /// What each tap adds to a row.
    shifts: Vec<isize>,
    /// By tap, by 32 inputs, by 16 outputs: a tile of pairs of inputs.
    packed: Aligned,
    bias: Vec<f32>,
}

impl Convolution {
    /// From weights by output, input and tap (one or nine, row by row), each times `scale`, and a bias for each output.
    pub fn new(weights: &[f32], bias: &[f32], taps: usize, scale: f32) -> Convolution {
        let (outputs, per_output) = (bias.len(), weights.len() / bias.len().max(1));
        let told = per_output / taps;
        let inputs = told.div_ceil(DEPTH) * DEPTH;
        let padded = outputs.div_ceil(DEPTH) * DEPTH;
        let shifts = if taps == 1 {
            vec![0]
        } else {
            (0..9).map(|tap| (tap / 3 - 1) * SIDE as isize + tap % 3 - 1).collect()
        };
        let weight = |output: usize, input: usize, tap: usize| {
            let there = output < outputs && input < told;
            if there { half(weights[output * per_output + input * taps + tap] * scale) } else { 0 }
        };
        let mut packed = Vec::with_capacity(taps * inputs * padded);
        for tap in 0..taps {
            for input in (0..inputs).step_by(DEPTH) {
                for output in (0..padded).step_by(TILE) {
                    for pair in 0..TILE {
                        for column in 0..TILE {
                            packed.extend(
                                [0, 1].map(|odd| weight(output + column, input + 2 * pair + odd, tap)),
                            );
                        }
                    }
                }
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(padded, 0.0);
        Convolution { inputs, outputs: padded, shifts, packed: Aligned::new(&packed), bias }
    }

    /// Outputs, a multiple of 32.
    pub const fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes what comes of `input` plus `extra` by output and, if told, plus what stands in `output` already; then cut off below
    /// zero if `cut`.
    pub fn run(&self, input: &Features, output: &mut Features, extra: Option<&[f32]>, adds: bool, cut: bool) {
        debug_assert_eq!((input.channels, output.channels), (self.inputs, self.outputs));
        let mut bias = self.bias.clone();
        for (bias, extra) in bias.iter_mut().zip(extra.unwrap_or_default()) {
            *bias += extra;
        }
        let finish = Finish { bias: &bias, adds, cut };
        if tiles_are_there() {
            // SAFETY: tiles and AVX-512 are there, and the channels are those of the weights.
            #[allow(unsafe_code)]
            unsafe {
                kernel::run(self, input, output, &finish);
            }
        } else {
            self.run_plainly(input, output, &finish);
        }
    }

    /// The twin of the kernel.
    fn run_plainly(&self, input: &Features, output: &mut Features, finish: &Finish<'_>) {
        let mut sums = [0.0_f32; TILE];
        for square in 0..100 {
            for first in (0..self.outputs).step_by(TILE) {
                sums.fill(0.0);
                for (tap, &shift) in self.shifts.iter().enumerate() {
                    let row = row_of(square).wrapping_add_signed(shift) * self.inputs;
                    for (pair, values) in
                        input.values.get()[row..row + self.inputs].chunks_exact(2).enumerate()
                    {
                        if values == [0, 0] {
                            continue;
                        }
                        let tile = self.tile(tap, 2 * pair / DEPTH, first / TILE);
                        let weights = &tile[pair % TILE * DEPTH..][..DEPTH];
                        for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(2)) {
                            *sum +=
                                whole(values[0]) * whole(weights[0]) + whole(values[1]) * whole(weights[1]);
                        }
                    }
                }
                finish.write(&sums, first, output, row_of(square));
            }
        }
    }

    /// The weights of a tap between 32 inputs and 16 outputs.
    fn tile(&self, tap: usize, input: usize, output: usize) -> &[u16] {
        let (across, deep) = (self.outputs / TILE, self.inputs / DEPTH);
        let index = (tap * deep + input) * across + output;
        &self.packed.get()[index * TILE * DEPTH..][..TILE * DEPTH]
    }
}

/// What is done with sums.
struct Finish<'a> {
    bias: &'a [f32],
    adds: bool,
    cut: bool,
}

impl Finish<'_> {
    /// Turns sixteen sums into features, from channel `first` on of a row.
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled once for each set of instructions
    fn write(&self, sums: &[f32; TILE], first: usize, output: &mut Features, row: usize) {
        let start = row * output.channels + first;
        let Ok(values) = <&mut [u16; TILE]>::try_from(&mut output.values.get_mut()[start..start + TILE])
        else {
            return;
        };
        let Ok(bias) = <&[f32; TILE]>::try_from(&self.bias[first..first + TILE]) else { return };
        let mut out = *sums;
        for lane in 0..TILE {
            out[lane] += bias[lane];
        }
        if self.adds {
            for lane in 0..TILE {
                out[lane] += whole(values[lane]);
            }
        }
        if self.cut {
            for value in &mut out {
                *value = value.max(0.0);
            }
        }
        for lane in 0..TILE {
            values[lane] = half(out[lane]);
        }
    }
}

/// Whether this processor has the tiles, and the system lets this process use them.
pub fn tiles_are_there() -> bool {
    static THERE: OnceLock<bool> = OnceLock::new();
    *THERE.get_or_init(kernel::are_there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn tiles_and_their_plain_twin_agree() {
        let mut rng = Rng::new(5);
        for (inputs, outputs, taps) in [(54, 32, 9), (32, 32, 9), (64, 64, 9), (32, 64, 1)] {
            let mut draw = |count: usize| (0..count).map(|_| rng.unit() - 0.5).collect::<Vec<f32>>();
            let (weights, bias, extra) = (draw(outputs * inputs * taps), draw(outputs), draw(outputs));
            let layer = Convolution::new(&weights, &bias, taps, 0.1);
            let mut input = Features::new(inputs);
            let planes: Vec<u8> = (0..inputs * 100).map(|_| (rng.bits() % 9) as u8).collect();
            input.set_planes(&planes);
            let mut one = Features::new(outputs);
            one.set_planes(&planes[..(outputs * 100).min(planes.len())]);
            let mut two = one.clone();
            layer.run(&input, &mut one, Some(&extra), true, true);
            let sums: Vec<f32> = bias.iter().zip(&extra).map(|(a, b)| a + b).collect();
            layer.run_plainly(&input, &mut two, &Finish { bias: &sums, adds: true, cut: true });
            for square in 0..100 {
                for (a, b) in one.numbers(square).zip(two.numbers(square)) {
                    assert!((a - b).abs() <= 0.01 + b.abs() * 0.01, "{inputs} {outputs} {square}: {a} {b}");
                }
            }
            assert!(one.values.get()[..GUARD * one.channels].iter().all(|&value| value == 0));
        }
    }
}
