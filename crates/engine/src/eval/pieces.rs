//! The evaluations of enemy pieces in use, and all that were made since the root.
//!
//! An evaluation depends on the root and on what the piece may still be, not on where anybody stands. In a tree the
//! same few sets come back again and again, so each is worked out once.

use super::piece::PieceEvaluation;
use crate::rules::{ByNumber, PieceId, PieceNumber, PieceSet, Rank, RankSet};

/// Index of an evaluation that was kept.
#[derive(Copy, Clone)]
pub(super) struct Place(u32);

/// The evaluation of a piece that does not stand.
const BLANK: Place = Place(0);

/// What is known of an enemy piece.
#[derive(Copy, Clone, Eq, PartialEq)]
pub(super) struct Known {
    /// The ranks it may have.
    pub(super) set: RankSet,
    /// Whether its rank has been shown in the tree, whichever it was.
    pub(super) revealed: bool,
}

/// An evaluation of each enemy piece.
#[derive(Clone)]
pub(super) struct PieceEvaluations {
    all: Vec<PieceEvaluation>,
    current: ByNumber<Place>,
    made: ByNumber<Vec<(Known, Place)>>,
    /// Of each current evaluation the probabilities that the piece is a miner and that it can move, side by side for
    /// who asks for many.
    miner: ByNumber<f32>,
    mobile: ByNumber<f32>,
    /// Our pieces that may strike.
    strikers: PieceSet,
}

impl PieceEvaluations {
    /// No enemy stands yet; of our pieces those in the set may strike.
    pub(super) fn new(strikers: PieceSet) -> PieceEvaluations {
        let none = ByNumber::filled(0.0);
        PieceEvaluations {
            all: vec![PieceEvaluation::BLANK],
            current: ByNumber::filled(BLANK),
            made: ByNumber::default(),
            miner: none,
            mobile: none,
            strikers,
        }
    }

    /// The probability that each enemy piece is a miner.
    pub(super) const fn miners(&self) -> &ByNumber<f32> {
        &self.miner
    }

    /// The probability that each enemy piece can move.
    pub(super) const fn movers(&self) -> &ByNumber<f32> {
        &self.mobile
    }

    /// Our pieces that may strike.
    pub(super) const fn strikers(&self) -> PieceSet {
        self.strikers
    }

    /// Whether our piece of this number may strike.
    pub(super) const fn may_strike(&self, number: PieceNumber) -> bool {
        self.strikers.contains(number)
    }

    /// The evaluation of the enemy piece of this number.
    pub(super) fn of(&self, number: PieceNumber) -> &PieceEvaluation {
        &self.all[self.current[number].0 as usize]
    }

    pub(super) fn of_mut(&mut self, number: PieceNumber) -> &mut PieceEvaluation {
        &mut self.all[self.current[number].0 as usize]
    }

    /// Where the evaluation of a piece is of which this is known, if it was made.
    pub(super) fn find(&self, id: PieceId, known: Known) -> Option<Place> {
        self.made[id].iter().find(|(other, _)| *other == known).map(|&(_, place)| place)
    }

    /// Keeps an evaluation that was made.
    pub(super) fn keep(&mut self, id: PieceId, known: Known, evaluation: &PieceEvaluation) -> Place {
        let place = Place(self.all.len() as u32);
        self.all.push(*evaluation);
        self.made[id].push((known, place));
        place
    }

    /// Gives a piece the evaluation at `place`, or [`BLANK`] for `None`; returns where its old one is.
    pub(super) fn take(&mut self, number: PieceNumber, place: Option<Place>) -> Place {
        let before = std::mem::replace(&mut self.current[number], place.unwrap_or(BLANK));
        let piece = self.of(number);
        (self.miner[number], self.mobile[number]) = (piece.probabilities[Rank::Miner], piece.mobile);
        before
    }
}
