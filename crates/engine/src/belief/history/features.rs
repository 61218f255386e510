//! What can be said of a hidden piece from what both players saw of it: the numbers that the history model reads.

use super::super::square_prior::{place_of, square_weights};
use crate::math;
use crate::rules::{Piece, PieceId, Position, Rank, Side, Square};
use crate::view::behaviour::{ByKind, Snapshot};
use crate::view::move_features::Kind;
use crate::view::move_features::KindSet;
use crate::view::{HiddenArmy, View};

/// Groups of features and their sizes, in order.
const GROUPS: [(&str, usize); 21] = [
    ("start row", 4),
    ("start file, folded", 5),
    ("row now, from its owner", 10),
    ("file now, folded", 5),
    ("state", 6),
    ("counters", 12),
    ("met", Kind::COUNT),
    ("towards", Kind::COUNT),
    ("fled", Kind::COUNT),
    ("avenged", Kind::COUNT),
    ("stood", Kind::COUNT),
    ("beside", Kind::COUNT),
    ("last towards", Kind::COUNT),
    ("last met", Kind::COUNT),
    ("last fled", Kind::COUNT),
    ("last guarded", Kind::COUNT),
    ("neighbours", 3 * CELLS),
    ("neighbours at the start", 3 * OUTCOMES),
    ("near enemies", Kind::COUNT),
    ("army", 16),
    ("square prior", Rank::COUNT),
];

/// How many numbers describe a piece.
pub(super) const FEATURES: usize = {
    let (mut sum, mut group) = (0, 0);
    while group < GROUPS.len() {
        sum += GROUPS[group].1;
        group += 1;
    }
    sum
};

/// What may be on a square beside a piece.
const CELLS: usize = 8;
/// What may have become of the piece that began beside it.
const OUTCOMES: usize = 5;

/// Collects the features of one piece, group by group.
struct Writer<'a> {
    out: &'a mut [f32],
    at: usize,
    group: usize,
}

impl Writer<'_> {
    /// The numbers of the next group, zero at first.
    fn group(&mut self) -> &mut [f32] {
        let (from, size) = (self.at, GROUPS[self.group].1);
        self.at += size;
        self.group += 1;
        &mut self.out[from..from + size]
    }

    fn one_of(&mut self, index: Option<usize>) {
        let group = self.group();
        if let Some(cell) = index.and_then(|index| group.get_mut(index)) {
            *cell = 1.0;
        }
    }

    fn counts(&mut self, counts: &ByKind) {
        for (cell, &count) in self.group().iter_mut().zip(counts) {
            *cell = f32::from(count).sqrt() / 2.0;
        }
    }

    fn kinds(&mut self, kinds: KindSet, strength: f32) {
        for (kind, cell) in Kind::ALL.into_iter().zip(self.group()) {
            *cell = f32::from(u8::from(kinds.contains(kind))) * strength;
        }
    }
}

/// What holds for all hidden pieces of an army.
pub(super) struct ArmyFeatures {
    numbers: [f32; 16],
}

impl ArmyFeatures {
    /// Of `side` as its enemy sees it, where `ranks` tells what that knows of a piece.
    pub(super) fn new(view: &View, pieces: &HiddenArmy) -> ArmyFeatures {
        let position = view.position();
        let mut left = position.rules().army().counts().map(f32::from);
        let (mut moved, mut still) = (0.0, 0.0);
        for (_, piece) in pieces {
            if let Some(rank) = piece.ranks.single() {
                left[rank] -= 1.0;
            } else if piece.moved {
                moved += 1.0;
            } else {
                still += 1.0;
            }
        }
        let mut numbers = [0.0; 16];
        for (number, left) in numbers.iter_mut().zip(left.values()) {
            *number = left / 4.0;
        }
        numbers[12] = moved / 10.0;
        numbers[13] = still / 20.0;
        numbers[14] = math::ln(1.0 + position.ply() as f32 / 50.0) / 2.0;
        numbers[15] = math::ln(1.0 + position.quiet() as f32 / 10.0) / 2.0;
        ArmyFeatures { numbers }
    }
}

fn folded(square: Square) -> usize {
    let file = square.file();
    usize::from(file.min(9 - file))
}

fn log(count: u32) -> f32 {
    math::ln(1.0 + count as f32) / 2.0
}

/// Writes the features of a piece of untold rank.
pub(super) fn write(view: &View, army: &ArmyFeatures, id: PieceId, piece: &Piece, out: &mut [f32]) {
    out.fill(0.0);
    let position = view.position();
    let snapshot = view.behaviours().snapshot(position, id, piece);
    let mut writer = Writer { out, at: 0, group: 0 };
    let start = piece.start.filter(|_| !id.came_back());
    writer.one_of(start.map(|square| usize::from(square.row_from(id.side()))));
    writer.one_of(start.map(folded));
    writer.one_of(piece.square.map(|square| usize::from(square.row_from(id.side()))));
    writer.one_of(piece.square.map(folded));
    states(writer.group(), position, &snapshot);
    counters(writer.group(), &snapshot);
    let behaviour = &snapshot.behaviour;
    for counts in [
        &behaviour.met,
        &behaviour.towards,
        &behaviour.fled,
        &behaviour.avenged,
        &behaviour.stood,
        &behaviour.beside,
    ] {
        writer.counts(counts);
    }
    let fresh = 4.0 / (4.0 + idle(&snapshot) as f32);
    let last_move = &behaviour.last_move;
    for kinds in [last_move.towards, last_move.met, last_move.fled, last_move.guarded] {
        writer.kinds(kinds, fresh);
    }
    neighbours(writer.group(), position, id, piece);
    start_neighbours(writer.group(), position, id, start);
    proximity(writer.group(), position, id, piece);
    writer.group().copy_from_slice(&army.numbers);
    if let Some(place) = place_of(id, piece) {
        for (cell, weight) in writer.group().iter_mut().zip(square_weights(place).values()) {
            *cell = math::ln(*weight) / 2.0;
        }
    }
}

