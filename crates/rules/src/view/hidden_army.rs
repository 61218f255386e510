//! One side's army as the other side knows it.

use super::View;
use crate::rules::{Piece, PieceId, Position, RankSet, Side};
use std::ops::Deref;

/// The pieces of one side, living and dead, in order: where each stands, and what it may be as far as the other side
/// knows.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct HiddenArmy(Vec<(PieceId, Piece)>);

impl View {
    /// The enemy's army, as we know it.
    pub fn hidden_army(&self) -> HiddenArmy {
        HiddenArmy::by(&self.position, self.viewer.enemy(), |piece| piece.ranks)
    }

    /// Our army, as the enemy knows it.
    pub fn our_hidden_army(&self) -> HiddenArmy {
        HiddenArmy(self.ours_as_learned().collect())
    }
}

impl HiddenArmy {
    /// The army of `side` where `ranks` tells what is known of a piece.
    pub fn by(position: &Position, side: Side, ranks: impl Fn(&Piece) -> RankSet) -> HiddenArmy {
        let known = |(id, piece): (PieceId, &Piece)| (id, Piece { ranks: ranks(piece), ..*piece });
        HiddenArmy(position.pieces(side).map(known).collect())
    }

    /// Whose army it is; `None` if it has no piece.
    pub fn side(&self) -> Option<Side> {
        self.first().map(|(id, _)| id.side())
    }

    /// The place of a piece in the army.
    pub fn index(&self, id: PieceId) -> Option<usize> {
        self.iter().position(|(other, _)| *other == id)
    }

    /// Leaves the piece at this place no rank but these; nothing if there is none.
    pub fn narrow(&mut self, index: usize, may: RankSet) {
        if let Some((_, piece)) = self.0.get_mut(index) {
            piece.ranks = piece.ranks.and(may);
        }
    }
}

impl<'a> IntoIterator for &'a HiddenArmy {
    type Item = &'a (PieceId, Piece);
    type IntoIter = std::slice::Iter<'a, (PieceId, Piece)>;

    fn into_iter(self) -> std::slice::Iter<'a, (PieceId, Piece)> {
        self.0.iter()
    }
}

/// The pieces, by their place in the army.
impl Deref for HiddenArmy {
    type Target = [(PieceId, Piece)];

    fn deref(&self) -> &[(PieceId, Piece)] {
        &self.0
    }
}
