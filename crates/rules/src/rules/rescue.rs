//! Rescues: a captured piece handed back on reaching the enemy's back row.
//!
//! The piece comes back under a new [`PieceId`] (number 40 for the first rescue, 41 for the second), so no position
//! that stood before is ever repeated. One of the dead leaves its place among the captured for good. Where nobody
//! tells which of them it was, everybody takes the same one out, and each of the others that may have been it
//! instead may from now on be what that one was. Once the piece that came back shows more of its rank, fewer of the dead
//! may have been it, and the others are what they were.

use super::action::{Action, Rescue};
use super::exchange::{Exchange, Sources};
use super::piece::{FIRST_RESCUED, Piece, PieceId, RESCUERS};
use super::position::Position;
use super::rank::{Rank, RankSet};
use super::side::Side;
use super::square::{Direction, Square};
use super::square_set::SquareSet;
use std::fmt;
use std::ops::ControlFlow;

/// Why there can be no such rescue.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum NoRescue {
    /// The rules know none.
    Rules,
    /// The piece does not step onto the enemy's back row from another row.
    Row,
    /// Scouts make none.
    Scout,
    /// The piece has made one already.
    Again,
    /// The side has made both of its rescues.
    Spent,
    /// No captured piece that may be handed back has this rank.
    Rank,
    /// The square is not an empty one of the side's own four rows.
    Square(Square),
    /// The rescuing side has to say which rank comes back.
    Untold,
}

impl fmt::Display for NoRescue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRescue::Rules => f.write_str("no rescue under these rules"),
            NoRescue::Row => f.write_str("a rescue takes a step onto the enemy's back row"),
            NoRescue::Scout => f.write_str("a scout makes no rescue"),
            NoRescue::Again => f.write_str("the piece has made a rescue before"),
            NoRescue::Spent => f.write_str("both rescues have been made"),
            NoRescue::Rank => f.write_str("no such piece can be handed back"),
            NoRescue::Square(square) => write!(f, "{square} is no empty square of the four home rows"),
            NoRescue::Untold => f.write_str("the rank that comes back has to be told, as in b9b10+5@c2"),
        }
    }
}

/// The ranks that may be handed back: no bomb by the rule, no flag as the game is over when it falls.
const RESCUED: RankSet = RankSet::MOBILE;

/// One way in which a rescue may have come about.
#[derive(Clone, Debug, Eq, PartialEq)]
#[doc(hidden)]
pub struct WayOfRescue {
    /// How many graves it stands for.
    pub graves: u32,
    /// The ranks that are left to the piece that came back, and to those that still lie there.
    pub ranks: Vec<(PieceId, RankSet)>,
}

impl Position {
    /// Rescues that a side may make in a game.
    pub const MOST_RESCUES: u8 = 2;

    /// Rescues that `side` has made.
    pub fn rescues(&self, side: Side) -> u8 {
        self.rescues[side]
    }

    /// Notes that `side` has made so many rescues before the position stood.
    pub(super) fn set_rescues(&mut self, side: Side, count: u8) {
        self.rescues[side] = count;
    }

    /// The ranks that `side` may hand back, as far as the holder of this position can tell.
    pub fn rescuable(&self, side: Side) -> RankSet {
        self.dead(side).fold(RankSet::EMPTY, |set, (_, piece)| set.or(piece.ranks)).and(RESCUED)
    }

