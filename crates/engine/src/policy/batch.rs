//! A network on many positions: for self-play, where a program acts in hundreds of games in step.
//!
//! Where the processor has matrix tiles, features and the weights of convolutions are half-precision numbers, as they are
//! where networks are trained; a policy differs from the exact one by about a hundredth. Elsewhere it is
//! [`Network`] with its integers: closer to the exact one, and slower.

use super::encoding::{Encoded, GLOBALS, Version};
use super::error::ReadError;
use super::kernel::Kernel;
use super::layers::{Dense, Width, numbers};
use super::network::{self, Network, VALUE};
use super::shape::{HEAD, Shape, read_shape};
use super::tiles::{Convolution, Features, Pass, tiles_are_there};
use crate::net::File;
use crate::rules::SQUARES;

/// A network that evaluates positions from their encodings.
#[derive(Clone, Debug)]
pub struct BatchNetwork(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Tiles(TileNetwork),
    Integers(Network),
}

/// The same network in half precision.
#[derive(Clone, Debug)]
struct TileNetwork {
    version: Version,
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
pub struct Scratch(Memory);

#[derive(Clone, Debug)]
enum Memory {
    Tiles(TileScratch),
    Integers(network::Scratch),
}

#[derive(Clone, Debug)]
struct TileScratch {
    planes: Features,
    features: Features,
    work: Features,
    ends: Features,
    pooled: Vec<f32>,
}

impl BatchNetwork {
    /// Reads a network from the bytes of its file, as [`Network::read`] does, for what is fastest here.
    ///
    /// # Errors
    /// If they are not those of a network for a known version of the encoding.
    pub fn read(bytes: &[u8]) -> Result<BatchNetwork, ReadError> {
        Ok(BatchNetwork(if tiles_are_there() {
            Kind::Tiles(TileNetwork::read(bytes)?)
        } else {
            Kind::Integers(Network::read(bytes)?)
        }))
    }

    /// Memory for one thread.
    pub fn scratch(&self) -> Scratch {
        Scratch(match &self.0 {
            Kind::Tiles(network) => Memory::Tiles(network.scratch()),
            Kind::Integers(_) => Memory::Integers(network::Scratch::default()),
        })
    }

    /// Evaluates an encoding: writes a score for each of the `legal` codes over `logits`, and returns the logits of win,
    /// draw and loss, for the player to move.
    ///
    /// # Panics
    /// If a slice is shorter than an encoding, a code is none, or the memory is another network's.
    pub fn evaluate(
        &self,
        encoded: Encoded<'_>,
        legal: &[u16],
        logits: &mut [f32],
        scratch: &mut Scratch,
    ) -> [f32; 3] {
        match (&self.0, &mut scratch.0) {
            (Kind::Tiles(network), Memory::Tiles(scratch)) => {
                network.evaluate(encoded, legal, logits, scratch)
            }
            (Kind::Integers(network), Memory::Integers(scratch)) => {
                network.evaluate_encoded(encoded, legal, logits, scratch)
            }
            _ => panic!("the memory is another network's"),
        }
    }
}

impl TileNetwork {
    fn read(bytes: &[u8]) -> Result<TileNetwork, ReadError> {
        let file = &File::read(bytes)?;
        let Shape { version, channels, blocks } = read_shape(file)?;
        let of_square = |outputs| Width { inputs: channels, outputs };
        let into_channels = |inputs| Width { inputs, outputs: channels };
        let square = |name: &str| convolution(file, name, of_square(channels), 9, 1.0);
        let block = |index: usize| {
            let pool = format!("blocks.{index}.pool");
            let pool = (index % 2 == 1).then(|| Dense::read(file, &pool, into_channels(2 * channels)));
            let (first, second) = (format!("blocks.{index}.first"), format!("blocks.{index}.second"));
            Ok(Block { first: square(&first)?, second: square(&second)?, pool: pool.transpose()? })
        };
        Ok(TileNetwork {
            version,
            channels,
            kernel: Kernel::best(),
            // Bytes are exact in half precision; the weights are scaled instead of them.
            board: convolution(file, "board", into_channels(version.planes()), 9, 1.0 / 255.0)?,
            game: Dense::read(file, "game", into_channels(GLOBALS))?,
            blocks: (0..blocks).map(block).collect::<Result<_, ReadError>>()?,
            ends: convolution(file, "ends", of_square(2 * HEAD), 1, 1.0)?,
            value_in: Dense::read(file, "value_in", Width { inputs: 2 * channels, outputs: VALUE })?,
            value_out: Dense::read(file, "value_out", Width { inputs: VALUE, outputs: 3 })?,
        })
    }

