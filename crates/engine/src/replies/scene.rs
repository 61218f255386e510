//! What an action is about: where it goes, what it comes near, what was played before.

use crate::game_phase::phase;
use crate::rules::{Action, Outcome, Piece, Position, Rank, Side, Square, battle};
use std::cmp::Ordering;

/// Plies before an action that are looked at.
const PAST: usize = 8;
/// Pieces of the other side that are farther away do not count.
const FARTHEST: u8 = 6;

/// What depends on the rank of what moves.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum RankKey {
    /// It arrives in this row, counted from its own side.
    Row(u8),
    /// It moved in its side's last turn.
    Again,
    /// The same, in the same direction.
    StraightOn,
    /// It moved in one of the three turns before that.
    Lately,
    /// It comes beside what moved last.
    BesideLast,
    /// It leaves what moved last, having stood beside it.
    LeavesLast,
    /// It comes nearer to what moved last.
    NearerLast,
    /// It goes away from it.
    FartherLast,
    /// It never moved before.
    First,
    /// It strikes a hidden piece that never moved.
    StrikesUnmoved,
    /// It strikes a hidden piece that has moved.
    StrikesMoved,
}

impl RankKey {
    pub(super) const COUNT: usize = 20;

    /// Every key, in the order of their places.
    pub(super) fn all() -> impl Iterator<Item = RankKey> {
        (0..10).map(RankKey::Row).chain([
            RankKey::Again,
            RankKey::StraightOn,
            RankKey::Lately,
            RankKey::BesideLast,
            RankKey::LeavesLast,
            RankKey::NearerLast,
            RankKey::FartherLast,
            RankKey::First,
            RankKey::StrikesUnmoved,
            RankKey::StrikesMoved,
        ])
    }

    pub(super) const fn index(self) -> usize {
        match self {
            RankKey::Row(row) => row as usize,
            RankKey::Again => 10,
            RankKey::StraightOn => 11,
            RankKey::Lately => 12,
            RankKey::BesideLast => 13,
            RankKey::LeavesLast => 14,
            RankKey::NearerLast => 15,
            RankKey::FartherLast => 16,
            RankKey::First => 17,
            RankKey::StrikesUnmoved => 18,
            RankKey::StrikesMoved => 19,
        }
    }
}

/// How an action meets a piece of the other side.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Meeting {
    /// It comes beside it.
    Beside,
    /// It stood beside it.
    Left,
    /// It comes nearer from this distance; four steps stand for more.
    Nearer(u8),
    /// It goes farther away from this distance.
    Farther(u8),
    /// It strikes it, and it is known.
    Strikes,
}

impl Meeting {
    pub(super) const COUNT: usize = 11;

    /// Every meeting, in the order of their places.
    pub(super) fn all() -> impl Iterator<Item = Meeting> {
        let way = |meeting: fn(u8) -> Meeting| (1..=4).map(meeting);
        [Meeting::Beside, Meeting::Left]
            .into_iter()
            .chain(way(Meeting::Nearer))
            .chain(way(Meeting::Farther))
            .chain([Meeting::Strikes])
    }

    pub(super) const fn index(self) -> usize {
        match self {
            Meeting::Beside => 0,
            Meeting::Left => 1,
            Meeting::Nearer(steps) => 1 + steps as usize,
            Meeting::Farther(steps) => 5 + steps as usize,
            Meeting::Strikes => 10,
        }
    }
}

/// What the mover knows of a piece of the other side, beside the mover's own rank.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    Unmoved,
    Moved,
    Weaker,
    Equal,
    Stronger,
    /// Known, not to be beaten, and it will never move.
    Bomb,
}

impl Kind {
    pub(super) const COUNT: usize = 6;

    /// Of a piece, for a mover of this rank.
    pub(super) fn of(mover: Rank, other: &Piece, aggressor: bool) -> Kind {
        match other.learned.single() {
            None if other.moved => Kind::Moved,
            None => Kind::Unmoved,
            Some(rank) => match battle(mover, rank, aggressor) {
                Outcome::Win => Kind::Weaker,
                Outcome::Tie => Kind::Equal,
                Outcome::Loss if rank.is_mobile() => Kind::Stronger,
                Outcome::Loss => Kind::Bomb,
            },
        }
    }
}

/// What depends on no rank.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Plain {
    /// It goes ahead, aside or back, in this phase.
    Ahead(u8),
    Aside(u8),
    Back(u8),
    /// It takes its side's last move back, in this phase.
    Undoes(u8),
    /// It is the first move of its piece, in this phase.
    First(u8),
    /// It strikes a hidden piece, in this phase.
    Strikes(u8),
    /// It strikes what moved last.
    StrikesLast,
    /// It goes several squares.
    Far,
    /// The other side knows what moves.
    Known,
    /// It arrives on this file, counted from the nearer edge.
    File(u8),
}

impl Plain {
    pub(super) const COUNT: usize = 26;

    pub(super) const fn index(self) -> usize {
        match self {
            Plain::Ahead(phase) => phase as usize,
            Plain::Aside(phase) => 3 + phase as usize,
            Plain::Back(phase) => 6 + phase as usize,
            Plain::Undoes(phase) => 9 + phase as usize,
            Plain::First(phase) => 12 + phase as usize,
            Plain::Strikes(phase) => 15 + phase as usize,
            Plain::StrikesLast => 18,
            Plain::Far => 19,
            Plain::Known => 20,
            Plain::File(file) => 21 + file as usize,
        }
    }
}

