//! A view as a network sees it: planes of bytes by square, and bytes about the whole game.
//!
//! Everything is seen from the viewer's side of the board: Blue's is turned by 180°, so that row 0 is the viewer's own
//! back row and file 0 its left. Chances are in 1/255, never 0 for what is possible.

use super::surroundings::Chances;
use crate::belief::{Counts, RankProbabilities};
use crate::rules::{Action, ByRank, Piece, PieceId, Played, Position, RankSet, SQUARES, Side, Square, Stuck};
use crate::view::View;
use std::ops::Range;

/// A version of the encoding. A network belongs to one; any change of what a byte means is a new one. A later one has
/// all planes of those before it, and more behind them.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
pub enum Version {
    /// Armies, what each knows of the other's, eight plies.
    First,
    /// What stands beside what, and fading trails, too.
    Second,
}

impl Version {
    /// All of them, in order.
    pub const ALL: [Version; 2] = [Version::First, Version::Second];

    /// As network files tell it.
    pub const fn number(self) -> u32 {
        match self {
            Version::First => 1,
            Version::Second => 2,
        }
    }

    /// Planes that it has.
    pub const fn planes(self) -> usize {
        match self {
            Version::First => Plane::OurThreatened.first(),
            Version::Second => PLANES,
        }
    }

    /// Bytes of its planes.
    pub const fn plane_bytes(self) -> usize {
        self.planes() * SQUARES
    }
}

/// What the planes hold, in order; each has a byte per square.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Plane {
    /// Our pieces, a plane a rank.
    OurRanks,
    /// What the enemy may take our pieces for, by facts and counts, a plane a rank.
    OursAsSeen,
    /// Our pieces that have moved.
    OursMoved,
    /// Our pieces whose rank the enemy has been shown.
    OursKnown,
    /// What the enemy's pieces may be, by facts and counts, a plane a rank.
    EnemyRanks,
    /// Enemy pieces that have moved.
    EnemyMoved,
    /// Enemy pieces whose rank we know.
    EnemyKnown,
    /// The lakes.
    Lakes,
    /// Squares to which a repetition rule forbids us a move.
    Forbidden,
    /// The last plies, the newest first, a plane each: where a piece came from, went to, or struck.
    History,
    /// Our pieces that have moved: from which row.
    OurStartRows,
    /// Enemy pieces that have moved: from which row.
    EnemyStartRows,
    /// Our pieces that have moved: how early first.
    OurFirstMoves,
    /// Enemy pieces that have moved: how early first.
    EnemyFirstMoves,
    /// Our pieces beside enemies that may strike: the best chance that one of them takes it. From here on, version 2.
    OurThreatened,
    /// Enemy pieces beside ours that may strike: the best chance that one of ours takes it.
    EnemyThreatened,
    /// Our pieces beside mobile ones of ours: how strong the strongest of these is.
    OurProtected,
    /// Enemy pieces beside others of the enemy's: how strong the strongest of these is expected to be.
    EnemyProtected,
    /// Our pieces that have come beside an enemy lately: how lately.
    OurApproaches,
    /// Enemy pieces that have come beside one of ours lately.
    EnemyApproaches,
    /// Our pieces that stood beside an enemy and have gone away from all of them lately.
    OurEvasions,
    /// Enemy pieces that stood beside one of ours and have gone away from all of them lately.
    EnemyEvasions,
    /// Squares that our pieces came to and from lately.
    OurTrails,
    /// Squares that enemy pieces came to and from lately.
    EnemyTrails,
}

/// Plies that [`Plane::History`] tells.
pub const HISTORY: usize = 8;

