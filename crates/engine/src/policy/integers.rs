//! The residual blocks of a network in integers: weights of one byte, features of two, sums of four.
//!
//! A feature is a count of 1 / [`ONE`]. A weight is a count of its output's own unit, the largest weight being 127 of
//! them; in memory it takes two bytes, as the loops need it. A sum of four bytes cannot overflow, and what becomes of
//! it in single precision is rounded step by step: so every machine computes the same, whatever loops it has. It takes
//! three fifths of the time that single precision took.

use super::error::ReadError;
use super::features::{CENTRE, Features, NEIGHBOUR_ROWS, padded, tile_starts};
use super::layers::numbers;
use crate::net::File;
use crate::simd::{Kernel, LANES, Pairs, Scale, Source};

/// The feature 1: features lie below 128; those of the embedded network stay below 10 in a random game.
pub(super) const ONE: f32 = 256.0;
/// The largest weight.
const MOST_WEIGHT: f32 = 127.0;
/// The most that an output's weights may add up to: times the largest feature it is below 2^31.
const MOST_WEIGHTS: f32 = 60_000.0;
/// Squares that count for one square of the output.
const TAPS: usize = 9;

/// What becomes of a convolution's sums, beside that negative results become 0.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pass<'a> {
    /// What is added to each channel in place of the layer's own biases, in features.
    pub(super) bias: &'a [f32],
    /// Whether the output holds values to which the sums are added.
    pub(super) adds: bool,
}

/// A 3x3 convolution whose negative results become 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convolution {
    /// Input channels, padded.
    inputs: usize,
    /// By [`LANES`] outputs, square of the window, pair of inputs.
    weights: Vec<Pairs>,
    /// The unit of each output's weights, padded with zeros.
    units: Vec<f32>,
    /// In features, padded with zeros.
    bias: Vec<f32>,
}

impl Convolution {
    /// Reads a convolution of as many inputs as outputs and rounds its weights.
    pub(super) fn read(file: &File<'_>, name: &str, channels: usize) -> Result<Convolution, ReadError> {
        let floats = numbers(file, &format!("{name}.weight"), channels * channels * TAPS)?;
        let mut bias = numbers(file, &format!("{name}.bias"), channels)?;
        let (wide, mut units) = (padded(channels), Vec::with_capacity(padded(channels)));
        let block = TAPS * wide / 2;
        let mut weights = vec![Pairs::default(); wide / LANES * block];
        for (output, row) in floats.chunks_exact((channels * TAPS).max(1)).enumerate() {
            let unit = unit_of(row);
            for (index, weight) in row.iter().enumerate() {
                let (input, tap) = (index / TAPS, index % TAPS);
                let place = output / LANES * block + tap * (wide / 2) + input / 2;
                weights[place].0[output % LANES][input % 2] = (weight / unit).round_ties_even() as i16;
            }
            units.push(unit);
        }
        units.resize(wide, 0.0);
        bias.resize(wide, 0.0);
        Ok(Convolution { inputs: wide, weights, units, bias })
    }

    /// Its biases.
    pub(super) fn bias(&self) -> &[f32] {
        &self.bias
    }

    /// Computes its output on every square of the board. The border of `output` is left alone.
    pub(super) fn apply(
        &self,
        kernel: Kernel,
        input: &Features<i16>,
        pass: Pass<'_>,
        output: &mut Features<i16>,
    ) {
        let Pass { bias, adds } = pass;
        let (values, channels, runs) = (input.values().as_chunks().0, output.channels(), &NEIGHBOUR_ROWS);
        let scaled: Vec<f32> = bias.iter().map(|bias| bias * ONE).collect();
        let blocks = self.weights.chunks_exact((TAPS * self.inputs / 2).max(1));
        let lanes = self.units.as_chunks().0.iter().zip(scaled.as_chunks().0);
        for (block, (weights, (units, bias))) in blocks.zip(lanes).enumerate() {
            let scale = Scale { units, bias, adds };
            for first in tile_starts() {
                let source = Source { weights, values, channels: self.inputs / 2, runs, first };
                let place = (first + CENTRE) * channels + block * LANES;
                kernel.convolve(source, scale, &mut output.values_mut()[place..], channels);
            }
        }
    }
}

/// The unit of an output's weights.
fn unit_of(weights: &[f32]) -> f32 {
    let most = weights.iter().fold(0.0_f32, |most, weight| most.max(weight.abs()));
    // Each weight may be rounded up by a half.
    let room = MOST_WEIGHTS - weights.len() as f32 / 2.0;
    let sum: f32 = weights.iter().map(|weight| weight.abs()).sum();
    (most / MOST_WEIGHT).max(sum / room.max(1.0)).max(f32::MIN_POSITIVE)
}

/// Rounds features.
pub(super) fn to_integers(features: &Features, integers: &mut Features<i16>) {
    for (integer, value) in integers.values_mut().iter_mut().zip(features.values()) {
        *integer = rounded(value * ONE).min(f32::from(i16::MAX)) as i16;
    }
}

/// What [`f32::round_ties_even`] says of features, without a call for each: many processors that this is built for lack
/// an instruction for it. At this size a number's last bit is worth one.
fn rounded(value: f32) -> f32 {
    const LAST_BIT_IS_ONE: f32 = 12_582_912.0;
    (value + LAST_BIT_IS_ONE) - LAST_BIT_IS_ONE
}

/// The features that integers stand for.
pub(super) fn from_integers(integers: &Features<i16>, features: &mut Features) {
    for (value, integer) in features.values_mut().iter_mut().zip(integers.values()) {
        *value = f32::from(*integer) / ONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_rounded_as_the_standard_library_rounds() {
        for quarter in 0..4 * 40_000 {
            let value = quarter as f32 / 4.0;
            for value in [value.next_down(), value, value.next_up(), -value] {
                assert_eq!(rounded(value) as i32, value.round_ties_even() as i32, "{value:?}");
            }
        }
    }
}
