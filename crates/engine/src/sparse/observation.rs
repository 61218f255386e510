//! What the side to move sees, square by square, as its features are made from it.

use super::pursuit::{Pursuit, Pursuits};
use super::squares::seen_from;
use crate::rules::{
    Army, ByRank, Piece, PieceId, Position, Preset, Rank, RankSet, Ruleset, SQUARES, Side, Square,
};
use crate::view::{View, Visibility};

/// How many plies of each side are seen.
pub(super) const PLIES: usize = 8;
/// The latest plies of both sides that are shown.
pub const PLIES_SHOWN: usize = 2 * PLIES;
/// Kinds of enemy pieces: one that never moved; one that moved, by the strongest known piece that it went up to; one of each
/// rank.
pub(super) const KINDS: usize = 5 + Rank::COUNT;

/// What stands on a square.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) enum Cell {
    /// Nothing, or a lake.
    #[default]
    Empty,
    /// A piece of ours.
    Own(Own),
    /// One of the enemy's, of this kind, below [`KINDS`].
    Enemy(u8),
}

/// A piece of ours.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Own {
    /// Its rank, by [`Rank::index`].
    pub(super) rank: u8,
    /// What the enemy can tell of it: 0 nothing, 1 that it has moved, 2 its rank.
    pub(super) state: u8,
}

impl Own {
    /// Rank and state in one number, below 36.
    pub(super) const fn code(self) -> usize {
        self.rank as usize * 3 + self.state as usize
    }

    /// Rank and state of a piece that may move in one number, below 30.
    pub(super) const fn mover(self) -> usize {
        self.code() - 3
    }

    pub(super) const fn is_mobile(self) -> bool {
        self.rank != Rank::Flag as u8 && self.rank != Rank::Bomb as u8
    }
}

/// A ply of the past, as the side to move sees the board.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct PastPly {
    pub(super) piece: PieceId,
    pub(super) from: u8,
    pub(super) to: u8,
}

/// How many of each rank there are, by [`Rank::index`].
pub(super) type Counts = [u8; Rank::COUNT];

/// How many pieces of a side live, as far as the side to move knows, and are not known to the other side.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct ArmyCounts {
    pub(super) alive: Counts,
    pub(super) hidden: Counts,
}

/// What the side to move knows, from its side of the board.
#[derive(Clone, Debug)]
pub struct Observation {
    pub(super) us: Side,
    pub(super) rules: Ruleset,
    pub(super) cells: [Cell; SQUARES],
    /// Which of our pieces stands on each square.
    pub(super) own_pieces: [Option<PieceId>; SQUARES],
    /// What the piece on each square was seen to do.
    pub(super) pursuits: [Pursuit; SQUARES],
    /// Whether an enemy piece that has moved stands there.
    pub(super) moved_enemies: [bool; SQUARES],
    /// The ranks that a hidden enemy piece may have, where strikes left less than its kind says.
    pub(super) hints: [RankSet; SQUARES],
    /// Where our pieces stand; the first so many.
    pub(super) own: Squares,
    /// Where the enemy's stand.
    pub(super) enemy: Squares,
    pub(super) ours: ArmyCounts,
    pub(super) theirs: ArmyCounts,
    /// Hidden enemy pieces that never moved.
    pub(super) unmoved: u8,
    /// Hidden enemy pieces that moved.
    pub(super) moved: u8,
    /// Our latest plies and the enemy's, newest first.
    pub(super) past: [[Option<PastPly>; PLIES]; 2],
    pub(super) quiet: u32,
    pub(super) ply: u32,
    /// Rescues that each side has made, ours first.
    pub(super) rescues: [u8; 2],
}

/// A list of squares.
#[derive(Copy, Clone, Debug)]
pub(super) struct Squares {
    squares: [u8; PieceId::PER_SIDE],
    count: usize,
}

impl Squares {
    const NONE: Squares = Squares { squares: [0; PieceId::PER_SIDE], count: 0 };

    fn push(&mut self, square: u8) {
        self.squares[self.count] = square;
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.squares[..self.count].iter().map(|&square| usize::from(square))
    }
}

impl Observation {
    /// What the player of `view` sees, whose turn it is; `pursuits` are those of its position.
    pub fn new(view: &View, pursuits: &Pursuits) -> Observation {
        Observation::in_tree(view.position(), view.viewer(), pursuits)
    }

    /// What `us` knows at a node of its search, as if it were its turn there.
    pub(crate) fn in_tree(position: &Position, us: Side, pursuits: &Pursuits) -> Observation {
        Observation::by(position, us, pursuits, |piece| piece.ranks)
    }

    /// What the side to move can know in a position in which all ranks are supposed.
    pub(super) fn of_truth(position: &Position, pursuits: &Pursuits) -> Observation {
        Observation::by(position, position.to_move(), pursuits, |piece| piece.learned)
    }