impl Plane {
    /// Every kind, in order.
    pub const ALL: [Plane; 24] = [
        Plane::OurRanks,
        Plane::OursAsSeen,
        Plane::OursMoved,
        Plane::OursKnown,
        Plane::EnemyRanks,
        Plane::EnemyMoved,
        Plane::EnemyKnown,
        Plane::Lakes,
        Plane::Forbidden,
        Plane::History,
        Plane::OurStartRows,
        Plane::EnemyStartRows,
        Plane::OurFirstMoves,
        Plane::EnemyFirstMoves,
        Plane::OurThreatened,
        Plane::EnemyThreatened,
        Plane::OurProtected,
        Plane::EnemyProtected,
        Plane::OurApproaches,
        Plane::EnemyApproaches,
        Plane::OurEvasions,
        Plane::EnemyEvasions,
        Plane::OurTrails,
        Plane::EnemyTrails,
    ];

    /// The index of its first plane.
    pub const fn first(self) -> usize {
        match self {
            Plane::OurRanks => 0,
            Plane::OursAsSeen => 12,
            Plane::OursMoved => 24,
            Plane::OursKnown => 25,
            Plane::EnemyRanks => 26,
            Plane::EnemyMoved => 38,
            Plane::EnemyKnown => 39,
            Plane::Lakes => 40,
            Plane::Forbidden => 41,
            Plane::History => 42,
            Plane::OurStartRows => 50,
            Plane::EnemyStartRows => 51,
            Plane::OurFirstMoves => 52,
            Plane::EnemyFirstMoves => 53,
            Plane::OurThreatened => 54,
            Plane::EnemyThreatened => 55,
            Plane::OurProtected => 56,
            Plane::EnemyProtected => 57,
            Plane::OurApproaches => 58,
            Plane::EnemyApproaches => 59,
            Plane::OurEvasions => 60,
            Plane::EnemyEvasions => 61,
            Plane::OurTrails => 62,
            Plane::EnemyTrails => 63,
        }
    }
}

/// Planes of an observation, by the latest version.
pub const PLANES: usize = 64;
/// Bytes of these planes: plane by plane, each row by row from the viewer's left corner.
pub const PLANE_BYTES: usize = PLANES * SQUARES;
/// Bytes about the whole game: our dead by rank and the enemy's, as shares of the army's; the clocks; the rules.
pub const GLOBALS: usize = 40;
/// Codes of actions are below this: [`code`].
pub const CODES: usize = SQUARES * SQUARES;

const FULL: u8 = 255;
const CAME_FROM: u8 = 85;
const WENT_TO: u8 = 170;
const STRUCK: u8 = 255;
/// Plies without a strike, and plies, at which their bytes are full.
const MOST_QUIET: u32 = 255;
const MOST_PLIES: u32 = 2040;
/// First moves after so many plies are told as if they had come then.
const LATEST_FIRST: u32 = 254;

/// The index of a square as `viewer` sees the board.
pub const fn seen_from(viewer: Side, square: Square) -> usize {
    match viewer {
        Side::Red => square.index(),
        Side::Blue => SQUARES - 1 - square.index(),
    }
}

/// An action as `viewer` sees it, without its rescue: 100 times the square it comes from plus the one it goes to.
pub const fn code(viewer: Side, action: Action) -> u16 {
    (seen_from(viewer, action.from) * SQUARES + seen_from(viewer, action.to)) as u16
}

/// The code of the same action on the board mirrored left to right.
pub fn mirrored(code: u16) -> u16 {
    let mirror = |square: u16| square / 10 * 10 + 9 - square % 10;
    mirror(code / SQUARES as u16) * SQUARES as u16 + mirror(code % SQUARES as u16)
}

/// The action of a code as `viewer` sees the board; none if a square is a lake or off the board.
pub fn action_of(viewer: Side, code: u16) -> Option<Action> {
    let square = |seen: usize| {
        let index = if viewer == Side::Red { seen } else { SQUARES.checked_sub(1 + seen)? };
        Square::from_index(u8::try_from(index).ok()?)
    };
    Some(Action::new(square(usize::from(code) / SQUARES)?, square(usize::from(code) % SQUARES)?))
}

/// The legal actions of a view's player, whose turn it is, by rising code; those with a rescue are left out.
pub fn legal_into(view: &View, actions: &mut Vec<Action>) {
    let mut codes = Vec::with_capacity(64);
    legal_codes_into(view, &mut codes);
    actions.clear();
    actions.extend(codes.iter().filter_map(|&code| action_of(view.viewer(), code)));
}

