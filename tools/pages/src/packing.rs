//! Packing what changes from ply to ply into few bytes.
//!
//! **The belief.** A probability becomes a byte: 0 is impossible, 255 certain, and a possible rank is never 0. For
//! each ply there is the number of pieces of which a byte changed, and for each of these its number, a set of ranks
//! (two bytes, the lower first) and a byte for each rank of the set, in the order of [`Rank::ALL`]. Everything is 0
//! before the first ply.
//!
//! **The explanation** of what is believed of the piece that moved, for each ply: the number of rows, and for each row
//! the place of its likelihood in [`Likelihood::ALL`](outflank::belief::Likelihood::ALL) (or [`COUNTS`]), a set of ranks
//! and their bytes as above. A row changes the one before it, and the first of a ply begins from 0. Rows that change
//! nothing are left out.
//!
//! **The board.** For each ply there is the number of pieces that changed their square, and for each of these its
//! index and its square's, or [`GONE`].
//!
//! A page reads all of it once and keeps every ply, so that there is no need for a whole one now and then.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use outflank::belief::{RankProbabilities, Stage};
use outflank::rules::{ByPiece, ByRank, PieceId, Position, Rank, RankSet, Side};

/// The row of an explanation that goes by facts and the army's counts alone.
pub const COUNTS: u8 = u8::MAX;

/// The square of a piece that is not on the board.
pub const GONE: u8 = u8::MAX;

/// Bytes as text.
pub(super) fn text(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// What one side believes about the other's pieces, ply by ply.
#[derive(Clone, Debug, Default)]
pub struct BeliefPacker {
    kept: ByPiece<ByRank<u8>>,
    bytes: Vec<u8>,
}

impl BeliefPacker {
    /// Adds the belief after the next ply.
    pub fn add(&mut self, pieces: &[(PieceId, RankProbabilities)]) {
        let count = self.bytes.len();
        self.bytes.push(0);
        for (id, probabilities) in pieces {
            let kept = &mut self.kept[*id];
            let next = probabilities.map(byte);
            if *kept != next {
                self.bytes[count] += 1;
                self.bytes.push(id.number() as u8);
                push_changes(&mut self.bytes, kept, &next);
                *kept = next;
            }
        }
    }

    /// All plies so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The byte of a probability.
fn byte(probability: f32) -> u8 {
    match probability {
        none if none <= 0.0 => 0,
        all if all >= 1.0 => u8::MAX,
        some => ((some * 255.0).round() as u8).clamp(1, 254),
    }
}

/// Which bytes of a row change, and to what.
fn push_changes(bytes: &mut Vec<u8>, before: &ByRank<u8>, after: &ByRank<u8>) {
    let changed: RankSet = Rank::ALL.into_iter().filter(|rank| before[*rank] != after[*rank]).collect();
    bytes.extend(changed.bits().to_le_bytes());
    bytes.extend(changed.iter().map(|rank| after[rank]));
}

/// Why the pieces that moved are believed to be what they are, ply by ply.
#[derive(Clone, Debug, Default)]
pub struct WhyPacker {
    bytes: Vec<u8>,
}

impl WhyPacker {
    /// Adds what [`outflank::belief::Belief::stages`] says after the next ply; nothing for a piece that needs no
    /// explanation.
    pub fn add(&mut self, stages: &[Stage]) {
        let count = self.bytes.len();
        self.bytes.push(0);
        let mut before = ByRank::filled(0);
        for Stage { after: likelihood, probabilities } in stages {
            let after = probabilities.map(byte);
            if before != after {
                self.bytes[count] += 1;
                self.bytes.push(likelihood.map_or(COUNTS, |likelihood| likelihood.index() as u8));
                push_changes(&mut self.bytes, &before, &after);
                before = after;
            }
        }
    }

    /// All plies so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Where the pieces stand, ply by ply.
#[derive(Clone, Debug)]
pub struct BoardPacker {
    squares: ByPiece<u8>,
    bytes: Vec<u8>,
}

impl Default for BoardPacker {
    fn default() -> BoardPacker {
        BoardPacker { squares: ByPiece::filled(GONE), bytes: Vec::new() }
    }
}

impl BoardPacker {
    /// Adds the position after the next ply.
    pub fn add(&mut self, position: &Position) {
        let count = self.bytes.len();
        self.bytes.push(0);
        for (id, piece) in Side::BOTH.into_iter().flat_map(|side| position.pieces(side)) {
            let square = piece.square.map_or(GONE, |square| square.index() as u8);
            if self.squares[id] != square {
                self.squares[id] = square;
                self.bytes[count] += 1;
                self.bytes.extend([id.index() as u8, square]);
            }
        }
    }

    /// All plies so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::belief::Likelihood;

    #[test]
    fn a_possible_rank_is_never_impossible_nor_certain() {
        assert_eq!([0.0, 1e-6, 0.5, 0.999_999, 1.0].map(byte), [0, 1, 128, 254, 255]);
    }

    #[test]
    fn only_what_changes_is_written() {
        let id = PieceId::new(Side::Blue, 7);
        let certain = ByRank::from_fn(|rank| if rank == Rank::Spy { 1.0 } else { 0.0 });
        let mut packer = BeliefPacker::default();
        packer.add(&[(id, certain)]);
        packer.add(&[(id, certain)]);
        assert_eq!(packer.bytes(), [1, 7, 2, 0, 255, 0]);
        assert_eq!(text(packer.bytes()), "AQcCAP8A");
    }

    #[test]
    fn rows_that_change_nothing_are_left_out() {
        let even = ByRank::from_fn(|rank| if rank.is_mobile() { 0.1 } else { 0.0 });
        let scout = ByRank::from_fn(|rank| if rank == Rank::Scout { 1.0 } else { 0.0 });
        let mut packer = WhyPacker::default();
        let stages = [(None, even), (Some(Likelihood::Place), even), (Some(Likelihood::History), scout)];
        packer.add(&stages.map(|(after, probabilities)| Stage { after, probabilities }));
        packer.add(&[]);
        let bytes = packer.bytes();
        assert_eq!(bytes[..5], [2, COUNTS, 0xfe, 0x07, 26]);
        assert_eq!(bytes[14..18], [Likelihood::History.index() as u8, 0xfe, 0x07, 0]);
        assert_eq!(bytes.len(), 28);
    }
}
