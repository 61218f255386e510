//! Who is in whose reach, kept up to date ply by ply.
//!
//! Each of our pieces looks for the best it could strike, weighed by distance; each enemy piece adds up all that it
//! could strike, since one that roams among our pieces takes them one by one. A ply moves one piece and removes at
//! most two, so only their pairs are looked at again.

use super::daring::Shown;
use super::gauge::Row;
use crate::rules::{PieceId, SQUARES, Square};

const PIECES: usize = PieceId::PER_SIDE;
const NOWHERE: u8 = u8::MAX;
const NOBODY: u8 = u8::MAX;

/// How much a target at this distance draws or frightens: near ones far more.
const NEARNESS: [f32; 20] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];

static NEAR: [[f32; SQUARES]; SQUARES] = nearness();

#[allow(clippy::large_stack_arrays)] // evaluated at compile time
const fn nearness() -> [[f32; SQUARES]; SQUARES] {
    let mut table = [[0.0; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            table[from][to] = NEARNESS[(from % 10).abs_diff(to % 10) + (from / 10).abs_diff(to / 10)];
            to += 1;
        }
        from += 1;
    }
    table
}

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
    ours: [u8; PIECES],
    theirs: [u8; PIECES],
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
            ours: [NOWHERE; PIECES],
            theirs: [NOWHERE; PIECES],
            shown: [Shown::Still; PIECES],
            reach: [NONE; PIECES],
            danger: [0.0; PIECES],
        }
    }

    /// The sum of what our pieces have in reach.
    pub(crate) fn attack(&self) -> f32 {
        self.reach.iter().map(|best| best.value).sum()
    }

    /// The sum of what enemy pieces have in reach.
    pub(crate) fn danger(&self) -> f32 {
        self.danger.iter().sum()
    }

    /// Takes in where our piece stands now.
    pub(crate) fn place_ours(
        &mut self,
        number: usize,
        square: Option<Square>,
        shown: Shown,
        rows: &[Row; PIECES],
    ) {
        let before = self.shown[number] as usize;
        for (enemy, row) in rows.iter().enumerate() {
            self.danger[enemy] -= self.pair(number, enemy).powi(2) * row.threat[number][before];
        }
        self.ours[number] = place(square);
        self.shown[number] = shown;
        for (enemy, row) in rows.iter().enumerate() {
            self.danger[enemy] += self.pair(number, enemy).powi(2) * row.threat[number][shown as usize];
        }
        self.reach[number] = self.best_reach(number, rows);
    }

    /// Takes in where an enemy piece stands now, or that its row has changed.
    pub(crate) fn place_theirs(&mut self, number: usize, square: Option<Square>, rows: &[Row; PIECES]) {
        self.theirs[number] = place(square);
        self.danger[number] = self.menace(number, &rows[number]);
        for own in 0..PIECES {
            let value = self.pair(own, number) * rows[number].gain[own];
            let best = &mut self.reach[own];
            if value > best.value {
                *best = Best { value, with: number as u8 };
            } else if best.with == number as u8 {
                self.reach[own] = self.best_reach(own, rows);
            }
        }
    }

    fn pair(&self, own: usize, enemy: usize) -> f32 {
        let (from, to) = (self.ours[own], self.theirs[enemy]);
        if from == NOWHERE || to == NOWHERE { 0.0 } else { NEAR[from as usize][to as usize] }
    }

    fn best_reach(&self, own: usize, rows: &[Row; PIECES]) -> Best {
        let mut best = NONE;
        if self.ours[own] == NOWHERE {
            return best;
        }
        let near = &NEAR[self.ours[own] as usize];
        for (enemy, (&square, row)) in self.theirs.iter().zip(rows).enumerate() {
            if square != NOWHERE {
                let value = near[square as usize] * row.gain[own];
                if value > best.value {
                    best = Best { value, with: enemy as u8 };
                }
            }
        }
        best
    }

    /// What an enemy piece has in reach.
    pub(crate) fn menace(&self, enemy: usize, row: &Row) -> f32 {
        if self.theirs[enemy] == NOWHERE {
            return 0.0;
        }
        let near = &NEAR[self.theirs[enemy] as usize];
        let standing =
            self.ours.iter().zip(&self.shown).zip(&row.threat).filter(|((square, _), _)| **square != NOWHERE);
        standing
            .map(|((&square, &shown), threat)| near[square as usize].powi(2) * threat[shown as usize])
            .sum()
    }
}

fn place(square: Option<Square>) -> u8 {
    square.map_or(NOWHERE, |square| square.index() as u8)
}