/// The codes of [`legal_into`].
pub fn legal_codes_into(view: &View, codes: &mut Vec<u16>) {
    codes.clear();
    let viewer = view.viewer();
    view.position().visit_in_order(|from, to| codes.push(code(viewer, Action::new(from, to))));
    // Squares that rise for Red fall for Blue, who sees the board turned round.
    if viewer == Side::Blue {
        codes.reverse();
    }
}

/// Writes a view's observation by the latest version over `planes` ([`PLANE_BYTES`]) and `globals` ([`GLOBALS`]).
///
/// # Panics
/// If a slice is shorter.
pub fn encode(view: &View, planes: &mut [u8], globals: &mut [u8]) {
    encode_as(Version::Second, view, planes, globals);
}

/// Writes a view's observation by one version over `planes` ([`Version::plane_bytes`]) and `globals` ([`GLOBALS`]).
///
/// # Panics
/// If a slice is shorter.
pub fn encode_as(version: Version, view: &View, planes: &mut [u8], globals: &mut [u8]) {
    let planes = &mut planes[..version.plane_bytes()];
    planes.fill(0);
    let mut board = Board { planes, viewer: view.viewer() };
    let position = view.position();
    let enemies = board.armies(position);
    match version {
        Version::First => {}
        Version::Second => board.surroundings(position, &enemies),
    }
    board.lakes();
    for action in position.forbidden_repetitions() {
        board.set(Plane::Forbidden, 0, action.to, FULL);
    }
    for (age, &played) in position.history().rev().take(HISTORY).enumerate() {
        board.ply(age, played);
    }
    encode_globals(view, &mut globals[..GLOBALS]);
}

/// The rank, by [`Rank::index`](crate::rules::Rank::index), of every enemy piece that `view`'s player does not know, by
/// square as it sees the board; `none` elsewhere. The truth comes from the `enemy`'s own view: for training only.
pub fn hidden_ranks(view: &View, enemy: &View, none: u8, out: &mut [u8]) {
    out[..SQUARES].fill(none);
    for (id, piece) in view.enemies() {
        let truth = enemy.position().piece(id).ranks.single();
        if let (None, Some(square), Some(rank)) = (piece.ranks.single(), piece.square, truth) {
            out[seen_from(view.viewer(), square)] = rank.index() as u8;
        }
    }
}

/// The planes of one viewer.
pub(super) struct Board<'a> {
    planes: &'a mut [u8],
    pub(super) viewer: Side,
}

