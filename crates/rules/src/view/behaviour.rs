//! What each piece has been seen to do, as both players saw it.
//!
//! Counters for the pieces of either side, kept from what both players know alone: who stands where, who moved, and
//! what each side has shown the other of its ranks ([`Piece::learned`]). So the same counters serve what we think of
//! the enemy's pieces and what it may think of ours. They count from where the view began; a piece that comes back
//! starts anew.

use super::blind_strikes::BlindStrikes;
use super::move_features::{Kind, KindSet, MoveFeatures};
use crate::rules::{Action, ByPiece, BySide, Piece, PieceId, Position, Rank, Side, Square};

/// Where counters stop: more of the same says nothing new.
const MOST: u8 = 15;
/// Where the count of turns in which a piece could have moved stops.
const MOST_FREE: u8 = 200;
/// Steps from which a piece is said to go towards one that has just taken something.
const IN_REACH: u8 = 4;

/// A count for each kind of enemy.
pub type ByKind = [u8; Kind::COUNT];

/// What one piece has been seen to do while its rank was not known.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub struct Behaviour {
    /// Moves, strikes too.
    pub moves: u16,
    /// Moves towards the enemy's back row.
    pub forward: u8,
    /// Moves along a row.
    pub sideways: u8,
    /// Moves towards its own back row.
    pub back: u8,
    /// Moves that took back its last one.
    pub reversals: u8,
    /// The farthest row it has stood on, counted from its own back row; 0 if it has not moved.
    pub farthest: u8,
    /// How many pieces of its side had moved when it first did, itself counted; 0 if that was not seen.
    pub order: u8,
    /// Turns of its side in which it had not yet moved, but had an open square or an enemy beside it.
    pub free: u8,
    /// The ply of its last move.
    pub last_ply: u32,
    /// Where that move began.
    last_from: Option<Square>,
    /// What that move was about.
    pub last_move: MoveFeatures,
    /// Moves that brought it beside an enemy.
    pub met: ByKind,
    /// Moves nearer to an enemy close by.
    pub towards: ByKind,
    /// Moves away from an enemy at most two steps off.
    pub fled: ByKind,
    /// Moves nearer to an enemy that had just taken something.
    pub avenged: ByKind,
    /// Turns of its side in which an enemy that had just come beside it was left there.
    pub stood: ByKind,
    /// Turns of its side in which an enemy beside it was left there.
    pub beside: ByKind,
    /// Turns of its side in which it did not strike a known Marshal beside it.
    pub spared_marshal: u8,
}

/// A piece of untold rank at one moment, with all that its enemy can go by.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Snapshot {
    /// Which piece.
    pub id: PieceId,
    /// The piece, its ranks those that its enemy cannot exclude.
    pub piece: Piece,
    /// What it has been seen to do.
    pub behaviour: Behaviour,
    /// The ply.
    pub ply: u32,
    /// How many pieces of its side have been seen to move.
    pub movers: u8,
    /// How many pieces of its side that have not moved stand beside it.
    pub still_neighbours: u8,
}

/// What undoing a ply takes.
#[derive(Copy, Clone, Debug)]
struct Mark {
    /// Where its share of the changed counters begins.
    changed: u32,
    /// How many snapshots there were.
    shown: u32,
    movers: BySide<u8>,
    blind_strikes: BySide<BlindStrikes>,
    last: Option<Last>,
}

/// The piece that acted last.
#[derive(Copy, Clone, Debug)]
struct Last {
    id: PieceId,
    /// Whether it took something and stands in its place.
    took: bool,
}

/// The behaviour of all pieces of a game, able to go forward and back.
#[derive(Clone, Debug)]
pub struct Behaviours {
    /// Whether anything is counted.
    counting: bool,
    behaviour: ByPiece<Behaviour>,
    /// Pieces of each side that have been seen to move for the first time.
    movers: BySide<u8>,
    /// What each side's known strong pieces made of hidden ones beside them.
    blind_strikes: BySide<BlindStrikes>,
    last: Option<Last>,
    /// Counters as they were before the plies that changed them.
    changed: Vec<(PieceId, Behaviour)>,
    marks: Vec<Mark>,
    /// Pieces whose rank has been revealed, as they were just before.
    shown: Vec<Snapshot>,
    /// What a ply about to be played will change.
    draft: Vec<(PieceId, Behaviour)>,
    /// What its side's blind strikes will be then.
    drafted: Option<BlindStrikes>,
    /// The pieces of untold rank that take part in it, as they are before it.
    before: [Option<Snapshot>; 2],
}

impl Default for Behaviours {
    fn default() -> Behaviours {
        Behaviours {
            counting: true,
            behaviour: ByPiece::default(),
            movers: BySide::default(),
            blind_strikes: BySide::default(),
            last: None,
            changed: Vec::new(),
            marks: Vec::new(),
            shown: Vec::new(),
            draft: Vec::new(),
            drafted: None,
            before: [None; 2],
        }
    }
}

