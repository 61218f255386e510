//! A network on many positions at once, in half precision: for self-play, where a program acts in hundreds of games in
//! step.
//!
//! The same network as [`Network`](super::Network), rounded: features and the weights of convolutions are
//! half-precision numbers, as they are where networks are trained. A policy differs from the exact one by about a
//! hundredth.

use super::encoding::{GLOBALS, PLANE_BYTES, PLANES};
use super::error::ReadError;
use super::kernel::Kernel;
use super::layers::{Dense, numbers};
use super::network::{HEAD, VALUE, read_shape};
use super::tiles::{Convolution, Features};
use crate::net::File;
use crate::rules::SQUARES;

/// A network that evaluates positions from their encodings.
#[derive(Clone, Debug)]
pub struct BatchNetwork {
    channels: usize,
    kernel: Kernel,
    board: Convolution,
    game: Dense,
    blocks: Vec<Block>,
    ends: Convolution,
    value_in: Dense,
    value_out: Dense,
}

#[derive(Clone, Debug)]
struct Block {
    first: Convolution,
    second: Convolution,
    pool: Option<Dense>,
}

/// Memory for evaluations, of one thread.
#[derive(Clone, Debug)]
pub struct Scratch {
    planes: Features,
    features: Features,
    work: Features,
    ends: Features,
    pooled: Vec<f32>,
}

impl BatchNetwork {
    /// Reads a network from the bytes of its file, as [`Network::read`](super::Network::read) does.
    ///
    /// # Errors
    /// If they are not those of a network for this version of the encoding.
    pub fn read(bytes: &[u8]) -> Result<BatchNetwork, ReadError> {
        let file = &File::read(bytes)?;
        let (channels, blocks) = read_shape(file)?;
        let square = |name: &str| convolution(file, name, (channels, channels), 9, 1.0);
        let block = |index: usize| {
            let pool = format!("blocks.{index}.pool");
            let pool = (index % 2 == 1).then(|| Dense::read(file, &pool, (2 * channels, channels)));
            let (first, second) = (format!("blocks.{index}.first"), format!("blocks.{index}.second"));
            Ok(Block { first: square(&first)?, second: square(&second)?, pool: pool.transpose()? })
        };
        Ok(BatchNetwork {
            channels,
            kernel: Kernel::best(),
            // Bytes are exact in half precision; the weights are scaled instead of them.
            board: convolution(file, "board", (PLANES, channels), 9, 1.0 / 255.0)?,
            game: Dense::read(file, "game", (GLOBALS, channels))?,
            blocks: (0..blocks).map(block).collect::<Result<_, ReadError>>()?,
            ends: convolution(file, "ends", (channels, 2 * HEAD), 1, 1.0)?,
            value_in: Dense::read(file, "value_in", (2 * channels, VALUE))?,
            value_out: Dense::read(file, "value_out", (VALUE, 3))?,
        })
    }

    /// Memory for one thread.
    pub fn scratch(&self) -> Scratch {
        let features = Features::new(self.channels);
        let pooled = vec![0.0; 2 * self.board.outputs()];
        let (planes, ends) = (Features::new(PLANES), Features::new(2 * HEAD));
        Scratch { planes, work: features.clone(), features, ends, pooled }
    }

    /// Evaluates an encoding: a score for each of the `legal` codes over `logits`, and the logits of win, draw and
    /// loss.
    ///
    /// # Panics
    /// If a slice is shorter than an encoding, or a code is none.
    pub fn evaluate(
        &self,
        planes: &[u8],
        globals: &[u8],
        legal: &[u16],
        logits: &mut [f32],
        scratch: &mut Scratch,
    ) -> [f32; 3] {
        let Scratch { planes: input, features, work, ends, pooled } = scratch;
        input.set_planes(&planes[..PLANE_BYTES]);
        let globals: Vec<f32> = globals[..GLOBALS].iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let game = self.game.apply(self.kernel, &globals);
        self.board.run(input, features, Some(&game), false, true);
        for block in &self.blocks {
            let extra = block.pool.as_ref().map(|pool| pool.apply(self.kernel, self.pool(features, pooled)));
            block.first.run(features, work, extra.as_deref(), false, true);
            block.second.run(work, features, None, true, true);
        }
        self.ends.run(features, ends, None, false, false);
        for (logit, &code) in logits.iter_mut().zip(legal) {
            let (from, to) = (usize::from(code) / SQUARES, usize::from(code) % SQUARES);
            let pairs = ends.numbers(from).take(HEAD).zip(ends.numbers(to).skip(HEAD));
            *logit = pairs.map(|(a, b)| a * b).sum::<f32>() / (HEAD as f32).sqrt();
        }
        let mut hidden = self.value_in.apply(self.kernel, self.pool(features, pooled));
        for value in &mut hidden {
            *value = value.max(0.0);
        }
        let value = self.value_out.apply(self.kernel, &hidden);
        [value[0], value[1], value[2]]
    }

    /// Means and maxima over the board, one after the other without what pads the channels.
    fn pool<'a>(&self, features: &Features, pooled: &'a mut [f32]) -> &'a [f32] {
        let (means, most) = pooled.split_at_mut(self.board.outputs());
        features.pooled(means, most);
        let padded = self.board.outputs();
        pooled.copy_within(padded..padded + self.channels, self.channels);
        &pooled[..2 * self.channels]
    }
}

fn convolution(
    file: &File<'_>,
    name: &str,
    (inputs, outputs): (usize, usize),
    taps: usize,
    scale: f32,
) -> Result<Convolution, ReadError> {
    let weights = numbers(file, &format!("{name}.weight"), inputs * outputs * taps)?;
    let bias = numbers(file, &format!("{name}.bias"), outputs)?;
    Ok(Convolution::new(&weights, &bias, taps, scale))
}
