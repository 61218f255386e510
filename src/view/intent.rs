//! What a move of the enemy's told of one of its pieces, as far as somebody has thought about it.

use crate::rules::{PieceId, Rank, RankSet};

/// How much a move was to be expected, by what one of its side's pieces of untold rank might be.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Intent {
    /// Plies of the game up to the move, itself counted.
    pub ply: u32,
    /// The piece that this is about: the one that moved, or one that stood still.
    pub id: PieceId,
    /// Whether it is the one that moved.
    pub moved: bool,
    /// The ranks that were thought about.
    pub ranks: RankSet,
    /// For each of them, by [`Rank::index`], the chance (0 to 1) that its side would have chosen this of all its actions.
    pub chances: [f32; Rank::COUNT],
    /// The mean of these, by what the piece was believed to be.
    pub mean: f32,
    /// The same chance if its side chose blindly.
    pub blind: f32,
    /// Nodes that it took to find out.
    pub nodes: u64,
}
