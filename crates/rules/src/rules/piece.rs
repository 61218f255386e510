//! Pieces as a position knows them.

use super::rank::{Rank, RankSet};
use super::side::Side;
use super::square::Square;

/// The number of the first piece that comes back: places of a setup end before it.
pub(super) const FIRST_RESCUED: usize = 40;

/// The ranks that may make a rescue.
pub(super) const RESCUERS: RankSet = RankSet::MOBILE.without(RankSet::only(Rank::Scout));

/// Which piece: fixed for a whole game, whatever its rank turns out to be.
///
/// A piece of a known setup has its place in the setup string as its number; rescued pieces follow.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct PieceId(u8);

impl PieceId {
    /// Pieces a side may have in one game: forty and two rescues.
    pub const PER_SIDE: usize = 42;
    /// Pieces there may be in one game: the size of [`ByPiece`](super::ByPiece).
    pub const SLOTS: usize = 2 * PieceId::PER_SIDE;

    /// The piece of `side` with this number.
    ///
    /// # Panics
    /// If the number is not below [`PieceId::PER_SIDE`].
    pub const fn new(side: Side, number: usize) -> PieceId {
        assert!(number < PieceId::PER_SIDE);
        PieceId((side.index() * PieceId::PER_SIDE + number) as u8)
    }

    /// The piece's owner.
    pub const fn side(self) -> Side {
        if (self.0 as usize) < PieceId::PER_SIDE { Side::Red } else { Side::Blue }
    }

    /// The piece's number among its owner's pieces; its place in the setup string, unless it came back. [`PieceNumber`] is the
    /// same as a key.
    pub const fn number(self) -> usize {
        self.0 as usize % PieceId::PER_SIDE
    }

    /// In 0..[`PieceId::SLOTS`]; Red's pieces first.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it came back by a rescue in this game.
    pub const fn came_back(self) -> bool {
        self.number() >= FIRST_RESCUED
    }

    /// The pieces `side` may have, in order.
    pub fn of(side: Side) -> impl Iterator<Item = PieceId> {
        (0..PieceId::PER_SIDE).map(move |number| PieceId::new(side, number))
    }

    pub(super) const fn from_index(index: u8) -> PieceId {
        PieceId(index)
    }
}

/// Which piece of a side, where the side goes without saying: the key of [`ByNumber`](super::ByNumber) and
/// [`PieceSet`](super::PieceSet).
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct PieceNumber(u8);

impl PieceNumber {
    /// In 0..[`PieceId::PER_SIDE`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `index` is below [`PieceId::PER_SIDE`].
    pub(super) const fn from_index(index: u8) -> PieceNumber {
        PieceNumber(index)
    }
}

/// The piece's number among its owner's pieces.
impl From<PieceId> for PieceNumber {
    fn from(id: PieceId) -> PieceNumber {
        PieceNumber::from_index(id.number() as u8)
    }
}

/// One piece as the holder of a position knows it.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Hash)]
pub struct Piece {
    /// What it may be for the holder of this position; one rank when known, none when the slot is unused.
    pub ranks: RankSet,
    /// What the other side can tell it may be, by the rules alone.
    pub learned: RankSet,
    /// Where it stands; `None` once removed.
    pub square: Option<Square>,
    /// Where the game found it, if known.
    pub start: Option<Square>,
    /// Whether it has been seen to move.
    pub moved: bool,
    /// The ply in which it first acted, where the holder saw it.
    pub first_move: Option<u32>,
    /// Whether it has made a rescue.
    pub rescuer: bool,
}

impl Piece {
    /// An unused slot.
    pub const ABSENT: Piece = Piece {
        ranks: RankSet::EMPTY,
        learned: RankSet::EMPTY,
        square: None,
        start: None,
        moved: false,
        first_move: None,
        rescuer: false,
    };

    /// Whether the slot holds a piece, living or dead.
    pub const fn exists(&self) -> bool {
        !self.ranks.is_empty()
    }

    /// Whether it stands on the board.
    pub const fn is_alive(&self) -> bool {
        self.square.is_some()
    }

    /// What it may be by what everybody sees of it: whether it has moved, and made a rescue.
    pub const fn seen_to_be(moved: bool, rescuer: bool) -> RankSet {
        match (moved, rescuer) {
            (_, true) => RESCUERS,
            (true, false) => RankSet::MOBILE,
            (false, false) => RankSet::ALL,
        }
    }

    /// Whether it may be able to move.
    pub const fn may_move(&self) -> bool {
        self.ranks.meets(RankSet::MOBILE)
    }
}
