//! A view as learners see it: planes of bytes by square, and bytes about the whole game.
//!
//! Everything is seen from the viewer's side of the board: Blue's is turned by 180°, so that row 0 is the viewer's own
//! back row and file 0 its left. Chances are in 1/255, never 0 for what is possible.

use crate::planes::{Board, byte};
use crate::surroundings::Chances;
use outflank::belief::{Counts, RankProbabilities};
use outflank::rules::{
    Action, ByRank, Piece, PieceId, Played, Position, RankSet, Ruleset, SQUARES, Side, Square, Stuck,
};
use outflank::view::View;
use std::ops::Range;

/// Bytes about the whole game: our dead by rank and the enemy's, as shares of the army's; the clocks; the rules.
pub const GLOBALS: usize = 40;
/// Codes of actions are below this: [`code`].
pub const CODES: usize = SQUARES * SQUARES;

pub use crate::planes::{ENCODING, HISTORY, PLANE_BYTES, PLANES, Plane, seen_from};

const FULL: u8 = 255;
const CAME_FROM: u8 = 85;
const WENT_TO: u8 = 170;
const STRUCK: u8 = 255;
/// Plies without a strike, and plies, at which their bytes are full.
const MOST_QUIET: u32 = 255;
const MOST_PLIES: u32 = 2040;
/// First moves after so many plies are encoded as if they had come then.
const LATEST_FIRST: u32 = 254;

/// An action as `viewer` sees it, without its rescue: 100 times the square it comes from plus the one it goes to.
pub const fn code(viewer: Side, action: Action) -> u16 {
    (seen_from(viewer, action.from) * SQUARES + seen_from(viewer, action.to)) as u16
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

/// Writes a view's observation over `planes` ([`PLANE_BYTES`]) and `globals` ([`GLOBALS`]).
///
/// # Panics
/// If a slice is shorter.
pub fn encode(view: &View, planes: &mut [u8], globals: &mut [u8]) {
    let planes = &mut planes[..PLANE_BYTES];
    planes.fill(0);
    let mut board = Board { planes, viewer: view.viewer() };
    let position = view.position();
    let enemies = board.armies(position);
    board.surroundings(position, &enemies);
    board.lakes();
    for action in position.forbidden_repetitions() {
        board.set(Plane::Forbidden, 0, action.to, FULL);
    }
    for (age, &played) in position.history().rev().take(HISTORY).enumerate() {
        board.ply(age, played);
    }
    encode_globals(view, &mut globals[..GLOBALS]);
}

impl Board<'_> {
    fn probabilities(&mut self, plane: Plane, square: Square, probabilities: &RankProbabilities) {
        for (rank, &chance) in probabilities.iter().filter(|(_, chance)| **chance > 0.0) {
            self.set(plane, rank.index(), square, byte(chance));
        }
    }

    /// Encodes both armies; what the enemy's pieces may be.
    fn armies(&mut self, position: &Position) -> Chances {
        let (us, them) = (self.viewer, self.viewer.enemy());
        let (shown, possible) = (|piece: &Piece| piece.learned, |piece: &Piece| piece.ranks);
        let about_us = Counts::of(position, us, shown);
        for (id, piece) in position.pieces(us) {
            let Some(square) = piece.square else { continue };
            if let Some(rank) = piece.ranks.single() {
                self.set(Plane::OurRanks, rank.index(), square, FULL);
            }
            self.probabilities(Plane::OursAsSeen, square, &about_us.probabilities(id, piece, piece.learned));
            self.past(us, id, piece, piece.learned);
        }
        let about_them = Counts::of(position, them, possible);
        let mut enemies = [None; SQUARES];
        for (id, piece) in position.pieces(them) {
            let Some(square) = piece.square else { continue };
            let chances = about_them.probabilities(id, piece, piece.ranks);
            self.probabilities(Plane::EnemyRanks, square, &chances);
            self.past(them, id, piece, piece.ranks);
            enemies[square.index()] = Some(chances);
        }
        enemies
    }

    /// What is seen of a piece beside its rank, of which its enemy knows `shown`.
    fn past(&mut self, side: Side, id: PieceId, piece: &Piece, shown: RankSet) {
        let Some(square) = piece.square else { return };
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
    let Ruleset {
        preset: _,
        scout,
        twosquares,
        moresquares,
        advance,
        stuck,
        aggressor,
        silent,
        rescue,
        quiet,
        plies,
        barrage,
    } = *position.rules();
    // Caps go to the end of u32.
    let left =
        |cap: u32, done: u32| (u64::from(done.min(cap)) * 255).checked_div(cap.into()).unwrap_or(0) as u32;
    let flag = |on: bool| if on { 255 } else { 0 };
    let rest = [
        position.quiet().min(MOST_QUIET) * 255 / MOST_QUIET,
        position.ply().min(MOST_PLIES) * 255 / MOST_PLIES,
        left(quiet, position.quiet()),
        left(plies, position.ply()),
        flag(scout),
        u32::from(twosquares) * 50,
        flag(moresquares),
        flag(advance),
        flag(stuck == Stuck::Loses),
        flag(stuck == Stuck::Attrition),
        flag(aggressor),
        flag(silent),
        flag(rescue),
        flag(barrage),
    ];
    for (byte, value) in globals[REST..].iter_mut().zip(rest) {
        *byte = value.min(255) as u8;
    }
}
