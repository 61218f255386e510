//! Features of a position as tiles take them: a board of twelve by twelve squares, a row of channels for each.

/// Squares of a side with its border, rows of a board, and the first row that is computed.
pub(super) const SIDE: usize = 12;
pub(super) const FIRST: usize = SIDE;
/// Rows in front of and behind a board that may be read but hold nothing.
pub(super) const GUARD: usize = 16;
/// Rows that are computed: eight tiles.
pub(super) const COMPUTED: usize = 128;
/// Rows of features of one position.
pub(super) const ROWS: usize = GUARD + FIRST + COMPUTED + GUARD;
/// Rows and columns of a tile of sums, and factors (pairs of rows) of a tile of weights.
pub(super) const TILE: usize = 16;
pub(super) const DEPTH: usize = 32;

/// A number rounded to half precision, kept in its upper 16 bits.
pub(super) fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// The number that a half stands for.
pub(super) fn whole(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// The row of a square (0..100) in a board's features.
pub(super) const fn row_of(square: usize) -> usize {
    GUARD + (square / 10 + 1) * SIDE + square % 10 + 1
}

/// Numbers that begin where a line of the cache does: a tile's rows then lie in one line each, which doubles the speed
/// of loads.
#[derive(Debug)]
pub(super) struct Aligned {
    values: Vec<u16>,
    start: usize,
}

impl Aligned {
    pub(super) fn new(numbers: &[u16]) -> Aligned {
        let mut values = vec![0; numbers.len() + DEPTH];
        let start = values.as_ptr().align_offset(2 * DEPTH).min(DEPTH);
        values[start..start + numbers.len()].copy_from_slice(numbers);
        Aligned { values, start }
    }

    pub(super) fn get(&self) -> &[u16] {
        &self.values[self.start..self.start + self.values.len() - DEPTH]
    }

    pub(super) fn get_mut(&mut self) -> &mut [u16] {
        let end = self.start + self.values.len() - DEPTH;
        &mut self.values[self.start..end]
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Aligned {
        Aligned::new(self.get())
    }
}

/// The features of one position: rows of channels, zero wherever no square is.
#[derive(Clone, Debug)]
pub(crate) struct Features {
    pub(super) channels: usize,
    pub(super) values: Aligned,
}

impl Features {
    /// All zero. The channels are made a multiple of what a tile takes.
    pub(crate) fn new(channels: usize) -> Features {
        let channels = channels.div_ceil(DEPTH) * DEPTH;
        Features { channels, values: Aligned::new(&vec![0; ROWS * channels]) }
    }

    /// Takes over planes of bytes, 100 a channel.
    pub(crate) fn set_planes(&mut self, planes: &[u8]) {
        let values = self.values.get_mut();
        values.fill(0);
        for (channel, plane) in planes.chunks_exact(100).enumerate() {
            // Most squares of most planes are empty: four at a time.
            for (group, bytes) in plane.chunks_exact(4).enumerate().filter(|(_, bytes)| **bytes != [0; 4]) {
                for (place, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte > 0) {
                    values[row_of(4 * group + place) * self.channels + channel] = half(f32::from(byte));
                }
            }
        }
    }

    /// The channels of a square.
    pub(crate) fn square(&self, square: usize) -> &[u16] {
        let start = row_of(square) * self.channels;
        &self.values.get()[start..start + self.channels]
    }

    /// The channels of a square as numbers.
    pub(crate) fn numbers(&self, square: usize) -> impl Iterator<Item = f32> {
        self.square(square).iter().map(|&value| whole(value))
    }

    /// Mean and maximum of each channel over the board.
    pub(crate) fn pooled(&self, means: &mut [f32], most: &mut [f32]) {
        means.fill(0.0);
        most.fill(f32::MIN);
        for square in 0..100 {
            for ((mean, most), &value) in means.iter_mut().zip(most.iter_mut()).zip(self.square(square)) {
                *mean += whole(value) / 100.0;
                *most = most.max(whole(value));
            }
        }
    }
}
