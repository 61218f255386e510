//! The game so far, as the person saw it: its moves, and what both sides have lost.

use crate::game::Game;
use outflank::rules::{Rank, Side};

/// The moves so far, a line for each turn of both sides.
pub fn moves(game: &Game) -> Vec<String> {
    if game.seen().is_empty() {
        return vec!["Nobody has moved.".to_owned()];
    }
    let texts: Vec<String> = game.seen().iter().map(ToString::to_string).collect();
    let turn = |(index, turn): (usize, &[String])| {
        let second = turn.get(1).map_or("", String::as_str);
        format!("{:>4}. {:<12} {second}", index + 1, turn[0]).trim_end().to_owned()
    };
    let head = format!("      {:<12} {}", Side::Red.to_string(), Side::Blue);
    std::iter::once(head).chain(texts.chunks(2).enumerate().map(turn)).collect()
}

/// What each side has lost, as far as the person can tell: how many of each rank, the strongest first.
pub fn losses(game: &Game) -> Vec<String> {
    Side::BOTH.into_iter().map(|side| lost(game, side)).collect()
}

fn lost(game: &Game, side: Side) -> String {
    let position = game.adviser().view().position();
    let dead: Vec<Option<Rank>> = position
        .pieces(side)
        .filter(|(_, piece)| piece.exists() && !piece.is_alive())
        .map(|(_, piece)| piece.ranks.single())
        .collect();
    let ranks = Rank::ALL.iter().rev().map(|&rank| Some(rank)).chain([None]);
    let counted = ranks.filter_map(|rank| {
        let count = dead.iter().filter(|&&other| other == rank).count();
        let name = rank.map_or("of unknown rank", Rank::name);
        (count > 0).then(|| format!("{count} {name}"))
    });
    let losses: Vec<String> = counted.collect();
    match dead.len() {
        0 => format!("{side} has lost nothing"),
        count => format!("{side} has lost {count}: {}", losses.join(", ")),
    }
}
