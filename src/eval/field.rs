//! Who is in whose reach, kept up to date ply by ply.
//!
//! Each of our pieces looks for the best it could strike, weighed by distance; each enemy piece adds up all that it
//! could strike, since one that roams among our pieces takes them one by one. A ply moves one piece and removes at
//! most two, so only their pairs are looked at again.

use super::daring::Shown;
use super::gauge::Row;
use super::ways::{FARTHEST, Steps, Ways};
use crate::rules::{PieceId, Square};

const PIECES: usize = PieceId::PER_SIDE;
const NOWHERE: u8 = u8::MAX;
const NOBODY: u8 = u8::MAX;

/// Share of what a piece has in reach that counts where another one gains more from the same target. Settled by matches:
/// `docs/experiments.md`.
const CROWD: f32 = 0.2;

/// How much a target at this distance draws or frightens: near ones far more.
const NEARNESS: [f32; FARTHEST + 1] = [
    1.0, 1.0, 0.72, 0.54, 0.41, 0.32, 0.25, 0.2, 0.16, 0.13, 0.11, 0.09, 0.08, 0.07, 0.06, 0.05, 0.045, 0.04,
    0.035, 0.03,
];

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

    /// What our pieces have in reach: of each target's pursuers the one that gains most counts in full, the others for
    /// a share. A target can be struck once: were all to count, a crowd looking at one would be worth more than the strike.
    pub(crate) fn attack(&self) -> f32 {
        let mut most = [0.0f32; PIECES];
        let mut all = 0.0;
        for best in self.reach.iter().filter(|best| best.with != NOBODY) {
            all += best.value;
            let most = &mut most[best.with as usize];
            *most = most.max(best.value);
        }
        CROWD * all + (1.0 - CROWD) * most.iter().sum::<f32>()
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
        ways: &Ways,
    ) {
        let before = self.shown[number] as usize;
        for (enemy, row) in rows.iter().enumerate() {
            self.danger[enemy] -= self.near_us(number, enemy, ways).powi(2) * row.threat[number][before];
        }
        self.ours[number] = place(square);
        self.shown[number] = shown;
        for (enemy, row) in rows.iter().enumerate() {
            self.danger[enemy] +=
                self.near_us(number, enemy, ways).powi(2) * row.threat[number][shown as usize];
        }
        self.reach[number] = self.best_reach(number, rows, &ways.ours);
    }

    /// Takes in where an enemy piece stands now, or that its row has changed.
    pub(crate) fn place_theirs(
        &mut self,
        number: usize,
        square: Option<Square>,
        rows: &[Row; PIECES],
        ways: &Ways,
    ) {
        self.theirs[number] = place(square);
        self.danger[number] = self.menace(number, &rows[number], &ways.theirs);
        for own in 0..PIECES {
            let value = self.near_them(own, number, ways) * rows[number].gain[own];
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

    /// How near an enemy piece has it to one of ours.
    fn near_us(&self, own: usize, enemy: usize, ways: &Ways) -> f32 {
        near(self.theirs[enemy], self.ours[own], &ways.theirs)
    }

    /// How near one of our pieces has it to an enemy's.
    fn near_them(&self, own: usize, enemy: usize, ways: &Ways) -> f32 {
        near(self.ours[own], self.theirs[enemy], &ways.ours)
    }

    fn best_reach(&self, own: usize, rows: &[Row; PIECES], steps: &Steps) -> Best {
        let mut best = NONE;
        if self.ours[own] == NOWHERE {
            return best;
        }
        for (enemy, (&square, row)) in self.theirs.iter().zip(rows).enumerate() {
            if square != NOWHERE {
                let value = near(self.ours[own], square, steps) * row.gain[own];
                if value > best.value {
                    best = Best { value, with: enemy as u8 };
                }
            }
        }
        best
    }

    /// What an enemy piece has in reach.
    pub(crate) fn menace(&self, enemy: usize, row: &Row, steps: &Steps) -> f32 {
        if self.theirs[enemy] == NOWHERE {
            return 0.0;
        }
        let from = self.theirs[enemy];
        let standing =
            self.ours.iter().zip(&self.shown).zip(&row.threat).filter(|((square, _), _)| **square != NOWHERE);
        standing
            .map(|((&square, &shown), threat)| near(from, square, steps).powi(2) * threat[shown as usize])
            .sum()
    }
}

fn near(from: u8, to: u8, steps: &Steps) -> f32 {
    if from == NOWHERE || to == NOWHERE {
        return 0.0;
    }
    NEARNESS[usize::from(steps[usize::from(to)][usize::from(from)]).min(FARTHEST)]
}

fn place(square: Option<Square>) -> u8 {
    square.map_or(NOWHERE, |square| square.index() as u8)
}