/// Takes what an action is about.
pub(super) trait Sink {
    fn rank(&mut self, key: RankKey);
    fn meet(&mut self, meeting: Meeting, other: &Piece);
    fn plain(&mut self, plain: Plain);
}

/// A position as all actions of the side to move have it in common.
pub(super) struct Scene<'a> {
    position: &'a Position,
    side: Side,
    /// The latest plies, the last one first.
    past: [Option<Action>; PAST],
    others: Vec<(Square, &'a Piece)>,
    phase: u8,
}

impl<'a> Scene<'a> {
    pub(super) fn new(position: &'a Position) -> Scene<'a> {
        let side = position.to_move();
        let mut past = [None; PAST];
        for (place, played) in past.iter_mut().zip(position.history().rev()) {
            *place = Some(played.action);
        }
        let others = position.pieces(side.enemy()).filter_map(|(_, piece)| Some((piece.square?, piece)));
        let phase = phase(position.ply()) as u8;
        Scene { position, side, past, others: others.collect(), phase }
    }

    /// Tells a sink what an action of the side to move is about.
    pub(super) fn visit(&self, action: Action, sink: &mut impl Sink) {
        let Some(id) = self.position.piece_at(action.from) else { return };
        let piece = self.position.piece(id);
        self.past(action, sink);
        match self.position.piece_at(action.to) {
            Some(victim) => self.strike(action, self.position.piece(victim), sink),
            None => self.quiet(action, sink),
        }
        if !piece.moved {
            sink.rank(RankKey::First);
            sink.plain(Plain::First(self.phase));
        }
        if piece.ranks.single().is_some() {
            sink.plain(Plain::Known);
        }
    }

    /// What it has to do with the side's own last plies.
    fn past(&self, action: Action, sink: &mut impl Sink) {
        let own = |turns: usize| self.past[2 * turns + 1].filter(|last| last.to == action.from);
        if let Some(last) = own(0) {
            sink.rank(RankKey::Again);
            if direction(last) == direction(action) {
                sink.rank(RankKey::StraightOn);
            }
            if last.from == action.to {
                sink.plain(Plain::Undoes(self.phase));
            }
        } else if (1..PAST / 2).any(|turns| own(turns).is_some()) {
            sink.rank(RankKey::Lately);
        }
    }

    fn strike(&self, action: Action, victim: &Piece, sink: &mut impl Sink) {
        if victim.learned.single().is_some() {
            sink.meet(Meeting::Strikes, victim);
        } else {
            sink.rank(if victim.moved { RankKey::StrikesMoved } else { RankKey::StrikesUnmoved });
            sink.plain(Plain::Strikes(self.phase));
        }
        if self.past[0].is_some_and(|last| last.to == action.to) {
            sink.plain(Plain::StrikesLast);
        }
    }

    fn quiet(&self, action: Action, sink: &mut impl Sink) {
        let (before, after) = (action.from.row_from(self.side), action.to.row_from(self.side));
        sink.rank(RankKey::Row(after));
        sink.plain(match after.cmp(&before) {
            Ordering::Greater => Plain::Ahead(self.phase),
            Ordering::Equal => Plain::Aside(self.phase),
            Ordering::Less => Plain::Back(self.phase),
        });
        let file = action.to.file();
        sink.plain(Plain::File(file.min(9 - file)));
        if action.distance() > 1 {
            sink.plain(Plain::Far);
        }
        if let Some(last) = self.past[0] {
            near_last(action, last.to, sink);
        }
        for &(square, other) in &self.others {
            meet(action, square, other, sink);
        }
    }
}

fn near_last(action: Action, last: Square, sink: &mut impl Sink) {
    let (before, after) = (action.from.distance(last), action.to.distance(last));
    if after == 1 {
        sink.rank(RankKey::BesideLast);
    }
    if before == 1 {
        sink.rank(RankKey::LeavesLast);
    }
    if after < before && before <= 4 {
        sink.rank(RankKey::NearerLast);
    }
    if after > before && before <= 3 {
        sink.rank(RankKey::FartherLast);
    }
}

fn meet(action: Action, square: Square, other: &Piece, sink: &mut impl Sink) {
    let (before, after) = (action.from.distance(square), action.to.distance(square));
    if after == 1 {
        sink.meet(Meeting::Beside, other);
    }
    if before == 1 {
        sink.meet(Meeting::Left, other);
    }
    if before <= FARTHEST {
        let steps = before.min(4);
        match after.cmp(&before) {
            Ordering::Less => sink.meet(Meeting::Nearer(steps), other),
            Ordering::Equal => (),
            Ordering::Greater => sink.meet(Meeting::Farther(steps), other),
        }
    }
}

/// Where an action goes: files to the right, rows up, as signs.
fn direction(action: Action) -> (Ordering, Ordering) {
    (action.to.file().cmp(&action.from.file()), action.to.row().cmp(&action.from.row()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_phase::PHASES;

    #[test]
    fn every_place_is_taken_once() {
        assert!(RankKey::all().map(RankKey::index).eq(0..RankKey::COUNT));
        assert!(Meeting::all().map(Meeting::index).eq(0..Meeting::COUNT));
        let by_phase = [Plain::Ahead, Plain::Aside, Plain::Back, Plain::Undoes, Plain::First, Plain::Strikes];
        let plain = by_phase.iter().flat_map(|plain| (0..PHASES as u8).map(plain));
        let plain =
            plain.chain([Plain::StrikesLast, Plain::Far, Plain::Known]).chain((0..5).map(Plain::File));
        assert!(plain.map(Plain::index).eq(0..Plain::COUNT));
    }
}
