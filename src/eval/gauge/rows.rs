//! The rows in use, and all that were made since the root.
//!
//! A row depends on the root and on what the piece may still be, not on where anybody stands. In a tree the same few
//! sets come back again and again, so each is worked out once.

use super::PIECES;
use super::row::{BLANK, Row};
use crate::rules::{PieceId, Rank, RankSet};

/// Index of a row.
pub(super) type Place = u16;

/// The row of a piece that does not stand.
const NO_ROW: Place = 0;

/// What is known of an enemy piece: the ranks it may have, and whether its rank has been shown.
type Known = (RankSet, bool);

/// A row for each enemy piece.
#[derive(Clone)]
pub(crate) struct Rows {
    all: Vec<Row>,
    current: [Place; PIECES],
    made: [Vec<(Known, Place)>; PIECES],
    /// Of each current row the chances that the piece is a miner and that it can move, side by side for who asks for many.
    miner: [f32; PIECES],
    mobile: [f32; PIECES],
    /// The numbers of our pieces that may strike.
    strikers: u64,
}

impl Rows {
    /// No enemy stands yet; of our pieces those in the set may strike.
    pub(super) fn new(strikers: u64) -> Rows {
        let made = std::array::from_fn(|_| Vec::new());
        let none = [0.0; PIECES];
        Rows { all: vec![BLANK], current: [NO_ROW; PIECES], made, miner: none, mobile: none, strikers }
    }

    /// By number: the chance that an enemy piece is a miner.
    pub(super) const fn miners(&self) -> &[f32; PIECES] {
        &self.miner
    }

    /// By number: the chance that an enemy piece can move.
    pub(super) const fn movers(&self) -> &[f32; PIECES] {
        &self.mobile
    }

    /// Our pieces that may strike, as a set of numbers.
    pub(crate) const fn strikers(&self) -> u64 {
        self.strikers
    }

    /// Whether our piece of this number may strike.
    pub(crate) const fn may_strike(&self, number: usize) -> bool {
        self.strikers >> number & 1 == 1
    }

    /// The row of the enemy piece of this number.
    pub(crate) fn of(&self, number: usize) -> &Row {
        &self.all[usize::from(self.current[number])]
    }

    pub(super) fn of_mut(&mut self, number: usize) -> &mut Row {
        &mut self.all[usize::from(self.current[number])]
    }

    /// Where the row of a piece is that is known so far, if it was made.
    pub(super) fn find(&self, id: PieceId, known: Known) -> Option<Place> {
        self.made[id.number()].iter().find(|(other, _)| *other == known).map(|&(_, place)| place)
    }

    /// Keeps a row that was made.
    pub(super) fn keep(&mut self, id: PieceId, known: Known, row: &Row) -> Place {
        let place = self.all.len() as Place;
        self.all.push(*row);
        self.made[id.number()].push((known, place));
        place
    }

    /// Gives a piece a row, or [`NO_ROW`] for `None`; returns where its old row is.
    pub(super) fn take(&mut self, number: usize, place: Option<Place>) -> Place {
        let before = std::mem::replace(&mut self.current[number], place.unwrap_or(NO_ROW));
        let row = &self.all[usize::from(self.current[number])];
        (self.miner[number], self.mobile[number]) = (row.chances[Rank::Miner.index()], row.mobile);
        before
    }
}
