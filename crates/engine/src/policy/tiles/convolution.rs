//! A convolution with weights in the order of the tiles, and its sums in plain Rust.

use super::features::{Aligned, DEPTH, Features, SIDE, TILE, half, row_of, whole};

/// A convolution of 3x3 or 1x1 squares, its weights packed for tiles.
#[derive(Clone, Debug)]
pub(crate) struct Convolution {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    /// What each tap adds to a row.
    pub(super) shifts: Vec<isize>,
    /// By tap, by 32 inputs, by 16 outputs: a tile of pairs of inputs.
    packed: Aligned,
    pub(super) bias: Vec<f32>,
}

impl Convolution {
    /// From weights by output, input and tap (one or nine, row by row), each times `scale`, and a bias for each
    /// output.
    pub(crate) fn new(weights: &[f32], bias: &[f32], taps: usize, scale: f32) -> Convolution {
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
                    pack_tile(&mut packed, |column, deep| weight(output + column, input + deep, tap));
                }
            }
        }
        let mut bias = bias.to_vec();
        bias.resize(padded, 0.0);
        Convolution { inputs, outputs: padded, shifts, packed: Aligned::new(&packed), bias }
    }

    /// Outputs, a multiple of 32.
    pub(crate) const fn outputs(&self) -> usize {
        self.outputs
    }

    /// The twin of the kernel.
    pub(super) fn run_plainly(&self, input: &Features, output: &mut Features, finish: &Finish<'_>) {
        for square in 0..100 {
            for first in (0..self.outputs).step_by(TILE) {
                let mut sums = [0.0; TILE];
                for (tap, &shift) in self.shifts.iter().enumerate() {
                    let row = row_of(square).wrapping_add_signed(shift) * self.inputs;
                    self.add_tap(&mut sums, tap, &input.values.get()[row..row + self.inputs], first);
                }
                finish.write(&sums, first, output, row_of(square));
            }
        }
    }

    /// Adds to the sums of sixteen outputs, from `first` on, what a tap makes of the channels of one square.
    fn add_tap(&self, sums: &mut [f32; TILE], tap: usize, channels: &[u16], first: usize) {
        let pairs = channels.chunks_exact(2).enumerate();
        for (pair, values) in pairs.filter(|(_, values)| *values != [0, 0]) {
            let tile = self.tile(tap, 2 * pair / DEPTH, first / TILE);
            let weights = &tile[pair % TILE * DEPTH..][..DEPTH];
            for (sum, weights) in sums.iter_mut().zip(weights.chunks_exact(2)) {
                *sum += whole(values[0]) * whole(weights[0]) + whole(values[1]) * whole(weights[1]);
            }
        }
    }

    /// The weights of a tap between 32 inputs and 16 outputs.
    pub(super) fn tile(&self, tap: usize, input: usize, output: usize) -> &[u16] {
        let (across, deep) = (self.outputs / TILE, self.inputs / DEPTH);
        let index = (tap * deep + input) * across + output;
        &self.packed.get()[index * TILE * DEPTH..][..TILE * DEPTH]
    }
}

/// Adds a tile: pair by pair of its inputs, the two weights of each of its outputs. `weight` has them by output and input
/// within the tile.
fn pack_tile(packed: &mut Vec<u16>, weight: impl Fn(usize, usize) -> u16) {
    for pair in 0..TILE {
        for output in 0..TILE {
            packed.extend([0, 1].map(|odd| weight(output, 2 * pair + odd)));
        }
    }
}

/// What is done with sums.
pub(super) struct Finish<'a> {
    pub(super) bias: &'a [f32],
    pub(super) adds: bool,
    pub(super) cut: bool,
}

impl Finish<'_> {
    /// Turns sixteen sums into features, from channel `first` on of a row.
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled once for each set of instructions
    pub(super) fn write(&self, sums: &[f32; TILE], first: usize, output: &mut Features, row: usize) {
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
