//! The size of a network, as its file tells it.

use super::encoding::{ENCODING, GLOBALS, PLANES};
use super::error::ReadError;
use crate::net::{self, File};

/// Dimensions of the vectors whose inner product scores a pair of squares.
pub(super) const HEAD: usize = 32;
/// More channels or blocks than this are no network of this engine.
const MOST_CHANNELS: u32 = 512;
const MOST_BLOCKS: u32 = 64;

/// The size of a network.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Shape {
    pub(super) channels: usize,
    pub(super) blocks: usize,
}

/// The shape of a network, if all else is as this engine needs it.
pub(super) fn read_shape(file: &File<'_>) -> Result<Shape, ReadError> {
    let (numbers, rest) = file.section("policy")?.as_chunks();
    let numbers: Vec<u32> = numbers.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect();
    let (&[number, planes, globals, channels, blocks, head], []) = (&numbers[..], rest) else {
        return Err(ReadError::File(net::Error::Length));
    };
    if number != ENCODING {
        return Err(ReadError::Encoding(number));
    }
    let fits = [
        ("planes", planes, planes == PLANES as u32),
        ("globals", globals, globals == GLOBALS as u32),
        ("dimensions of its move vectors", head, head == HEAD as u32),
        ("channels", channels, (1..=MOST_CHANNELS).contains(&channels)),
        ("blocks", blocks, blocks <= MOST_BLOCKS),
    ];
    match fits.into_iter().find(|(_, _, fits)| !fits) {
        Some((name, found, _)) => Err(ReadError::Dimension(name, found)),
        None => Ok(Shape { channels: channels as usize, blocks: blocks as usize }),
    }
}
