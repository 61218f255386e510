//! Sums over pieces of what the net has learned of them.

use super::file::{APART, EvalNet, FAR, PLACES, REACHES, SHOWN, STATES};
use crate::belief::Chances;
use crate::eval::seen_from;
use crate::net::{Column, LANES, Lanes, add_average};
use crate::rules::{Position, Rank, RankSet, SQUARES, Side, Square};

/// What the net is shown of one piece.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Look {
    /// Index of the square as our side sees it.
    square: usize,
    /// 0 nothing is known of it, 1 it has moved, 2 its rank is known.
    shown: usize,
}

impl Look {
    pub(crate) fn new(square: Square, us: Side, shown: usize) -> Look {
        let square = usize::from(seen_from(square, us));
        Look { square, shown }
    }
}

/// A net's tables for one root: what depends on where our flag stands and on where theirs may be is worked in. A column is
/// made when it is first asked for; a short search asks for few.
#[derive(Clone)]
pub(crate) struct Tables {
    net: &'static EvalNet,
    /// Where our flag stands, as our side sees it.
    flag: usize,
    pulls: [[i32; REACHES]; SQUARES],
    own: Made<Column>,
    /// The columns of all ranks together.
    enemy: Made<[Column; Rank::COUNT]>,
}

/// What was made so far of a table.
#[derive(Clone)]
struct Made<T> {
    /// By index: one more than the place, 0 for what was not made.
    places: Vec<u16>,
    all: Vec<T>,
}

impl<T> Made<T> {
    fn new(size: usize) -> Made<T> {
        Made { places: vec![0; size], all: Vec::new() }
    }

    fn get(&mut self, index: usize, make: impl FnOnce() -> T) -> &T {
        if self.places[index] == 0 {
            self.all.push(make());
            self.places[index] = self.all.len() as u16;
        }
        &self.all[usize::from(self.places[index]) - 1]
    }
}

/// The sums.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Sums(Lanes);

impl Tables {
    /// The tables for the root `position`, of which `us` believes `chances`.
    pub(crate) fn new(net: &'static EvalNet, position: &Position, us: Side, chances: &[Chances]) -> Tables {
        let seen = |square| Look::new(square, us, 0).square;
        let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
        Tables {
            net,
            // A lost flag counts as standing on the first square, as in training.
            flag: flag.and_then(|(_, piece)| piece.square).map_or(0, seen),
            pulls: pulls(net, position, us, chances),
            own: Made::new(STATES * SQUARES),
            enemy: Made::new(SHOWN * SQUARES),
        }
    }

    pub(crate) const fn net(&self) -> &'static EvalNet {
        self.net
    }

    /// The column of our piece of this state.
    fn own(&mut self, state: usize, square: usize) -> &Column {
        let Tables { net, flag, pulls, own, .. } = self;
        own.get(state * SQUARES + square, || {
            let mut own = column(net, 0, state, square, *flag);
            let reaches = &net.pull[state % Rank::COUNT * REACHES..][..REACHES];
            for (column, pull) in reaches.iter().zip(pulls[square]) {
                for (sum, &weight) in own.iter_mut().zip(column) {
                    *sum = sum.saturating_add(((i32::from(weight) * pull + 128) >> 8) as i16);
                }
            }
            own
        })
    }

    /// The columns of an enemy piece, by rank.
    fn enemy(&mut self, shown: usize, square: usize) -> &[Column; Rank::COUNT] {
        let (net, flag) = (self.net, self.flag);
        self.enemy.get(shown * SQUARES + square, || {
            std::array::from_fn(|rank| column(net, 1, shown * Rank::COUNT + rank, square, flag))
        })
    }
}

/// What an own piece (0) or an enemy's (1) of this state adds on a square, by the square and its distance to the flag.
fn column(net: &EvalNet, whose: usize, state: usize, square: usize, flag: usize) -> Column {
    let place = state * PLACES + square / 10 * 5 + (square % 10).min(9 - square % 10);
    let far = state * FAR + apart(square, flag).min(FAR - 1);
    added(&net.place[whose][place], &net.far[whose][far])
}

fn added(one: &Column, other: &Column) -> Column {
    let mut sum = *one;
    for (sum, weight) in sum.iter_mut().zip(other) {
        *sum = sum.saturating_add(*weight);
    }
    sum
}

const fn apart(one: usize, other: usize) -> usize {
    (one / 10).abs_diff(other / 10) + (one % 10).abs_diff(other % 10)
}

/// How near each square is to where the enemy's flag may be, by reach, in 1/256.
fn pulls(net: &EvalNet, position: &Position, us: Side, chances: &[Chances]) -> [[i32; REACHES]; SQUARES] {
    let mut pulls = [[0.0f32; REACHES]; SQUARES];
    for (id, piece) in position.pieces(us.enemy()) {
        let chance = chances[id.number()][Rank::Flag.index()];
        let Some(square) = piece.square.filter(|_| chance > 0.0) else { continue };
        let flag = Look::new(square, us, 0).square;
        for (from, pulls) in pulls.iter_mut().enumerate() {
            for (reach, pull) in pulls.iter_mut().enumerate() {
                *pull += chance * f32::from(net.fading[reach * APART + apart(from, flag)]);
            }
        }
    }
    pulls.map(|pulls| pulls.map(|pull| pull.round() as i32))
}

impl Sums {
    pub(crate) fn new(net: Option<&EvalNet>) -> Sums {
        Sums(net.map_or([0; LANES], |net| net.bias.map(i32::from)))
    }

    pub(crate) const fn lanes(&self) -> &Lanes {
        &self.0
    }

    /// Adds one of our pieces, or takes it out with `sign` -1.
    pub(crate) fn own(&mut self, tables: &mut Tables, look: Look, rank: Rank, sign: i32) {
        let state = look.shown * Rank::COUNT + rank.index();
        for (sum, &weight) in self.0.iter_mut().zip(tables.own(state, look.square)) {
            *sum += sign * i32::from(weight);
        }
    }

    /// Adds an enemy piece of these chances in 1/256, or takes it out with `sign` -1.
    pub(crate) fn enemy(&mut self, tables: &mut Tables, look: Look, chances: &[i16; Rank::COUNT], sign: i32) {
        let columns = tables.enemy(look.shown, look.square).each_ref();
        add_average(&mut self.0, columns, chances, sign);
    }
}

/// Chances in 1/256.
pub(crate) fn quantised(chances: &Chances) -> [i16; Rank::COUNT] {
    chances.map(|chance| (chance * 256.0).round() as i16)
}

const _: () = assert!(SHOWN == crate::eval::Shown::COUNT);
