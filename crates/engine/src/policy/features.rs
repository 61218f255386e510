//! Values by square and channel, between two layers of a network.

use crate::rules::SQUARES;
use crate::simd::{LANES, TILE};

/// Rows and columns of the board.
pub(super) const SIDE: usize = 10;
/// Squares of a row with one beyond the board at either end.
pub(super) const LINE: usize = SIDE + 2;
/// Squares with the border.
const PADDED: usize = LINE * LINE;
/// How far a square is from the first one of its 3x3 neighbours.
pub(super) const CENTRE: usize = LINE + 1;
/// How far the first of each three neighbours that lie side by side is from the first one of all.
pub(super) const NEIGHBOUR_ROWS: [usize; 3] = [0, LINE, 2 * LINE];

/// The first square of each tile of a board, on the padded board.
pub(super) fn tile_starts() -> impl Iterator<Item = usize> {
    (0..SIDE).flat_map(|row| [row * LINE, row * LINE + TILE])
}

/// `count`, rounded up to a multiple of [`LANES`].
pub(super) const fn padded(count: usize) -> usize {
    count.div_ceil(LANES) * LANES
}

/// The values of every channel on every square. Around the board lies a border of squares that hold zeros, so that a
/// convolution need not ask where the board ends. Channels of a square lie side by side.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Features<T = f32> {
    channels: usize,
    values: Vec<T>,
}

impl<T: Copy + Default> Features<T> {
    /// Zeros; `channels` is rounded up to a multiple of [`LANES`].
    pub(super) fn new(channels: usize) -> Features<T> {
        let channels = padded(channels);
        Features { channels, values: vec![T::default(); PADDED * channels] }
    }

    /// Channels of a square, with those that pad.
    pub(super) const fn channels(&self) -> usize {
        self.channels
    }

    /// All values, row by row of the padded board.
    pub(super) fn values(&self) -> &[T] {
        &self.values
    }

    /// Like [`Features::values`], to be written.
    pub(super) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The channels of a square, which has an index as the viewer sees the board
    /// ([`seen_from`](super::encoding::seen_from)).
    pub(super) fn square(&self, index: usize) -> &[T] {
        let place = (index / SIDE + 1) * LINE + index % SIDE + 1;
        &self.values[place * self.channels..][..self.channels]
    }

    /// The values of each row of the board, without the border.
    pub(super) fn rows_mut(&mut self) -> impl Iterator<Item = &mut [T]> {
        let channels = self.channels;
        let lines = self.values.chunks_exact_mut(LINE * channels).skip(1).take(SIDE);
        lines.map(move |line| &mut line[channels..][..SIDE * channels])
    }

    /// Puts zeros on the border.
    pub(super) fn clear_border(&mut self) {
        let channels = self.channels;
        for (row, line) in self.values.chunks_exact_mut(LINE * channels).enumerate() {
            if row == 0 || row > SIDE {
                line.fill(T::default());
            } else {
                line[..channels].fill(T::default());
                line[(SIDE + 1) * channels..].fill(T::default());
            }
        }
    }

    /// Mean and maximum over the board of each of the first `channels` channels: first all means, then all maxima.
    pub(super) fn pooled(&self, channels: usize) -> Vec<f32>
    where
        T: Into<f32>,
    {
        let mut sums = vec![0.0; self.channels];
        let mut most = vec![f32::NEG_INFINITY; self.channels];
        for index in 0..SQUARES {
            for ((sum, most), &value) in sums.iter_mut().zip(&mut most).zip(self.square(index)) {
                let value = value.into();
                *sum += value;
                *most = most.max(value);
            }
        }
        let means = sums.iter().take(channels).map(|sum| sum / SQUARES as f32);
        means.chain(most.iter().take(channels).copied()).collect()
    }
}
