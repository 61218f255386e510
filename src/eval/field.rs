//! Who is in whose reach, kept up to date ply by ply.
//!
//! Each of our pieces looks for the best it could strike, weighed by distance; each enemy piece adds up all that it
//! could strike, since one that roams among our pieces takes them one by one. A ply moves one piece and removes at
//! most two, so only their pairs are looked at again.

use super::daring::Shown;
use super::gauge::{Row, Rows};
use super::ways::{FARTHEST, Steps, Ways};
use crate::rules::{PieceId, Square};

const PIECES: usize = PieceId::PER_SIDE;
const NOBODY: u8 = u8::MAX;

/// Share of what a piece has in reach that counts where another one gains more from the same target. Settled by matches:
/// `docs/experiments.md`.
const CROWD: f32 = 0.2;

/// How much a target at this distance draws or frightens: near ones far more.
const NEARNESS: [f32; FARTHEST + 1] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];

/// The same for what is in an enemy's reach.
const MENACE: [f32; FARTHEST + 1] = {
    let mut squares = NEARNESS;
    let mut distance = 0;
    while distance <= FARTHEST {
        squares[distance] *= NEARNESS[distance];
        distance += 1;
    }
    squares
};

/// The best of a piece's pairs, and with whom.
#[derive(Copy, Clone)]
struct Best {
    value: f32,
    with: u8,
}

const NONE: Best = Best { value: 0.0, with: NOBODY };

/// Where everybody stands and what is in reach.
#[derive(Clone)]
pub(crate) struct Field {
    ours: [Option<Square>; PIECES],
    theirs: [Option<Square>; PIECES],
    /// Our standing pieces, the enemy's, and those of the enemy's that may move.
    our_pieces: u64,
    their_pieces: u64,
    their_movers: u64,
    /// Per piece of ours: what the enemy knows of it.
    shown: [Shown; PIECES],
    /// Per piece of ours: the best it has in reach.
    reach: [Best; PIECES],
    /// Per enemy piece: what it has in reach, near ones counting far more.
    danger: [f32; PIECES],
}

impl Field {
    pub(crate) const fn new() -> Field {
        Field {
            ours: [None; PIECES],
            theirs: [None; PIECES],
            our_pieces: 0,
            their_pieces: 0,
            their_movers: 0,
            shown: [Shown::Still; PIECES],
            reach: [NONE; PIECES],
            danger: [0.0; PIECES],
        }
    }

    /// What our pieces have in reach: of each target's pursuers the one that gains most counts in full, the others for
    /// a share. A target can be struck once: were all to count, a crowd looking at one would be worth more than the strike.
    pub(crate) fn attack(&self, strikers: u64) -> f32 {
        let mut most = [0.0f32; PIECES];
        let mut all = 0.0;
        for own in numbers(self.our_pieces & strikers) {
            let best = self.reach[own];
            if best.with == NOBODY {
                continue;
            }
            all += best.value;
            let most = &mut most[best.with as usize];
            *most = most.max(best.value);
        }
        CROWD * all + (1.0 - CROWD) * total(&most)
    }

    /// Steps to a square from the nearest of a set of our pieces.
    pub(crate) fn nearest(&self, set: u64, to: Square, steps: &Steps) -> u8 {
        let steps = &steps[to];
        let here = numbers(self.our_pieces & set).filter_map(|own| Some(steps[self.ours[own]?]));
        here.min().unwrap_or(FARTHEST as u8)
    }

    /// Calls `visit` with each enemy piece that may move, its number and its square.
    pub(crate) fn each_mover(&self, mut visit: impl FnMut(usize, Square)) {
        for number in numbers(self.their_movers) {
            if let Some(square) = self.theirs[number] {
                visit(number, square);
            }
        }
    }

    /// The sum of what enemy pieces have in reach.
    pub(crate) fn danger(&self) -> f32 {
        total(&self.danger)
    }

