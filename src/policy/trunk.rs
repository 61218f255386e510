//! The part of a network that turns an observation into features of each square.
//!
//! Nearly all of the work is here, and nothing but bytes goes in and [`Features`] come out: a trunk that computes with
//! integers can take its place without any change to the heads.

use super::encoding::GLOBALS;
use super::error::ReadError;
use super::features::Features;
use super::kernel::Kernel;
use super::layers::{Convolution, Dense, InputLayer, Pass, Window};
use crate::net::File;

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

impl Trunk {
    /// Reads the trunk of a network with so many channels and blocks.
    pub(super) fn read(file: &File<'_>, channels: usize, blocks: usize) -> Result<Trunk, ReadError> {
        let board = InputLayer::read(file, "board", channels)?;
        let game = Dense::read(file, "game", (GLOBALS, channels))?;
        let blocks = (0..blocks).map(|index| Block::read(file, index, channels));
        Ok(Trunk { channels, board, game, blocks: blocks.collect::<Result<_, _>>()? })
    }

    /// Computes the features of an observation. What `work` held is overwritten; both have this trunk's channels.
    pub(super) fn apply(
        &self,
        kernel: Kernel,
        (planes, globals): (&[u8], &[u8]),
        features: &mut Features,
        work: &mut Features,
    ) {
        let globals: Vec<f32> = globals.iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let game = self.game.apply(kernel, &globals);
        self.board.apply(kernel, planes, &game, features);
        for block in &self.blocks {
            block.apply(kernel, self.channels, features, work);
        }
    }
}

impl Block {
    fn read(file: &File<'_>, index: usize, channels: usize) -> Result<Block, ReadError> {
        let convolution = |name: &str| {
            Convolution::read(
                file,
                &format!("blocks.{index}.{name}"),
                (channels, channels),
                Window::NEIGHBOURS,
            )
        };
        let pool = format!("blocks.{index}.pool");
        let pools = index % 2 == 1;
        let pool = pools.then(|| Dense::read(file, &pool, (2 * channels, channels))).transpose()?;
        Ok(Block { first: convolution("first")?, second: convolution("second")?, pool })
    }

    fn apply(&self, kernel: Kernel, channels: usize, features: &mut Features, work: &mut Features) {
        let mut bias = self.first.bias().to_vec();
        if let Some(pool) = &self.pool {
            let pooled = pool.apply(kernel, &features.pooled(channels));
            kernel.add_scaled(&pooled, 1.0, &mut bias);
        }
        self.first.apply(kernel, features, Pass { bias: &bias, adds: false, relu: true }, work);
        let pass = Pass { bias: self.second.bias(), adds: true, relu: true };
        self.second.apply(kernel, work, pass, features);
    }
}
