//! The part of a network that turns an observation into features of each square. Nearly all of the work is in the
//! residual blocks.

use super::encoding::{GLOBALS, PLANES};
use super::error::ReadError;
use super::features::Features;
use super::integers::{Convolution, ONE, Pass, from_integers, to_integers};
use super::layers::{Dense, InputLayer, Width};
use super::shape::Shape;
use crate::net::File;
use crate::simd::Kernel;

/// The input layer and the residual blocks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trunk {
    channels: usize,
    board: InputLayer,
    game: Dense,
    blocks: Vec<Block>,
}

/// Two convolutions whose result is added to their input.
#[derive(Clone, Debug, PartialEq)]
struct Block {
    first: Convolution,
    second: Convolution,
    /// What the whole board adds to the first one's output; in every second block.
    pool: Option<Dense>,
}

/// Memory for [`Trunk::apply`], kept from one observation to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct TrunkScratch([Features<i16>; 2]);

impl TrunkScratch {
    pub(super) fn new(channels: usize) -> TrunkScratch {
        TrunkScratch([Features::new(channels), Features::new(channels)])
    }
}

impl Trunk {
    /// Reads the trunk of a network of this shape.
    pub(super) fn read(file: &File<'_>, shape: Shape) -> Result<Trunk, ReadError> {
        let channels = shape.channels;
        let into_channels = |inputs| Width { inputs, outputs: channels };
        let board = InputLayer::read(file, "board", into_channels(PLANES))?;
        let game = Dense::read(file, "game", into_channels(GLOBALS))?;
        let blocks = (0..shape.blocks).map(|index| Block::read(file, index, channels));
        Ok(Trunk { channels, board, game, blocks: blocks.collect::<Result<_, _>>()? })
    }

    /// Computes the features of an observation: its planes and what is about the whole game. `features` and `scratch`
    /// have this trunk's channels.
    pub(super) fn apply(
        &self,
        kernel: Kernel,
        (planes, globals): (&[u8], &[u8]),
        features: &mut Features,
        TrunkScratch([rounded, work]): &mut TrunkScratch,
    ) {
        let globals: Vec<f32> = globals.iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let game = self.game.apply(kernel, &globals);
        self.board.apply(kernel, planes, &game, features);
        to_integers(features, rounded);
        for block in &self.blocks {
            block.apply(kernel, self.channels, rounded, work);
        }
        from_integers(rounded, features);
    }
}

impl Block {
    fn read(file: &File<'_>, index: usize, channels: usize) -> Result<Block, ReadError> {
        let name = |part: &str| format!("blocks.{index}.{part}");
        let pooled = Width { inputs: 2 * channels, outputs: channels };
        let pool = || Dense::read(file, &name("pool"), pooled);
        Ok(Block {
            first: Convolution::read(file, &name("first"), channels)?,
            second: Convolution::read(file, &name("second"), channels)?,
            pool: (index % 2 == 1).then(pool).transpose()?,
        })
    }

    fn apply(&self, kernel: Kernel, channels: usize, features: &mut Features<i16>, work: &mut Features<i16>) {
        let mut bias = self.first.bias().to_vec();
        if let Some(pool) = &self.pool {
            let pooled: Vec<f32> = features.pooled(channels).into_iter().map(|sum| sum / ONE).collect();
            kernel.add_scaled(&pool.apply(kernel, &pooled), 1.0, &mut bias);
        }
        self.first.apply(kernel, features, Pass { bias: &bias, adds: false }, work);
        self.second.apply(kernel, work, Pass { bias: self.second.bias(), adds: true }, features);
    }
}