    /// Takes in where our piece stands now.
    pub(crate) fn place_ours(
        &mut self,
        number: usize,
        square: Option<Square>,
        shown: Shown,
        rows: &Rows,
        ways: &Ways,
    ) {
        let before = (self.ours[number], self.shown[number] as usize);
        let after = (square, shown as usize);
        (self.ours[number], self.shown[number]) = (after.0, shown);
        self.our_pieces = with(self.our_pieces, number, square.is_some());
        for enemy in numbers(self.their_movers) {
            let threat = &rows.of(enemy).threat[number];
            let share = |(square, shown): (Option<Square>, usize)| {
                near(self.theirs[enemy], square, &ways.theirs, &MENACE) * threat[shown]
            };
            self.danger[enemy] += share(after) - share(before);
        }
        if rows.may_strike(number) {
            self.reach[number] = self.best_reach(number, rows, &ways.ours);
        }
    }

    /// Takes in where an enemy piece stands now, or that its row has changed.
    pub(crate) fn place_theirs(&mut self, number: usize, square: Option<Square>, rows: &Rows, ways: &Ways) {
        self.theirs[number] = square;
        let row = rows.of(number);
        self.their_pieces = with(self.their_pieces, number, square.is_some());
        self.their_movers = with(self.their_movers, number, square.is_some() && row.mobile > 0.0);
        self.danger[number] = self.menace(number, row, &ways.theirs);
        for own in numbers(self.our_pieces & rows.strikers()) {
            let value = near(self.ours[own], self.theirs[number], &ways.ours, &NEARNESS) * row.gain[own];
            let best = &mut self.reach[own];
            // Of equal targets the first, as in `best_reach`: who pursues whom must not depend on the way here.
            let first = value >= best.value && value > 0.0 && (number as u8) < best.with;
            if value > best.value || first {
                *best = Best { value, with: number as u8 };
            } else if best.with == number as u8 {
                self.reach[own] = self.best_reach(own, rows, &ways.ours);
            }
        }
    }

    fn best_reach(&self, own: usize, rows: &Rows, steps: &Steps) -> Best {
        let mut best = NONE;
        if self.ours[own].is_none() {
            return best;
        }
        for enemy in numbers(self.their_pieces) {
            let value = near(self.ours[own], self.theirs[enemy], steps, &NEARNESS) * rows.of(enemy).gain[own];
            if value > best.value {
                best = Best { value, with: enemy as u8 };
            }
        }
        best
    }

    /// What an enemy piece has in reach.
    pub(crate) fn menace(&self, enemy: usize, row: &Row, steps: &Steps) -> f32 {
        let from = self.theirs[enemy];
        let danger = |own: usize| {
            near(from, self.ours[own], steps, &MENACE) * row.threat[own][self.shown[own] as usize]
        };
        if from.is_none() || row.mobile <= 0.0 {
            return 0.0;
        }
        numbers(self.our_pieces).map(danger).sum()
    }
}

/// How near it is, by a table.
fn near(from: Option<Square>, to: Option<Square>, steps: &Steps, table: &[f32; FARTHEST + 1]) -> f32 {
    let (Some(from), Some(to)) = (from, to) else { return 0.0 };
    table[usize::from(steps[to][from]).min(FARTHEST)]
}

/// The numbers of a set of pieces.
fn numbers(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (number < PIECES).then_some(number)
    })
}

/// A set of pieces with or without one.
const fn with(set: u64, number: usize, inside: bool) -> u64 {
    set & !(1 << number) | (inside as u64) << number
}

/// The sum, in eight parts side by side: one after the other, each addition would wait for the last.
fn total(values: &[f32; PIECES]) -> f32 {
    let mut parts = [0.0; 8];
    for chunk in values.as_chunks::<8>().0 {
        for (part, value) in parts.iter_mut().zip(chunk) {
            *part += value;
        }
    }
    parts.iter().sum()
}