impl Board<'_> {
    pub(super) fn get(&self, plane: Plane, square: Square) -> u8 {
        self.planes[plane.first() * SQUARES + seen_from(self.viewer, square)]
    }

    pub(super) fn set(&mut self, plane: Plane, offset: usize, square: Square, value: u8) {
        self.planes[(plane.first() + offset) * SQUARES + seen_from(self.viewer, square)] = value;
    }

    fn probabilities(&mut self, plane: Plane, square: Square, probabilities: &RankProbabilities) {
        for (rank, &chance) in probabilities.iter().filter(|(_, chance)| **chance > 0.0) {
            self.set(plane, rank.index(), square, byte(chance));
        }
    }

    /// Both armies; what the enemy's pieces may be.
    fn armies(&mut self, position: &Position) -> Chances {
        let (us, them) = (self.viewer, self.viewer.enemy());
        let (shown, told) = (|piece: &Piece| piece.learned, |piece: &Piece| piece.ranks);
        let about_us = Counts::of(position, us, shown);
        for (id, piece) in position.pieces(us) {
            let Some(square) = piece.square else { continue };
            if let Some(rank) = piece.ranks.single() {
                self.set(Plane::OurRanks, rank.index(), square, FULL);
            }
            self.probabilities(Plane::OursAsSeen, square, &about_us.probabilities(id, piece, piece.learned));
            self.past(us, (id, piece), square, piece.learned);
        }
        let about_them = Counts::of(position, them, told);
        let mut enemies = [None; SQUARES];
        for (id, piece) in position.pieces(them) {
            let Some(square) = piece.square else { continue };
            let chances = about_them.probabilities(id, piece, piece.ranks);
            self.probabilities(Plane::EnemyRanks, square, &chances);
            self.past(them, (id, piece), square, piece.ranks);
            enemies[square.index()] = Some(chances);
        }
        enemies
    }

    /// What is seen of a piece beside its rank, of which its enemy knows `shown`.
    fn past(&mut self, side: Side, (id, piece): (PieceId, &Piece), square: Square, shown: RankSet) {
        let [moved, known, row, first] = if side == self.viewer {
            [Plane::OursMoved, Plane::OursKnown, Plane::OurStartRows, Plane::OurFirstMoves]
        } else {
            [Plane::EnemyMoved, Plane::EnemyKnown, Plane::EnemyStartRows, Plane::EnemyFirstMoves]
        };
        if shown.single().is_some() {
            self.set(known, 0, square, FULL);
        }
        if !piece.moved {
            return;
        }
        self.set(moved, 0, square, FULL);
        if let Some(start) = piece.start.filter(|_| !id.came_back()) {
            self.set(row, 0, square, start.row_from(side).min(4) * 50 + 50);
        }
        if let Some(ply) = piece.first_move {
            self.set(first, 0, square, FULL - ply.min(LATEST_FIRST) as u8);
        }
    }

    fn lakes(&mut self) {
        let lakes = (0..SQUARES as u8).filter(|&index| Square::from_index(index).is_none());
        for index in lakes {
            self.planes[Plane::Lakes.first() * SQUARES + usize::from(index)] = FULL;
        }
    }

    fn ply(&mut self, age: usize, played: Played) {
        let Played { action, verdict } = played;
        self.set(Plane::History, age, action.from, CAME_FROM);
        self.set(Plane::History, age, action.to, if verdict.is_some() { STRUCK } else { WENT_TO });
    }
}

/// A chance in 1/255, at least one.
pub(super) fn byte(chance: f32) -> u8 {
    ((chance * 255.0).round() as u8).max(1)
}

/// Where the parts of the globals lie.
const OUR_DEAD: Range<usize> = 0..12;
const ENEMY_DEAD: Range<usize> = 12..24;
const REST: usize = 24;

fn encode_globals(view: &View, globals: &mut [u8]) {
    globals.fill(0);
    let (position, us) = (view.position(), view.viewer());
    let army = position.rules().army();
    for (side, range) in [(us, OUR_DEAD), (us.enemy(), ENEMY_DEAD)] {
        let fallen = position.pieces(side).filter(|(_, piece)| !piece.is_alive());
        let mut dead = ByRank::filled(0_u32);
        for rank in fallen.filter_map(|(_, piece)| piece.ranks.single()) {
            dead[rank] += 1;
        }
        for ((byte, dead), &all) in globals[range].iter_mut().zip(dead.values()).zip(army.counts().values()) {
            *byte = (dead * 255 / u32::from(all.max(1))).min(255) as u8;
        }
    }
    let rules = position.rules();
    let left = |cap: u32, done: u32| (done.min(cap) * 255).checked_div(cap).unwrap_or(0);
    let flag = |on: bool| if on { 255 } else { 0 };
    let rest = [
        position.quiet().min(MOST_QUIET) * 255 / MOST_QUIET,
        position.ply().min(MOST_PLIES) * 255 / MOST_PLIES,
        left(rules.quiet, position.quiet()),
        left(rules.plies, position.ply()),
        flag(rules.scout),
        u32::from(rules.twosquares) * 50,
        flag(rules.moresquares),
        flag(rules.advance),
        flag(rules.stuck == Stuck::Loses),
        flag(rules.stuck == Stuck::Attrition),
        flag(rules.aggressor),
        flag(rules.silent),
        flag(rules.rescue),
        flag(rules.barrage),
    ];
    for (byte, value) in globals[REST..].iter_mut().zip(rest) {
        *byte = value.min(255) as u8;
    }
}
