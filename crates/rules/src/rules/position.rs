//! A position: who stands where, and what each piece may be for whoever holds it.
//!
//! One type serves everyone who follows a game. The referee's holds one rank per piece; a player's holds sets for
//! the enemy's; both move by the same code, so they cannot drift apart.

use super::action::Action;
use super::army::{Cell, Setup};
use super::arrays::{ByPiece, BySide, BySquare};
use super::ending::Ending;
use super::exchange::Exchange;
use super::history::{Earlier, Past};
use super::piece::{Piece, PieceId};
use super::rank::{Rank, RankSet};
use super::repetition::Trail;
use super::ruleset::Ruleset;
use super::side::Side;
use super::square::Square;
use super::square_set::SquareSet;
use std::mem::take;

const EMPTY: u8 = u8::MAX;

/// A position with its repetition history, able to go forward and back.
///
/// Here the referee's, which holds both armies: what a strike comes to follows from it. What is played is
/// [taken back](Position::undo) step by step.
///
/// ```
/// use outflank_rules::rules::{Position, Ruleset, Setup, Side};
///
/// let mut position = Position::new(Ruleset::default());
/// for side in Side::BOTH {
///     position.deploy(side, &"B3FB3262452B3B6B5S7325B48269474M62225873".parse::<Setup>()?);
/// }
/// let (start, actions) = (position.hash(), position.actions().len());
/// for ply in ["e4e7", "f7f6"] {
///     position.play(ply.parse()?)?;
/// }
/// assert_eq!(position.piece_at("e7".parse()?), None, "two scouts fell");
///
/// position.undo();
/// position.undo();
/// assert_eq!((position.hash(), position.actions().len()), (start, actions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    pub(super) rules: Ruleset,
    at: BySquare<u8>,
    /// The squares of each side's living pieces.
    occupied: BySide<SquareSet>,
    /// Those of them that may move.
    movers: BySide<SquareSet>,
    /// Those of them that may be scouts.
    sliders: BySide<SquareSet>,
    pieces: ByPiece<Piece>,
    pub(super) to_move: Side,
    pub(super) ply: u32,
    pub(super) quiet: u32,
    /// Rescues each side has made.
    pub(super) rescues: BySide<u8>,
    /// The rescues made here, oldest first.
    pub(super) exchanges: Vec<Exchange>,
    pub(super) trails: BySide<Trail>,
    /// Identity hash of who stands where.
    pub(super) layout: u64,
    /// What stood before each ply made here, oldest first.
    pub(super) earlier: Vec<Earlier>,
    /// Hash of everything but the repetition history.
    hash: u64,
    pub(super) ending: Option<Ending>,
    pub(super) past: Vec<Past>,
    /// The pieces that the plies of `past` changed, as they were before. Of each ply: its mover, the victim of its
    /// strike, and what its rescue changed, the piece that came back last.
    pub(super) changed: Vec<(PieceId, Piece)>,
}

impl Position {
    /// An empty board, Red to move.
    pub fn new(rules: Ruleset) -> Position {
        Position {
            rules,
            at: BySquare::filled(EMPTY),
            occupied: BySide::filled(SquareSet::EMPTY),
            movers: BySide::filled(SquareSet::EMPTY),
            sliders: BySide::filled(SquareSet::EMPTY),
            pieces: ByPiece::filled(Piece::ABSENT),
            to_move: Side::Red,
            ply: 0,
            quiet: 0,
            rescues: BySide::filled(0),
            exchanges: Vec::new(),
            trails: BySide::default(),
            layout: 0,
            earlier: Vec::new(),
            hash: 0,
            ending: None,
            past: Vec::new(),
            changed: Vec::new(),
        }
    }

    /// Empties the board for another game under the same rules; the memory that the history took is kept.
    pub fn restart(&mut self) {
        let (mut earlier, mut past, mut changed) =
            (take(&mut self.earlier), take(&mut self.past), take(&mut self.changed));
        earlier.clear();
        past.clear();
        changed.clear();
        *self = Position { earlier, past, changed, ..Position::new(self.rules) };
    }