    fn scratch(&self) -> TileScratch {
        let features = Features::new(self.channels);
        let pooled = vec![0.0; 2 * self.board.outputs()];
        let (planes, ends) = (Features::new(self.version.planes()), Features::new(2 * HEAD));
        TileScratch { planes, work: features.clone(), features, ends, pooled }
    }

    fn evaluate(
        &self,
        encoded: Encoded<'_>,
        legal: &[u16],
        logits: &mut [f32],
        scratch: &mut TileScratch,
    ) -> [f32; 3] {
        let TileScratch { planes: input, features, work, ends, pooled } = scratch;
        input.set_planes(&encoded.planes[..self.version.plane_bytes()]);
        let globals: Vec<f32> =
            encoded.globals[..GLOBALS].iter().map(|&byte| f32::from(byte) / 255.0).collect();
        let game = self.game.apply(self.kernel, &globals);
        self.board.run(input, features, Pass { extra: Some(&game), adds: false, cut: true });
        for block in &self.blocks {
            let extra = block.pool.as_ref().map(|pool| pool.apply(self.kernel, self.pool(features, pooled)));
            block.first.run(features, work, Pass { extra: extra.as_deref(), adds: false, cut: true });
            block.second.run(work, features, Pass { extra: None, adds: true, cut: true });
        }
        self.ends.run(features, ends, Pass::default());
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
    width: Width,
    taps: usize,
    scale: f32,
) -> Result<Convolution, ReadError> {
    let Width { inputs, outputs } = width;
    let weights = numbers(file, &format!("{name}.weight"), inputs * outputs * taps)?;
    let bias = numbers(file, &format!("{name}.bias"), outputs)?;
    Ok(Convolution::new(&weights, &bias, taps, scale))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::encoding::PLANE_BYTES;
    use crate::rng::Rng;

    /// Half precision by the plain twin of the tiles, and integers, on an encoding drawn at random.
    #[test]
    fn tiles_and_integers_are_the_same_network() {
        let bytes = include_bytes!("self_play.net");
        let (tiles, integers) = (TileNetwork::read(bytes).unwrap(), Network::read(bytes).unwrap());
        let mut rng = Rng::new(3);
        let (mut one, mut two) = (tiles.scratch(), network::Scratch::default());
        for _ in 0..3 {
            let planes: Vec<u8> = (0..PLANE_BYTES).map(|_| if rng.below(9) == 0 { 255 } else { 0 }).collect();
            let globals: Vec<u8> = (0..GLOBALS).map(|_| rng.below(256) as u8).collect();
            let legal: Vec<u16> = (0..30).map(|_| rng.below(10_000) as u16).collect();
            let (mut a, mut b) = (vec![0.0; 30], vec![0.0; 30]);
            let encoded = Encoded { planes: &planes, globals: &globals };
            let value = tiles.evaluate(encoded, &legal, &mut a, &mut one);
            let other = integers.evaluate_encoded(encoded, &legal, &mut b, &mut two);
            let largest = a.iter().fold(1.0_f32, |most, value| most.max(value.abs()));
            for (one, other) in a.iter().zip(&b).chain(value.iter().zip(&other)) {
                assert!((one - other).abs() < 0.05 * largest, "{one} {other} of {largest}");
            }
        }
    }
}