    /// The empty squares of `side`'s four rows, where a rescued piece may be put; row 1 first.
    pub fn open_home(&self, side: Side) -> impl Iterator<Item = Square> + use<'_> {
        let first = if side == Side::Red { 0 } else { 60 };
        (first..first + 40).filter_map(Square::from_index).filter(|&square| self.piece_at(square).is_none())
    }

    /// Whether the side to move may add a rescue to `action`, which may be made without one.
    pub fn may_rescue(&self, action: Action) -> bool {
        self.rules.rescue
            && self.piece_at(action.from).is_some_and(|id| self.check_rescuer(id, action).is_ok())
            && !self.rescuable(self.to_move).is_empty()
    }

    /// The pieces that the rescue of the last ply made here changed, as they were before, the one that came back
    /// last; none if it made no rescue.
    pub fn last_rescue(&self) -> &[(PieceId, Piece)] {
        let rescued = self.history().last().is_some_and(|played| played.action.rescue.is_some());
        if rescued { self.last_raised() } else { &[] }
    }

    /// Steps over open squares from the nearest piece that may make a rescue to the enemy's back row. Hidden pieces
    /// that have not moved are taken to stay.
    pub fn steps_to_rescue(&self, side: Side) -> Option<u32> {
        let last = enemy_row(side, 0);
        let able = |square: Square| {
            self.piece_at(square).map(|id| self.piece(id)).is_some_and(|piece| {
                piece.ranks.meets(RESCUERS)
                    && !piece.rescuer
                    && (piece.moved || piece.ranks.single().is_some())
            })
        };
        let mut others = self.movers(side) - last;
        let open = self.reachable(Side::Red) & self.reachable(Side::Blue);
        let mut zone = last & open;
        for steps in 1..=FARTHEST {
            let near = zone.neighbours();
            if (near & others).into_iter().any(able) {
                return Some(steps);
            }
            others -= near;
            zone |= near & open;
        }
        None
    }

    fn dead(&self, side: Side) -> impl Iterator<Item = (PieceId, &Piece)> {
        self.pieces(side).filter(|(_, piece)| !piece.is_alive())
    }

    /// Whether the piece may make a rescue by `action`.
    fn check_rescuer(&self, id: PieceId, action: Action) -> Result<(), NoRescue> {
        let (side, piece) = (id.side(), self.piece(id));
        if action.to.row_from(side) != 9 || action.from.row_from(side) == 9 {
            Err(NoRescue::Row)
        } else if action.distance() > 1 || !piece.ranks.meets(RESCUERS) {
            Err(NoRescue::Scout)
        } else if piece.rescuer {
            Err(NoRescue::Again)
        } else if self.rescues(side) >= Position::MOST_RESCUES {
            Err(NoRescue::Spent)
        } else {
            Ok(())
        }
    }

    /// Whether the piece may make this rescue by `action`. Whether a strike wins is not asked: if not, its rescue is
    /// void.
    pub(super) fn check_rescue(&self, id: PieceId, action: Action, rescue: Rescue) -> Result<(), NoRescue> {
        if !self.rules.rescue {
            return Err(NoRescue::Rules);
        }
        self.check_rescuer(id, action)?;
        let reported = rescue.rank.map_or(RESCUED, RankSet::only).and(RESCUED);
        if !self.dead(id.side()).any(|(_, piece)| piece.ranks.meets(reported)) {
            return Err(NoRescue::Rank);
        }
        let home = rescue.square.setup_place(id.side()).is_some();
        if home && self.piece_at(rescue.square).is_none() {
            Ok(())
        } else {
            Err(NoRescue::Square(rescue.square))
        }
    }

    /// Calls `visit` with every action of `side` that makes a rescue and breaks no repetition rule, until it breaks.
    pub(super) fn visit_rescues<B>(
        &self,
        side: Side,
        mut visit: impl FnMut(Action) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let ahead = if side == Side::Red { Direction::North } else { Direction::South };
        let (from, ranks) = (self.able(side) & enemy_row(side, 1), self.rescuable(side));
        if from.is_empty() || ranks.is_empty() {
            return ControlFlow::Continue(());
        }
        for from in from {
            let (Some(id), Some(to)) = (self.piece_at(from), from.step(ahead)) else { continue };
            let plain = Action::new(from, to);
            if !self.reachable(side).contains(to) || self.check_rescuer(id, plain).is_err() {
                continue;
            }
            for rank in ranks.iter() {
                for square in self.open_home(side) {
                    let action = Action { rescue: Some(Rescue { rank: Some(rank), square }), ..plain };
                    if self.repetition(action).is_none() {
                        visit(action)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands a piece back to `side`; [`Position::check_rescue`] has passed. Notes the pieces that this changes as
    /// they were before, in the order of the changes, the one that came back last.
    pub(super) fn raise(&mut self, side: Side, rescue: Rescue) {
        let reported = rescue.rank.map_or(RESCUED, RankSet::only);
        let shown = if self.rules.silent { RESCUED } else { reported };
        let plain = shown.single().is_some() && self.dead(side).any(|(_, piece)| piece.learned == shown);
        if !plain {
            self.count_out(side);
        }
        let graves: Vec<PieceId> = self.dead(side).map(|(id, _)| id).collect();
        let open = graves.iter().copied().filter(|&id| self.piece(id).learned.meets(shown));
        let emptied = open.min_by_key(|&id| (self.piece(id).learned.len(), id));
        let Some(emptied) = emptied.or(graves.first().copied()) else { return };
        let known = self.exchange(&graves, emptied, reported, |piece| piece.ranks);
        let seen = self.exchange(&graves, emptied, shown, |piece| piece.learned);
        let gone = *self.piece(emptied);
        for &id in &graves {
            let piece = *self.piece(id);
            let ranks = known.left(id, RankSet::ALL).unwrap_or(piece.ranks);
            let mut piece =
                Piece { ranks, learned: seen.left(id, RankSet::ALL).unwrap_or(piece.learned), ..piece };
            if id == emptied {
                piece = Piece::ABSENT;
            } else if !plain && self.piece(id).learned.meets(shown) {
                // Nobody can tell any more which of the two lies here.
                piece = Piece { start: None, first_move: None, moved: piece.moved && gone.moved, ..piece };
            }
            if piece != *self.piece(id) {
                self.change(id, piece);
            }
        }
        let number = FIRST_RESCUED + usize::from(self.rescues(side));
        let square = Some(rescue.square);
        let (ranks, learned) = (known.raised(), seen.raised());
        let raised = PieceId::new(side, number);
        self.change(raised, Piece { ranks, learned, square, moved: true, ..Piece::ABSENT });
        self.exchanges.push(Exchange { raised, emptied, known, seen });
        self.rescues[side] += 1;
    }

    /// After a ply in which a piece that once came back may have shown more of its rank: what its side's dead may still
    /// be. Once there was another rescue of that side, they stay as they are.
    pub(super) fn narrow_graves(&mut self, raised: PieceId) {
        let of_side = |exchange: &&Exchange| exchange.raised.side() == raised.side();
        let latest = self.exchanges.iter().rfind(of_side).filter(|exchange| exchange.is_about(raised));
        let Some(Exchange { emptied, known, seen, .. }) = latest.cloned() else { return };
        let Piece { ranks, learned, .. } = *self.piece(raised);
        for (id, _) in known.graves.iter().chain(&seen.graves).filter(|(id, _)| *id != emptied) {
            let piece = *self.piece(*id);
            let left = |open: &Sources, shown, set: RankSet| {
                let left = open.left(*id, shown).unwrap_or(set).and(set);
                if left.is_empty() { set } else { left }
            };
            let narrowed = Piece {
                ranks: left(&known, ranks, piece.ranks),
                learned: left(&seen, learned, piece.learned),
                ..piece
            };
            if narrowed != piece {
                self.change(*id, narrowed);
            }
        }
    }

    /// The ways in which `side`'s latest rescue may have come about, by what the other side knows: one for each grave that
    /// the piece may have come from, but one for all whose ways are the same. No ways if there are not several.
    #[doc(hidden)]
    pub fn ways_of_rescue(&self, side: Side, holder: Side) -> Vec<WayOfRescue> {
        let Some(latest) = self.exchanges.iter().rfind(|exchange| exchange.raised.side() == side) else {
            return Vec::new();
        };
        let (sources, raised) = if side == holder {
            (&latest.seen, self.piece(latest.raised).learned)
        } else {
            (&latest.known, self.piece(latest.raised).ranks)
        };
        let mut ways: Vec<WayOfRescue> = Vec::new();
        for (origin, set) in sources.graves.iter().filter(|_| sources.graves.len() > 1) {
            let came_back = set.and(sources.reported).and(raised);
            let lies_there =
                |(id, set): &(PieceId, RankSet)| (*id, if id == origin { sources.emptied } else { *set });
            let others = sources.graves.iter().filter(|(id, _)| *id != latest.emptied).map(lies_there);
            let ranks: Vec<_> = std::iter::once((latest.raised, came_back)).chain(others).collect();
            match ways.iter_mut().find(|other| other.ranks == ranks) {
                Some(same) => same.graves += 1,
                None if !came_back.is_empty() => ways.push(WayOfRescue { graves: 1, ranks }),
                None => {}
            }
        }
        ways
    }

    fn change(&mut self, id: PieceId, piece: Piece) {
        self.changed.push((id, *self.piece(id)));
        self.set_piece(id, piece);
    }

    /// Before it becomes unknown who lies among the dead: no other piece has a rank that is known to lie there and
    /// whose every piece is known.
    fn count_out(&mut self, side: Side) {
        let (ranks, learned) =
            (self.counted_out(side, |piece| piece.ranks), self.counted_out(side, |piece| piece.learned));
        for id in PieceId::of(side) {
            let piece = *self.piece(id);
            let left = |set: RankSet, full| {
                let left = set.without(full);
                if set.single().is_some() || left.is_empty() { set } else { left }
            };
            let counted =
                Piece { ranks: left(piece.ranks, ranks), learned: left(piece.learned, learned), ..piece };
            if counted != piece {
                self.change(id, counted);
            }
        }
    }

    /// The ranks of which `side` has no piece but those that `knowledge` knows for certain, and one among the dead.
    fn counted_out(&self, side: Side, knowledge: fn(&Piece) -> RankSet) -> RankSet {
        let army = self.rules.army();
        let known =
            |rank| self.pieces(side).filter(move |(_, piece)| knowledge(piece) == RankSet::only(rank));
        let full = |rank| known(rank).count() >= usize::from(army.count(rank));
        let lost = |rank| known(rank).any(|(_, piece)| !piece.is_alive());
        Rank::ALL.into_iter().filter(|&rank| full(rank) && lost(rank)).collect()
    }

    /// Which of the dead may come back, when the piece that does is one of `reported` and the grave `emptied` is the one to
    /// go.
    fn exchange(
        &self,
        graves: &[PieceId],
        emptied: PieceId,
        reported: RankSet,
        knowledge: impl Fn(&Piece) -> RankSet,
    ) -> Sources {
        let set = |id: PieceId| knowledge(self.piece(id));
        let certain = |id: PieceId| reported.single().is_some() && set(id) == reported;
        let found =
            if certain(emptied) { Some(emptied) } else { graves.iter().copied().find(|&id| certain(id)) };
        let may_be: Vec<PieceId> = match found {
            Some(id) => vec![id],
            None => graves.iter().copied().filter(|&id| set(id).meets(reported)).collect(),
        };
        let graves = may_be.into_iter().map(|id| (id, set(id))).collect();
        Sources { reported, emptied: set(emptied), graves }
    }
}

/// Longest way to a rescue that is looked for.
const FARTHEST: u32 = 12;

/// The squares of the row that is so many rows before the last one of `side`'s enemy.
const fn enemy_row(side: Side, before: u8) -> SquareSet {
    SquareSet::row(match side {
        Side::Red => 9 - before,
        Side::Blue => before,
    })
}
