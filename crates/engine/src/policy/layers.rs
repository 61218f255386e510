//! The layers of a network, with weights in the order in which they are used.

use super::encoding::PLANES;
use super::error::ReadError;
use super::features::{Features, LINE, SIDE, padded};
use crate::net::File;
use crate::rules::SQUARES;
use crate::simd::{Bytes, Kernel, LANES, Weights};

/// How many values a layer takes and gives, of each square or altogether.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Width {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

/// The `count` numbers of a section.
pub(super) fn numbers(file: &File<'_>, name: &str, count: usize) -> Result<Vec<f32>, ReadError> {
    let data = file.section(name)?;
    if data.len() != 4 * count {
        return Err(ReadError::Length(name.to_owned()));
    }
    let numbers: Vec<f32> = data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let finite = numbers.iter().all(|number| number.is_finite());
    if finite { Ok(numbers) } else { Err(ReadError::Number(name.to_owned())) }
}

/// The biases of a layer, padded with zeros.
fn biases(file: &File<'_>, name: &str, count: usize) -> Result<Vec<f32>, ReadError> {
    let mut bias = numbers(file, &format!("{name}.bias"), count)?;
    bias.resize(padded(count), 0.0);
    Ok(bias)
}

/// The first convolution, from bytes of which few are not 0: each of these adds its weights to the squares around it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InputLayer {
    /// Output channels, padded.
    outputs: usize,
    /// By plane, row of the filter, its column from right to left, output; for bytes, so divided by 255.
    weights: Vec<Weights>,
    bias: Vec<f32>,
}

impl InputLayer {
    /// Reads it.
    pub(super) fn read(file: &File<'_>, name: &str, width: Width) -> Result<InputLayer, ReadError> {
        let Width { inputs: planes, outputs } = width;
        let floats = numbers(file, &format!("{name}.weight"), planes * outputs * 9)?;
        let lanes = outputs.div_ceil(LANES);
        let mut weights = vec![Weights::default(); planes * 9 * lanes];
        for (index, weight) in floats.into_iter().enumerate() {
            let (tap, rest) = (index % 9, index / 9);
            let (plane, output) = (rest % planes, rest / planes);
            let turned = tap / 3 * 3 + 2 - tap % 3;
            weights[(plane * 9 + turned) * lanes + output / LANES].0[output % LANES] = weight / 255.0;
        }
        Ok(InputLayer { outputs: padded(outputs), weights, bias: biases(file, name, outputs)? })
    }

    /// Computes the features of the planes, of which there are as many as the layer has, with `game` added to each
    /// square's channels and without negative values.
    pub(super) fn apply(&self, kernel: Kernel, planes: &[u8], game: &[f32], output: &mut Features) {
        for square in output.values_mut().chunks_exact_mut(self.outputs) {
            for ((value, bias), game) in square.iter_mut().zip(&self.bias).zip(game) {
                *value = bias + game;
            }
        }
        for (square, nonzero) in NonZero::of(planes).squares() {
            self.add_square(kernel, square, nonzero, output.values_mut());
        }
        for value in output.rows_mut().flatten() {
            *value = value.max(0.0);
        }
        output.clear_border();
    }

    fn add_square(&self, kernel: Kernel, square: usize, nonzero: &[(u8, u8)], sums: &mut [f32]) {
        let (three, stride) = (3 * self.outputs, 9 * self.outputs / LANES);
        for up in 0..3 {
            // Seen through the upper row of the filter it lies below the square that it counts for.
            let place = ((square / SIDE + 2 - up) * LINE + square % SIDE) * self.outputs;
            let weights = &self.weights[up * stride / 3..];
            kernel.add_bytes(Bytes { nonzero, weights, stride }, &mut sums[place..][..three]);
        }
    }
}

/// For each square the bytes that are not 0, with their planes.
struct NonZero {
    lengths: [usize; SQUARES],
    bytes: [[(u8, u8); PLANES]; SQUARES],
}

impl NonZero {
    fn of(planes: &[u8]) -> NonZero {
        let mut nonzero = NonZero { lengths: [0; SQUARES], bytes: [[(0, 0); PLANES]; SQUARES] };
        for (number, plane) in planes.chunks_exact(SQUARES).enumerate().take(PLANES) {
            let slots = nonzero.bytes.iter_mut().zip(&mut nonzero.lengths);
            for ((bytes, length), &byte) in slots.zip(plane) {
                // Without a branch: a byte that is 0 is written over by the next.
                bytes[(*length).min(PLANES - 1)] = (number as u8, byte);
                *length += usize::from(byte > 0);
            }
        }
        nonzero
    }

    /// The squares that have any.
    fn squares(&self) -> impl Iterator<Item = (usize, &[(u8, u8)])> {
        let bytes = self.bytes.iter().zip(self.lengths).map(|(bytes, length)| &bytes[..length]);
        bytes.enumerate().filter(|(_, bytes)| !bytes.is_empty())
    }
}

/// A dense layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dense {
    /// By input, then output, padded.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Dense {
    /// Reads a dense layer as `PyTorch` keeps it: output by output.
    pub(super) fn read(file: &File<'_>, name: &str, width: Width) -> Result<Dense, ReadError> {
        let Width { inputs, outputs } = width;
        let floats = numbers(file, &format!("{name}.weight"), inputs * outputs)?;
        let wide = padded(outputs);
        let mut weights = vec![0.0; inputs * wide];
        for (index, weight) in floats.into_iter().enumerate() {
            weights[index % inputs * wide + index / inputs] = weight;
        }
        Ok(Dense { weights, bias: biases(file, name, outputs)? })
    }

    /// Its outputs, padded with zeros.
    pub(super) fn apply(&self, kernel: Kernel, input: &[f32]) -> Vec<f32> {
        let mut sums = vec![0.0; self.bias.len()];
        self.write(kernel, input, &mut sums);
        sums
    }

    /// Writes its outputs, padded with zeros, over `sums`, which are as many.
    pub(super) fn write(&self, kernel: Kernel, input: &[f32], sums: &mut [f32]) {
        sums.copy_from_slice(&self.bias);
        for (weights, &value) in self.weights.chunks_exact(sums.len().max(1)).zip(input) {
            kernel.add_scaled(weights, value, sums);
        }
    }
}