/// Turns of its owner since it last moved, or of the game.
fn idle(snapshot: &Snapshot) -> u32 {
    snapshot.ply.saturating_sub(snapshot.behaviour.last_ply) / 2
}

fn states(out: &mut [f32], position: &Position, snapshot: &Snapshot) {
    let Snapshot { id, piece, behaviour, .. } = snapshot;
    let last = position.history().last().and_then(|played| position.piece_at(played.action.to));
    let flags = [
        piece.moved,
        piece.is_alive(),
        id.came_back(),
        last == Some(*id),
        behaviour.order == 1,
        (1..=3).contains(&behaviour.order),
    ];
    for (cell, flag) in out.iter_mut().zip(flags) {
        *cell = f32::from(u8::from(flag));
    }
}

fn counters(out: &mut [f32], snapshot: &Snapshot) {
    let Snapshot { piece, behaviour, .. } = snapshot;
    let first = piece.first_move.map_or(0.0, |ply| log(ply / 2 + 1));
    let row = piece.square.map_or(0, |square| square.row_from(snapshot.id.side()));
    let numbers = [
        log(u32::from(behaviour.moves)),
        log(u32::from(behaviour.forward)),
        log(u32::from(behaviour.sideways)),
        log(u32::from(behaviour.back)),
        log(u32::from(behaviour.reversals)),
        f32::from(behaviour.order) / 10.0,
        f32::from(snapshot.movers) / 10.0,
        first,
        log(u32::from(behaviour.free)),
        log(idle(snapshot)),
        f32::from(snapshot.still_neighbours) / 2.0,
        f32::from(behaviour.farthest.max(row)) / 5.0,
    ];
    out.copy_from_slice(&numbers);
}

/// The square ahead of `square` as `side` sees it, the one behind, and the two beside.
fn around(square: Square, side: Side) -> [(usize, Option<Square>); 4] {
    let (file, row) = (square.file(), square.row());
    let (ahead, behind) = match side {
        Side::Red => (row.checked_add(1), row.checked_sub(1)),
        Side::Blue => (row.checked_sub(1), row.checked_add(1)),
    };
    let at = |file: Option<u8>, row: Option<u8>| Square::new(file?, row?);
    [
        (0, at(Some(file), ahead)),
        (1, at(Some(file), behind)),
        (2, at(file.checked_sub(1), Some(row))),
        (2, at(file.checked_add(1), Some(row))),
    ]
}

fn neighbours(out: &mut [f32], position: &Position, id: PieceId, piece: &Piece) {
    let Some(square) = piece.square else { return };
    for (direction, next) in around(square, id.side()) {
        let cell = next.map_or(0, |next| content(position, id.side(), next));
        out[direction * CELLS + cell] += if direction == 2 { 0.5 } else { 1.0 };
    }
}

/// What is on a square, for a piece of `side` beside it; 0 is no square.
fn content(position: &Position, side: Side, square: Square) -> usize {
    let Some(other) = position.piece_at(square) else { return 1 };
    let piece = position.piece(other);
    if other.side() != side {
        return if piece.learned.single().is_some() { 6 } else { 7 };
    }
    match piece.learned.single() {
        Some(Rank::Bomb) => 2,
        Some(_) => 3,
        None if piece.moved => 4,
        None => 5,
    }
}

fn start_neighbours(out: &mut [f32], position: &Position, id: PieceId, start: Option<Square>) {
    let Some(start) = start else { return };
    for (direction, next) in around(start, id.side()) {
        let Some(next) = next.filter(|next| next.row_from(id.side()) < 4) else { continue };
        let other = position.pieces(id.side()).find(|(_, piece)| piece.start == Some(next));
        let Some((_, piece)) = other else { continue };
        let outcome = match piece.learned.single() {
            _ if !piece.is_alive() => 0,
            Some(Rank::Bomb) => 1,
            Some(_) => 2,
            None if piece.moved => 3,
            None => 4,
        };
        out[direction * OUTCOMES + outcome] += if direction == 2 { 0.5 } else { 1.0 };
    }
}

/// How near the nearest enemy of each kind is.
fn proximity(out: &mut [f32], position: &Position, id: PieceId, piece: &Piece) {
    let Some(square) = piece.square else { return };
    for other in position.occupied(id.side().enemy()) {
        let Some(enemy) = position.piece_at(other) else { continue };
        let kind = Kind::of(position.piece(enemy)) as usize;
        out[kind] = out[kind].max(2.0 / (1.0 + f32::from(square.distance(other))));
    }
}
