//! What each enemy piece may be at a node of the tree.
//!
//! It depends on the root and on the ranks that the tree leaves. In a tree the same few sets come back again and again, so
//! each is worked out once.

use super::odds::mass;
use super::root::Root;
use crate::belief::RankProbabilities;
use crate::rules::{ByNumber, ByRank, PieceId, Rank, RankSet};

/// What an enemy piece may be.
#[derive(Copy, Clone)]
pub(crate) struct EnemyPiece {
    /// The ranks it may have; none for a piece that does not stand.
    pub(super) set: RankSet,
    /// The probability of each.
    pub(super) probabilities: RankProbabilities,
    /// Whether its rank has been shown in the tree, whichever it was.
    pub(super) revealed: bool,
    /// The probability that it can move.
    pub(crate) mobile: f32,
    /// Its expected value, in points.
    pub(super) value: f32,
}

impl EnemyPiece {
    /// A piece that does not stand.
    pub(super) const GONE: EnemyPiece = EnemyPiece {
        set: RankSet::EMPTY,
        probabilities: ByRank::filled(0.0),
        revealed: false,
        mobile: 0.0,
        value: 0.0,
    };

    /// A standing piece that may have the ranks of `set`, and whose rank may have been shown.
    fn new(root: &Root, id: PieceId, set: RankSet, revealed: bool) -> EnemyPiece {
        let probabilities = root.within(id, set);
        let ranks = Rank::ALL.into_iter().filter(|&rank| rank != Rank::Flag);
        let value = ranks.fold(0.0, |value, rank| value + probabilities[rank] * root.value(id, rank));
        EnemyPiece { set, probabilities, revealed, mobile: mass(&probabilities, RankSet::MOBILE), value }
    }
}

/// Where in the list of an information state something is that a piece may be; by default a piece that does not stand.
#[derive(Copy, Clone, Default, Eq, PartialEq)]
pub(super) struct Place(u32);

impl Place {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What each enemy piece may be.
#[cfg_attr(test, derive(Clone))]
pub(super) struct EnemyPieces {
    all: Vec<EnemyPiece>,
    current: ByNumber<Place>,
    made: ByNumber<Vec<Place>>,
}

impl EnemyPieces {
    /// None stands yet.
    pub(super) fn new() -> EnemyPieces {
        EnemyPieces { all: vec![EnemyPiece::GONE], current: ByNumber::default(), made: ByNumber::default() }
    }

    /// What a piece may be now.
    pub(super) fn of(&self, id: PieceId) -> &EnemyPiece {
        &self.all[self.place(id).index()]
    }

    /// Where that is in the list.
    pub(super) fn place(&self, id: PieceId) -> Place {
        self.current[id]
    }

    /// Lets a standing piece have these ranks from now on; returns its old place.
    pub(super) fn narrow(&mut self, root: &Root, id: PieceId, set: RankSet, revealed: bool) -> Place {
        let is_same = |&&place: &&Place| {
            let piece = &self.all[place.index()];
            (piece.set, piece.revealed) == (set, revealed)
        };
        let place = self.made[id].iter().find(is_same).copied().unwrap_or_else(|| {
            let place = Place(self.all.len() as u32);
            self.all.push(EnemyPiece::new(root, id, set, revealed));
            self.made[id].push(place);
            place
        });
        self.take(id, place)
    }

    /// Gives a piece a place of its own; returns its old one.
    pub(super) fn take(&mut self, id: PieceId, place: Place) -> Place {
        std::mem::replace(&mut self.current[id], place)
    }
}
