//! Where humans put their pieces: start weights of the ranks by square.
//!
//! Source: derived figures from 58,560 human setups collected from gravon.de (40,288
//! distinct up to mirror image), each taken with its mirror image and counted by the
//! square root of how often it was played, which predicts unseen setups best. The
//! setups themselves are not part of the project.
//!
//! These are weights of the joint model, not probabilities: an assignment of the army
//! to the forty squares is taken in proportion to the product of its squares' weights,
//! and the weights are fitted so that the model's exact marginals are the observed
//! shares. Per rank the mean over the squares is 10000, so 10000 means "as if placed
//! blindly", and mixing a weight with 10000 weakens the prior evenly for all ranks.

use super::barrage;
use super::params::count_share;
use crate::rules::{ByRank, Piece, PieceId, Rank, Ruleset, Square};

/// Start weights by `row_from_back * 5 + min(column, 9 - column)` and by [`Rank::index`]: positive, 10000 meaning "as
/// if placed blindly".
#[doc(hidden)]
pub type SquarePrior = [[u16; Rank::COUNT]; 20];

/// The entry of a [`SquarePrior`] that says "as if placed blindly".
pub(super) const BLIND: f32 = 10_000.0;

/// How much each rank is favoured in a piece that came back unseen: whoever may choose takes a strong one. A guess.
pub(super) const RESCUED: ByRank<f32> =
    ByRank::new([1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 3.0, 8.0, 16.0, 24.0, 32.0, 1.0]);

/// The place of a piece in its owner's setup, if it is known.
pub(super) fn place_of(id: PieceId, piece: &Piece) -> Option<usize> {
    let start = piece.start.filter(|_| !id.came_back());
    start.and_then(|square: Square| square.setup_place(id.side()))
}

/// How much each rank is favoured by where the piece stood when the game began.
pub(super) fn by_place(id: PieceId, piece: &Piece, rules: &Ruleset) -> Option<ByRank<f32>> {
    let place = place_of(id, piece)?;
    Some(if rules.barrage { barrage::by_row(place / 10) } else { square_weights(place) })
}

/// How much each rank of a piece of the classic army is favoured by where it began.
pub(super) fn prior(id: PieceId, piece: &Piece) -> ByRank<f32> {
    if id.came_back() {
        return RESCUED;
    }
    let Some(place) = place_of(id, piece) else { return ByRank::filled(1.0) };
    square_weights(place)
}

/// How much the engine's square prior favours each rank on a place of its owner's setup (below 40, counted as in a setup
/// string), with some of the plain count prior mixed in. 1 means "as if placed blindly".
#[doc(hidden)]
pub fn square_weights(place: usize) -> ByRank<f32> {
    let (row, file) = (place / 10, place % 10);
    ByRank::new(SQUARE_PRIOR[row * 5 + file.min(9 - file)])
        .map(|weight| (1.0 - count_share()) * f32::from(weight) / BLIND + count_share())
}

/// Weights by `row_from_back * 5 + min(column, 9 - column)` and by rank in the order
/// F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B; never zero.
const SQUARE_PRIOR: SquarePrior = [
    [41613, 1811, 9765, 20540, 15145, 6089, 4796, 3918, 2001, 1022, 1406, 8902],
    [11059, 2000, 8269, 18336, 11436, 7215, 5667, 4969, 2797, 934, 994, 18243],
    [33634, 1966, 6033, 17494, 11524, 6792, 6659, 6155, 2242, 663, 655, 17409],
    [54794, 2591, 5885, 17951, 9517, 6187, 6143, 6324, 2235, 591, 628, 15639],
    [30061, 3098, 7883, 17535, 9722, 5973, 6777, 7014, 2938, 812, 1007, 16239],
    [2157, 5072, 9464, 11157, 11542, 8207, 7567, 7794, 7369, 4264, 4890, 17458],
    [1052, 8399, 10701, 11268, 9487, 9330, 9414, 10563, 14236, 5443, 7602, 10405],
    [5348, 21183, 5928, 12335, 7519, 8097, 9718, 14414, 16852, 5073, 5766, 12535],
    [9087, 30583, 5831, 12161, 7145, 7462, 9017, 14711, 13180, 4725, 4718, 13068],
    [1460, 17288, 9432, 11154, 7466, 8015, 9616, 13602, 14130, 8012, 7956, 10758],
    [1374, 2029, 11478, 4940, 12333, 11219, 13560, 12319, 11836, 11477, 11000, 8086],
    [211, 3040, 13081, 4644, 8126, 10645, 12649, 12372, 13716, 15610, 13440, 8263],
    [1094, 24786, 8703, 9055, 6109, 7908, 8472, 10732, 23222, 24551, 24621, 6900],
    [1691, 41858, 9106, 8624, 5732, 8252, 8215, 9858, 17840, 26513, 27674, 5383],
    [271, 7405, 13327, 4074, 6945, 10563, 13020, 13469, 12989, 24083, 17668, 5845],
    [949, 383, 16072, 1773, 16259, 17717, 13144, 6534, 3168, 2850, 2347, 6945],
    [273, 308, 15013, 1337, 15361, 20684, 15637, 7728, 3427, 3832, 2933, 4862],
    [2160, 9446, 9548, 7813, 7054, 9495, 11500, 15028, 17670, 22882, 27637, 4963],
    [1483, 16412, 9597, 6577, 6950, 9178, 11436, 13613, 14904, 33303, 33503, 4127],
    [231, 341, 14884, 1231, 14630, 20973, 16995, 8884, 3250, 3361, 3555, 3968],
];