    /// `known` tells what is known of a piece of the enemy's.
    fn by(
        position: &Position,
        us: Side,
        pursuits: &Pursuits,
        known: impl Fn(&Piece) -> RankSet,
    ) -> Observation {
        let rules = *position.rules();
        let mut seen = Observation {
            us,
            rules,
            cells: [Cell::Empty; SQUARES],
            own_pieces: [None; SQUARES],
            pursuits: [Pursuit::default(); SQUARES],
            moved_enemies: [false; SQUARES],
            hints: [RankSet::EMPTY; SQUARES],
            own: Squares::NONE,
            enemy: Squares::NONE,
            ours: ArmyCounts::whole(&rules.army()),
            theirs: ArmyCounts::whole(&rules.army()),
            unmoved: 0,
            moved: 0,
            past: past(position, us),
            quiet: position.quiet(),
            ply: position.ply(),
            rescues: [us, us.enemy()].map(|side| position.rescues(side)),
        };
        for (id, piece) in position.pieces(us) {
            seen.own_piece(id, piece, pursuits.piece(id));
        }
        for (id, piece) in position.pieces(us.enemy()) {
            seen.enemy_piece(&Piece { ranks: known(piece), ..*piece }, pursuits.piece(id));
        }
        seen
    }

    fn own_piece(&mut self, id: PieceId, piece: &Piece, pursuit: Pursuit) {
        let Some(rank) = piece.ranks.single() else { return };
        self.ours.count(rank, piece, piece.learned.single());
        let Some(square) = piece.square.map(|square| seen_from(self.us, square)) else { return };
        let state = match Visibility::of(piece.learned, piece.moved) {
            Visibility::Unmoved => 0,
            Visibility::Moved => 1,
            Visibility::Known => 2,
        };
        self.cells[usize::from(square)] = Cell::Own(Own { rank: rank.index() as u8, state });
        self.own_pieces[usize::from(square)] = Some(id);
        self.pursuits[usize::from(square)] = pursuit;
        self.own.push(square);
    }

    fn enemy_piece(&mut self, piece: &Piece, pursuit: Pursuit) {
        let known = piece.ranks.single();
        if let Some(rank) = known {
            self.theirs.count(rank, piece, known);
        }
        let Some(square) = piece.square.map(|square| seen_from(self.us, square)) else { return };
        let kind = match (known, piece.moved) {
            (Some(rank), _) => 5 + rank.index() as u8,
            (None, true) => 1 + pursuit.chased as u8,
            (None, false) => 0,
        };
        if known.is_none() {
            let hidden = if piece.moved { &mut self.moved } else { &mut self.unmoved };
            *hidden += 1;
            let army = self.rules.army().ranks();
            if piece.ranks.and(army) != army.and(Piece::seen_to_be(piece.moved, piece.rescuer)) {
                self.hints[usize::from(square)] = piece.ranks;
            }
        }
        self.cells[usize::from(square)] = Cell::Enemy(kind);
        self.moved_enemies[usize::from(square)] = piece.moved;
        self.pursuits[usize::from(square)] = pursuit;
        self.enemy.push(square);
    }

    /// A square as the side to move sees it.
    pub(super) fn seen(&self, square: Square) -> usize {
        usize::from(seen_from(self.us, square))
    }
}

impl ArmyCounts {
    fn whole(army: &Army) -> ArmyCounts {
        let counts = *army.counts().as_array();
        ArmyCounts { alive: counts, hidden: counts }
    }

    /// Counts a piece of this rank that is dead, or `known` to the other side.
    fn count(&mut self, rank: Rank, piece: &Piece, known: Option<Rank>) {
        let take = |count: &mut u8| *count = count.saturating_sub(1);
        if !piece.is_alive() {
            take(&mut self.alive[rank.index()]);
        }
        if known.is_some() {
            take(&mut self.hidden[rank.index()]);
        }
    }
}

/// The latest plies of both sides, ours first, newest first.
fn past(position: &Position, us: Side) -> [[Option<PastPly>; PLIES]; 2] {
    let mut past = [[None; PLIES]; 2];
    let mut found = [0; 2];
    for (piece, played) in position.latest_plies().take(PLIES_SHOWN) {
        let side = usize::from(piece.side() != us);
        if let Some(slot) = past[side].get_mut(found[side]) {
            let [from, to] = [played.action.from, played.action.to].map(|square| seen_from(us, square));
            *slot = Some(PastPly { piece, from, to });
            found[side] += 1;
        }
    }
    past
}

/// The whole army of the usual rules: what counts are compared with.
pub(super) fn classic() -> ByRank<u8> {
    *Ruleset::of(Preset::Isf).army().counts()
}
