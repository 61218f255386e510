//! What is shown of many games at once, as flat arrays of rows.

use outflank::policy::encoding::{GLOBALS, PLANE_BYTES};
use outflank::rules::SQUARES;

/// Marks squares without a hidden enemy piece in [`Batch::hidden`].
pub const NONE: u8 = 255;

/// One row a game, each from the view of its player to move.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// Planes, [`PLANE_BYTES`] a row.
    pub planes: Vec<u8>,
    /// Bytes about the whole game, [`GLOBALS`] a row.
    pub globals: Vec<u8>,
    /// Codes of the legal actions, rising in each row, row after row.
    pub legal: Vec<u16>,
    /// Where each row's legal actions begin in `legal`; one more entry for the end.
    pub starts: Vec<u32>,
    /// What the adviser says of each legal action, beside `legal`, in points of evaluation: 0 for its best, less for
    /// others, [`UNADVISED`](crate::adviser::UNADVISED) for what it tells no value of. Empty without an adviser.
    pub advice: Vec<f32>,
    /// The true rank of each hidden enemy piece by square, [`NONE`] elsewhere: for training alone. 100 a row.
    pub hidden: Vec<u8>,
}

impl Batch {
    /// Makes room for `rows`; what it holds is void until it is filled.
    pub(crate) fn resize(&mut self, rows: usize) {
        self.planes.resize(rows * PLANE_BYTES, 0);
        self.globals.resize(rows * GLOBALS, 0);
        self.hidden.resize(rows * SQUARES, NONE);
    }

    /// Gathers the rows' legal actions, and what is advised of them.
    pub(crate) fn gather<'a>(&mut self, rows: impl Iterator<Item = (&'a [u16], &'a [f32])>) {
        self.legal.clear();
        self.starts.clear();
        self.advice.clear();
        for (codes, advice) in rows {
            self.starts.push(self.legal.len() as u32);
            self.legal.extend_from_slice(codes);
            self.advice.extend_from_slice(advice);
        }
        self.starts.push(self.legal.len() as u32);
    }
}
