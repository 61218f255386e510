//! What the learned evaluation is shown of a view, for training it.

use super::gauge::Gauge;
use super::net::{PARTS, inputs_of};
use super::{Shown, prospects};
use crate::belief::Belief;
use crate::rules::{Piece, PieceId, Rank, Side, Square};
use crate::view::View;

/// One living piece of the view's player.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct OwnPiece {
    /// Its square by [`seen_from`].
    pub square: u8,
    /// Its rank by [`Rank::index`].
    pub rank: u8,
    /// What the enemy has been shown: 0 nothing, 1 that it moves, 2 its rank.
    pub shown: u8,
}

/// One living enemy piece.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct EnemyPiece {
    /// Its square by [`seen_from`].
    pub square: u8,
    /// 0 it never moved, 1 it did, 2 its rank is known.
    pub shown: u8,
    /// The chances of its ranks by [`Rank::index`].
    pub chances: [f32; Rank::COUNT],
}

/// A view as the evaluation sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The player's living pieces.
    pub ours: Vec<OwnPiece>,
    /// The enemy's.
    pub theirs: Vec<EnemyPiece>,
    /// The parts of the hand-made evaluation, in its unit: material, exposure, knowledge, attack, danger, rescue.
    pub parts: [f32; PARTS],
    /// What the evaluation adds for the races for both flags, in the same unit; the net does not see it.
    pub races: f32,
    /// Whether the view's player is to move.
    pub to_move: bool,
    /// Plies made.
    pub ply: u32,
    /// Plies since the last strike.
    pub quiet: u32,
}

/// A square as `side` sees it, its own back row first: 0..100.
pub const fn seen_from(square: Square, side: Side) -> u8 {
    match side {
        Side::Red => square.index() as u8,
        Side::Blue => 99 - square.index() as u8,
    }
}

impl Sample {
    /// What the evaluation sees of a view and a belief.
    pub fn of(view: &View, belief: &Belief) -> Sample {
        let (position, us) = (view.position(), view.viewer());
        let gauge = Gauge::new(view, belief);
        let ours = position.pieces(us).filter_map(|(_, piece)| {
            let (square, rank) = (piece.square?, piece.ranks.single()?);
            Some(OwnPiece {
                square: seen_from(square, us),
                rank: rank.index() as u8,
                shown: Shown::of(piece) as u8,
            })
        });
        let theirs = PieceId::of(us.enemy()).filter_map(|id| {
            let piece = position.piece(id);
            let chances = *belief.chances(id)?;
            Some(EnemyPiece { square: seen_from(piece.square?, us), shown: seen(piece), chances })
        });
        Sample {
            ours: ours.collect(),
            theirs: theirs.collect(),
            parts: inputs_of(&gauge.parts(), prospects(position, &gauge)),
            races: gauge.races(position),
            to_move: position.to_move() == us,
            ply: position.ply(),
            quiet: position.quiet(),
        }
    }
}

/// What is known of an enemy piece, as [`EnemyPiece::shown`] counts it.
pub(super) const fn seen(piece: &Piece) -> u8 {
    match (piece.ranks.single(), piece.moved) {
        (Some(_), _) => 2,
        (None, true) => 1,
        (None, false) => 0,
    }
}
