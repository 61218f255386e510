//! The part of a network that turns an observation into features of each square.
//!
//! Nearly all of the work is in the residual blocks. They compute with integers; for checking these they can be had in
//! single precision, too.

use super::encoding::{Encoded, GLOBALS, PLANES};
use super::error::ReadError;
use super::features::Features;
use super::integers::{self, from_integers, to_integers};
use super::layers::{Convolution, Dense, InputLayer, Pass, Width, Window};
use super::shape::Shape;
use crate::net::File;
use crate::simd::Kernel;

/// The input layer and the residual blocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trunk {
    channels: usize,
    board: InputLayer,
    game: Dense,
    blocks: Blocks,
}

/// How the residual blocks compute.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Precision {
    /// With weights of one byte and features of two.
    Integers,
    /// As they were trained, in single precision.
    Exact,
}

#[derive(Clone, Debug, PartialEq)]
enum Blocks {
    Integers(Vec<Block<integers::Convolution>>),
    Exact(Vec<Block<Convolution>>),
}

/// Two convolutions whose result is added to their input.
#[derive(Clone, Debug, PartialEq)]
struct Block<C> {
    first: C,
    second: C,
    /// What the whole board adds to the first one's output; in every second block.
    pool: Option<Dense>,
}

/// Memory for [`Trunk::apply`], kept from one observation to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct TrunkScratch {
    exact: Features,
    integers: [Features<i16>; 2],
}

impl TrunkScratch {
    pub(super) fn new(channels: usize) -> TrunkScratch {
        let integers = [Features::new(channels), Features::new(channels)];
        TrunkScratch { exact: Features::new(channels), integers }
    }
}

impl Trunk {
    /// Reads the trunk of a network of this shape.
    pub(super) fn read(file: &File<'_>, shape: Shape, precision: Precision) -> Result<Trunk, ReadError> {
        let channels = shape.channels;
        let into_channels = |inputs| Width { inputs, outputs: channels };
        let board = InputLayer::read(file, "board", into_channels(PLANES))?;
        let game = Dense::read(file, "game", into_channels(GLOBALS))?;
        let blocks = match precision {
            Precision::Integers => Blocks::Integers(read_blocks(file, shape, |name| {
                integers::Convolution::read(file, name, channels)
            })?),
            Precision::Exact => Blocks::Exact(read_blocks(file, shape, |name| {
                Convolution::read(file, name, into_channels(channels), Window::NEIGHBOURS)
            })?),
        };
        Ok(Trunk { channels, board, game, blocks })
    }

    /// Computes the features of an observation. `features` and `scratch` have this trunk's channels.
    pub(super) fn apply(
        &self,
        kernel: Kernel,
        encoded: Encoded<'_>,
        features: &mut Features,
        scratch: &mut TrunkScratch,
    ) {
        let Encoded { planes, globals } = encoded;
        let globals: Vec<f32> = globals.iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let game = self.game.apply(kernel, &globals);
        self.board.apply(kernel, planes, &game, features);
        match &self.blocks {
            Blocks::Exact(blocks) => {
                for block in blocks {
                    block.apply_exactly(kernel, self.channels, features, &mut scratch.exact);
                }
            }
            Blocks::Integers(blocks) => {
                let [rounded, work] = &mut scratch.integers;
                to_integers(features, rounded);
                for block in blocks {
                    block.apply(kernel, self.channels, rounded, work);
                }
                from_integers(rounded, features);
            }
        }
    }
}

fn read_blocks<C>(
    file: &File<'_>,
    shape: Shape,
    read: impl Fn(&str) -> Result<C, ReadError>,
) -> Result<Vec<Block<C>>, ReadError> {
    let Shape { channels, blocks, .. } = shape;
    let pooled = Width { inputs: 2 * channels, outputs: channels };
    let block = |index: usize| {
        let name = |part: &str| format!("blocks.{index}.{part}");
        let pools = index % 2 == 1;
        let pool = || Dense::read(file, &name("pool"), pooled);
        Ok(Block {
            first: read(&name("first"))?,
            second: read(&name("second"))?,
            pool: pools.then(pool).transpose()?,
        })
    };
    (0..blocks).map(block).collect()
}

impl<C> Block<C> {
    /// The biases of the first convolution, with what the whole board adds to them.
    fn bias(&self, kernel: Kernel, bias: &[f32], pooled: impl FnOnce() -> Vec<f32>) -> Vec<f32> {
        let mut bias = bias.to_vec();
        if let Some(pool) = &self.pool {
            kernel.add_scaled(&pool.apply(kernel, &pooled()), 1.0, &mut bias);
        }
        bias
    }
}

impl Block<integers::Convolution> {
    fn apply(&self, kernel: Kernel, channels: usize, features: &mut Features<i16>, work: &mut Features<i16>) {
        let pooled = || features.pooled(channels).into_iter().map(|sum| sum / integers::ONE).collect();
        let bias = self.bias(kernel, self.first.bias(), pooled);
        self.first.apply(kernel, features, integers::Pass { bias: &bias, adds: false }, work);
        self.second.apply(kernel, work, integers::Pass { bias: self.second.bias(), adds: true }, features);
    }
}

impl Block<Convolution> {
    fn apply_exactly(&self, kernel: Kernel, channels: usize, features: &mut Features, work: &mut Features) {
        let bias = self.bias(kernel, self.first.bias(), || features.pooled(channels));
        self.first.apply(kernel, features, Pass { bias: &bias, adds: false, relu: true }, work);
        let pass = Pass { bias: self.second.bias(), adds: true, relu: true };
        self.second.apply(kernel, work, pass, features);
    }
}