impl Behaviours {
    /// One that never counts anything.
    pub(super) fn none() -> Behaviours {
        Behaviours { counting: false, ..Behaviours::default() }
    }

    /// The pieces of `side` whose rank has been revealed, as they were just before, oldest first; each with its rank.
    pub fn shown<'a>(
        &'a self,
        position: &'a Position,
        side: Side,
    ) -> impl Iterator<Item = (&'a Snapshot, Rank)> {
        let shown = self.shown.iter().filter(move |snapshot| snapshot.id.side() == side);
        shown.filter_map(|snapshot| Some((snapshot, position.piece(snapshot.id).learned.single()?)))
    }

    /// How often `side` has struck hidden pieces with its known strong ones.
    pub fn blind_strikes(&self, side: Side) -> BlindStrikes {
        self.blind_strikes[side]
    }

    /// A piece as it is now in `position`, of which its enemy cannot exclude `piece.ranks`.
    pub fn snapshot(&self, position: &Position, id: PieceId, piece: &Piece) -> Snapshot {
        let own = |square: Square| position.piece_at(square).filter(|other| other.side() == id.side());
        let neighbours = piece.square.into_iter().flat_map(Square::neighbours).filter_map(own);
        Snapshot {
            id,
            piece: *piece,
            behaviour: self.behaviour[id],
            ply: position.ply(),
            movers: self.movers[id.side()],
            still_neighbours: neighbours.filter(|other| !position.piece(*other).moved).count() as u8,
        }
    }

    /// The piece on a square as it is now, if its rank is not known.
    fn hidden(&self, position: &Position, square: Square) -> Option<Snapshot> {
        let id = position.piece_at(square)?;
        let piece = position.piece(id);
        let piece = Piece { ranks: piece.learned, ..*piece };
        (piece.learned.len() > 1).then(|| self.snapshot(position, id, &piece))
    }

    /// Works out what `action`, about to be played in `position`, tells of the mover's pieces. Nothing changes
    /// before [`Behaviours::note`].
    pub(super) fn consider(&mut self, position: &Position, action: Action) {
        if !self.counting {
            return;
        }
        self.draft.clear();
        self.before = [action.from, action.to].map(|square| self.hidden(position, square));
        let side = position.to_move();
        let mut strikes = self.blind_strikes[side];
        strikes.count(position, action);
        self.drafted = Some(strikes);
        let Some(mover) = position.piece_at(action.from) else { return };
        let marshal = known_marshal(position, side.enemy());
        for id in position.occupied(side).iter().filter_map(|square| position.piece_at(square)) {
            let piece = position.piece(id);
            if piece.learned.single().is_some() {
                continue;
            }
            let mut behaviour = self.behaviour[id];
            if id == mover {
                behaviour.moves = behaviour.moves.saturating_add(1);
                self.moved(&mut behaviour, position, mover, action);
            } else {
                self.stayed(&mut behaviour, position, piece);
            }
            let strikes_it = id == mover && marshal == Some(action.to);
            if !strikes_it {
                count_spared(&mut behaviour, piece, marshal);
            }
            if behaviour != self.behaviour[id] {
                self.draft.push((id, behaviour));
            }
        }
    }

    fn moved(&self, behaviour: &mut Behaviour, position: &Position, mover: PieceId, action: Action) {
        let side = mover.side();
        if !position.piece(mover).moved {
            behaviour.order = self.movers[side].saturating_add(1);
        }
        let (before, after) = (action.from.row_from(side), action.to.row_from(side));
        match after.cmp(&before) {
            std::cmp::Ordering::Greater => count(&mut behaviour.forward),
            std::cmp::Ordering::Equal => count(&mut behaviour.sideways),
            std::cmp::Ordering::Less => count(&mut behaviour.back),
        }
        behaviour.farthest = behaviour.farthest.max(before).max(after);
        if behaviour.last_from == Some(action.to) {
            count(&mut behaviour.reversals);
        }
        behaviour.last_from = Some(action.from);
        behaviour.last_ply = position.ply();
        behaviour.last_move = MoveFeatures::of(position, mover, action);
        if position.piece_at(action.to).is_none() {
            self.approached(behaviour, position, mover, action);
        }
    }

    /// Counts the enemies that a move without a strike goes towards or away from, each kind once.
    fn approached(&self, behaviour: &mut Behaviour, position: &Position, mover: PieceId, action: Action) {
        let MoveFeatures { towards, met, fled, .. } = behaviour.last_move;
        add(&mut behaviour.towards, towards | met);
        add(&mut behaviour.met, met);
        add(&mut behaviour.fled, fled);
        let Some(last) = self.last.filter(|last| last.took && last.id.side() != mover.side()) else { return };
        let piece = position.piece(last.id);
        let Some(square) = piece.square else { return };
        let (before, after) = (action.from.distance(square), action.to.distance(square));
        if after < before && after <= IN_REACH {
            count(&mut behaviour.avenged[Kind::of(piece) as usize]);
        }
    }

    /// Counts what a piece left alone in a turn in which another acted.
    fn stayed(&self, behaviour: &mut Behaviour, position: &Position, piece: &Piece) {
        let Some(square) = piece.square else { return };
        let mut free = false;
        for next in square.neighbours() {
            let Some(id) = position.piece_at(next) else {
                free = true;
                continue;
            };
            let other = position.piece(id);
            if position.to_move() == id.side() {
                continue;
            }
            free = true;
            let kind = Kind::of(other) as usize;
            count(&mut behaviour.beside[kind]);
            if self.last.is_some_and(|last| last.id == id) {
                count(&mut behaviour.stood[kind]);
            }
        }
        if free && !piece.moved {
            behaviour.free = (behaviour.free + 1).min(MOST_FREE);
        }
    }

    /// Keeps what was last considered, now that `action` has led to `position`; `first` tells whether it was its
    /// piece's first.
    pub(super) fn note(
        &mut self,
        position: &Position,
        action: Action,
        mover: PieceId,
        first: bool,
        strike: bool,
    ) {
        if !self.counting {
            return;
        }
        self.marks.push(Mark {
            changed: self.changed.len() as u32,
            shown: self.shown.len() as u32,
            movers: self.movers,
            blind_strikes: self.blind_strikes,
            last: self.last,
        });
        if let Some(strikes) = self.drafted.take() {
            self.blind_strikes[mover.side()] = strikes;
        }
        for snapshot in self.before.iter_mut().filter_map(Option::take) {
            if position.piece(snapshot.id).learned.len() == 1 {
                self.shown.push(snapshot);
            }
        }
        for (id, behaviour) in self.draft.drain(..) {
            self.changed.push((id, self.behaviour[id]));
            self.behaviour[id] = behaviour;
        }
        self.movers[mover.side()] += u8::from(first);
        let stands = position.piece(mover).square == Some(action.to);
        self.last = Some(Last { id: mover, took: strike && stands });
    }

    /// Drops what was last considered: it was not played.
    pub(super) fn forget(&mut self) {
        self.draft.clear();
        self.before = [None; 2];
        self.drafted = None;
    }

    /// Forgets how to take back all but the latest `count` plies.
    pub(super) fn keep_latest(&mut self, count: usize) {
        let dropped = self.marks.len().saturating_sub(count);
        let first = self.marks.get(dropped).map_or(self.changed.len() as u32, |mark| mark.changed);
        self.marks.drain(..dropped);
        self.changed.drain(..first as usize);
        self.marks.iter_mut().for_each(|mark| mark.changed -= first);
        self.marks.shrink_to_fit();
        self.changed.shrink_to_fit();
    }

    /// The behaviour features, of which only the latest `count` plies can be taken back.
    pub(super) fn latest(&self, count: usize) -> Behaviours {
        let dropped = self.marks.len().saturating_sub(count);
        let first = self.marks.get(dropped).map_or(self.changed.len() as u32, |mark| mark.changed);
        let kept = self.marks[dropped..].iter().map(|mark| Mark { changed: mark.changed - first, ..*mark });
        Behaviours {
            marks: kept.collect(),
            changed: self.changed[first as usize..].to_vec(),
            shown: self.shown.clone(),
            draft: Vec::new(),
            ..*self
        }
    }

    /// Takes the last ply back.
    pub(super) fn undo(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for (id, behaviour) in self.changed.drain(mark.changed as usize..) {
            self.behaviour[id] = behaviour;
        }
        self.shown.truncate(mark.shown as usize);
        (self.movers, self.last) = (mark.movers, mark.last);
        self.blind_strikes = mark.blind_strikes;
    }
}

/// Counts a turn in which a piece beside the enemy's known Marshal did not strike it.
fn count_spared(behaviour: &mut Behaviour, piece: &Piece, marshal: Option<Square>) {
    if piece.square.zip(marshal).is_some_and(|(square, marshal)| square.is_next_to(marshal)) {
        count(&mut behaviour.spared_marshal);
    }
}

/// Where `side`'s Marshal stands, if its enemy knows it.
fn known_marshal(position: &Position, side: Side) -> Option<Square> {
    let is_known = |piece: &Piece| piece.learned.single() == Some(Rank::Marshal);
    position.pieces(side).find_map(|(_, piece)| piece.square.filter(|_| is_known(piece)))
}

fn count(counter: &mut u8) {
    *counter = (*counter + 1).min(MOST);
}

fn add(counters: &mut ByKind, kinds: KindSet) {
    for kind in kinds.iter() {
        count(&mut counters[kind as usize]);
    }
}