    /// Puts `side`'s army where `setup` says, in place of what it had. Only before the first ply.
    pub fn deploy(&mut self, side: Side, setup: &Setup) {
        debug_assert!(self.past.is_empty());
        for id in PieceId::of(side) {
            self.set_piece(id, Piece::ABSENT);
        }
        let army = self.rules.army().ranks();
        for (place, &cell) in setup.0.iter().enumerate() {
            let ranks = match cell {
                Cell::Empty => continue,
                Cell::Hidden => army,
                Cell::Known(rank) => RankSet::only(rank),
            };
            let square = Square::of_setup(side, place);
            let piece = Piece { ranks, learned: army, square, start: square, ..Piece::ABSENT };
            self.set_piece(PieceId::new(side, place), piece);
        }
    }

    /// The rule system.
    pub const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Changes the rule system. Only before the first ply, or to think about what other rules would bring.
    pub const fn set_rules(&mut self, rules: Ruleset) {
        self.rules = rules;
    }

    /// Whose turn it is.
    pub const fn to_move(&self) -> Side {
        self.to_move
    }

    /// Plies made since the game began.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Plies made since the last strike.
    pub const fn quiet(&self) -> u32 {
        self.quiet
    }

    /// The end of the game, if the holder of this position can tell that it is over.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// A hash of everything that matters to play, but for chases and for how near the limits of `quiet` and `plies` are.
    ///
    /// Zobrist keys (A. L. Zobrist, *A new hashing method with application for game playing*, 1970): one key for each
    /// piece in each of its states, crossed into the hash and out of it as plies are made. A piece of so many possible
    /// ranks has too many states for a table, so its key is computed by mixing their bits.
    pub fn hash(&self) -> u64 {
        let trail = |side: Side| self.trails[side].key(self.rules.twosquares);
        let trails = trail(Side::Red) | trail(Side::Blue) << 32;
        let mut hash = self.hash ^ (self.to_move as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        if trails != 0 {
            hash ^= mix(trails);
        }
        let rescues = u64::from(self.rescues[Side::Red]) << 8 | u64::from(self.rescues[Side::Blue]);
        if rescues != 0 {
            hash ^= mix(1 << 62 | rescues);
        }
        hash
    }

    /// The hash computed anew; equals [`Position::hash`].
    // For tests, also those of other packages.
    #[doc(hidden)]
    pub fn hash_from_scratch(&self) -> u64 {
        let mut fresh = self.clone();
        fresh.hash = 0;
        for (id, piece) in self.pieces.iter() {
            fresh.hash ^= piece_key(id, piece);
        }
        fresh.hash()
    }

    /// The piece on a square; `None` on an empty one.
    pub fn piece_at(&self, square: Square) -> Option<PieceId> {
        let index = self.at[square];
        if index == EMPTY { None } else { Some(PieceId::from_index(index)) }
    }

    /// What the holder of this position knows of a piece; [`Piece::ABSENT`] of one that is not in the game.
    pub const fn piece(&self, id: PieceId) -> &Piece {
        self.pieces.of(id)
    }

    /// The pieces of `side`, living and dead, by number.
    pub fn pieces(&self, side: Side) -> impl Iterator<Item = (PieceId, &Piece)> {
        PieceId::of(side).map(|id| (id, self.piece(id))).filter(|(_, piece)| piece.exists())
    }

    /// The squares of `side`'s living pieces.
    pub fn occupied(&self, side: Side) -> SquareSet {
        self.occupied[side]
    }

    /// Whether a piece of `side` stands next to `square`.
    pub fn is_next_to_side(&self, square: Square, side: Side) -> bool {
        square.neighbour_set().meets(self.occupied[side])
    }

    /// The open squares and those of the enemies of `side`, as a set.
    pub(super) fn reachable(&self, side: Side) -> SquareSet {
        !self.occupied[side]
    }

    /// The squares on which a piece stands.
    pub(super) fn taken(&self) -> SquareSet {
        self.occupied[Side::Red] | self.occupied[Side::Blue]
    }

    /// The squares of `side`'s pieces that may move.
    pub(super) fn movers(&self, side: Side) -> SquareSet {
        self.movers[side]
    }

    /// The squares of `side`'s pieces that may be scouts.
    pub(super) fn sliders(&self, side: Side) -> SquareSet {
        self.sliders[side]
    }

    /// The squares of `side`'s pieces that may move and have a square next to them that is open or holds an enemy.
    pub(super) fn able(&self, side: Side) -> SquareSet {
        self.movers[side] & self.reachable(side).neighbours()
    }

    /// How many pieces of `side` stand.
    pub fn standing(&self, side: Side) -> u32 {
        self.occupied[side].len()
    }

    /// The position, of which only the latest `count` plies can be taken back. What stood before the others still
    /// counts for the repetition rules.
    #[must_use]
    pub fn latest(&self, count: usize) -> Position {
        let dropped = self.past.len().saturating_sub(count);
        let first = self.past.get(dropped).map_or(self.changed.len() as u32, |past| past.changed);
        let kept = self.past[dropped..].iter().map(|past| Past { changed: past.changed - first, ..*past });
        Position {
            past: kept.collect(),
            changed: self.changed[first as usize..].to_vec(),
            earlier: self.earlier.clone(),
            exchanges: self.exchanges.clone(),
            ..*self
        }
    }

    /// The position as `viewer` may know it: the enemy's ranks only as far as they were shown by the rules.
    #[must_use]
    pub fn masked(&self, viewer: Side) -> Position {
        let mut masked = self.latest(0);
        for id in PieceId::of(viewer.enemy()) {
            let piece = *self.piece(id);
            masked.set_piece(id, Piece { ranks: piece.learned, ..piece });
        }
        masked.exchanges.iter_mut().for_each(|exchange| exchange.mask(viewer));
        masked
    }

    /// The position as the enemy of its holder would hold it, were these the ranks of that enemy's pieces. Nothing is
    /// left of the plies that led here.
    #[must_use]
    pub fn enemy_view(&self, holder: Side, ranks: &[(PieceId, Rank)]) -> Position {
        let mut other = self.latest(0);
        other.exchanges.clear();
        for id in PieceId::of(holder) {
            let piece = *self.piece(id);
            other.set_piece(id, Piece { ranks: piece.learned, learned: piece.ranks, ..piece });
        }
        for &(id, rank) in ranks {
            let piece = *self.piece(id);
            other.set_piece(id, Piece { ranks: RankSet::only(rank), learned: piece.ranks, ..piece });
        }
        other
    }

    /// The position as the referee would hold it in a world: its holder's enemy has these ranks, and what the holder knows of them
    /// is what was learned.
    #[must_use]
    pub fn in_world(&self, holder: Side, ranks: &[(PieceId, Rank)]) -> Position {
        let mut truth = self.clone();
        for id in PieceId::of(holder.enemy()) {
            let piece = *self.piece(id);
            truth.set_piece(id, Piece { learned: piece.ranks, ..piece });
        }
        for &(id, rank) in ranks {
            let piece = *truth.piece(id);
            truth.set_piece(id, Piece { ranks: RankSet::only(rank), ..piece });
        }
        truth
    }

    /// Adds to what the holder knows of a piece: it is one of `ranks`. False, and nothing changed, if none of these is left
    /// to it.
    pub fn tell(&mut self, id: PieceId, ranks: RankSet) -> bool {
        let piece = *self.piece(id);
        let left = piece.ranks.and(ranks);
        if !left.is_empty() {
            self.set_piece(id, Piece { ranks: left, ..piece });
        }
        !left.is_empty()
    }

    /// Forgets what strikes said without showing a rank: whatever may be several ranks may be all that its moves
    /// allow.
    pub fn forget_hints(&mut self) {
        for id in Side::BOTH.into_iter().flat_map(PieceId::of) {
            let piece = *self.piece(id);
            let allowed = |set: RankSet| match (set.single().is_some() || set.is_empty(), piece.moved) {
                (true, _) => set,
                (false, true) => RankSet::MOBILE,
                (false, false) if piece.is_alive() => RankSet::ALL,
                (false, false) => RankSet::ALL.without(RankSet::only(Rank::Flag)),
            };
            self.set_piece(
                id,
                Piece { ranks: allowed(piece.ranks), learned: allowed(piece.learned), ..piece },
            );
        }
    }

    /// How often this game has already stood as it would after a non-striking move, since it began here.
    pub fn times_reached(&self, action: Action) -> usize {
        let returns = action.rescue.is_none() && self.piece_at(action.to).is_none();
        let Some(id) = self.piece_at(action.from).filter(|_| returns) else {
            return 0;
        };
        let reached = self.layout_after(id, action);
        self.earlier.iter().filter(|earlier| earlier.layout == reached).count()
    }

    /// Hands the turn over without an action, for searches that ask what a side could not do worse than. Calling it
    /// again takes it back.
    pub const fn pass(&mut self) {
        self.to_move = self.to_move.enemy();
    }

    pub(super) fn trail(&self, side: Side) -> &Trail {
        &self.trails[side]
    }

    /// The layout after a non-striking move.
    pub(super) fn layout_after(&self, id: PieceId, action: Action) -> u64 {
        self.layout ^ place_key(id, action.from) ^ place_key(id, action.to)
    }

    /// Replaces a piece, keeping board and hashes in step.
    pub(super) fn set_piece(&mut self, id: PieceId, piece: Piece) {
        self.rehash(id, &piece);
        self.lift(id);
        self.put(id, piece);
    }

    /// Exchanges in the hashes what is about to be replaced.
    pub(super) fn rehash(&mut self, id: PieceId, piece: &Piece) {
        let before = &self.pieces[id];
        let place = |piece: &Piece| piece.square.map_or(0, |square| place_key(id, square));
        self.layout ^= place(before) ^ place(piece);
        self.hash ^= piece_key(id, before) ^ piece_key(id, piece);
    }

    /// Takes a piece off its square; [`Position::put`] has to follow.
    pub(super) fn lift(&mut self, id: PieceId) {
        if let Some(square) = self.pieces[id].square {
            let (side, square_set) = (id.side(), SquareSet::only(square));
            self.at[square] = EMPTY;
            self.occupied[side] -= square_set;
            self.movers[side] -= square_set;
            self.sliders[side] -= square_set;
        }
    }

    /// Puts a piece that is on no square.
    pub(super) fn put(&mut self, id: PieceId, piece: Piece) {
        if let Some(square) = piece.square {
            let (side, square_set) = (id.side(), SquareSet::only(square));
            self.at[square] = id.index() as u8;
            self.occupied[side] |= square_set;
            self.movers[side] |= if piece.may_move() { square_set } else { SquareSet::EMPTY };
            let slides = piece.ranks.contains(Rank::Scout);
            self.sliders[side] |= if slides { square_set } else { SquareSet::EMPTY };
        }
        self.pieces[id] = piece;
    }
}

/// The finaliser of `SplitMix64` (Steele, Lea, Flood 2014): every input bit reaches every output bit.
const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

const fn place_key(id: PieceId, square: Square) -> u64 {
    mix((id.index() as u64) << 8 | square.index() as u64)
}

fn piece_key(id: PieceId, piece: &Piece) -> u64 {
    if !piece.exists() {
        return 0;
    }
    let square = piece.square.map_or(EMPTY, |square| square.index() as u8);
    let flags = u64::from(piece.moved) | u64::from(piece.rescuer) << 1;
    let sets = u64::from(piece.ranks.bits()) << 12 | u64::from(piece.learned.bits());
    mix(1 << 63 | flags << 56 | sets << 24 | (id.index() as u64) << 8 | u64::from(square))
}
