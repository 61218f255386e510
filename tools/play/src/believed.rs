//! What is believed about a piece, in a line.

use crate::game::Game;
use outflank::rules::{PieceId, Rank, Square};

/// Whether a hidden piece that has moved stands there.
pub fn is_open(game: &Game, square: Square) -> bool {
    let position = game.adviser().view().position();
    position
        .piece_at(square)
        .map(|id| position.piece(id))
        .is_some_and(|piece| piece.moved && piece.ranks.single().is_none())
}

/// The ranks of the piece there by their chances, as far as one in a hundred.
pub fn believed(game: &Game, square: Square) -> String {
    let view = game.adviser().view();
    let Some(id) = view.position().piece_at(square) else { return format!("Nothing stands on {square}.") };
    let named: Vec<String> =
        chances(game, id).into_iter().map(|(rank, percent)| format!("{rank} {percent}%")).collect();
    let seen = if id.side() == view.viewer() { ", to the engine" } else { "" };
    format!("{square}{seen}: {}", named.join(", "))
}

fn chances(game: &Game, id: PieceId) -> Vec<(Rank, u32)> {
    let adviser = game.adviser();
    let piece = adviser.view().position().piece(id);
    let ours = id.side() == adviser.view().viewer();
    if let Some(rank) = if ours { piece.learned } else { piece.ranks }.single() {
        return vec![(rank, 100)];
    }
    let belief = if ours { adviser.belief_about_us() } else { adviser.belief() };
    let Some(probabilities) = belief.probabilities(id) else { return Vec::new() };
    let percent = |rank: Rank| (probabilities[rank] * 100.0).round() as u32;
    let mut ranks: Vec<(Rank, u32)> = Rank::ALL.map(|rank| (rank, percent(rank))).into_iter().collect();
    ranks.retain(|(_, percent)| *percent > 0);
    ranks.sort_by_key(|(_, percent)| std::cmp::Reverse(*percent));
    ranks
}
