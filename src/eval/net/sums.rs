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

/// A net's tables for one root: what depends on where our flag stands and on where theirs may be is worked in.
#[derive(Clone)]
pub(crate) struct Tables {
    /// By state and square.
    own: Vec<Column>,
    enemy: Vec<Column>,
}

/// The sums.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Sums(Lanes);

impl Tables {
    /// The tables for the root `position`, of which `us` believes `chances`.
    pub(crate) fn new(net: &EvalNet, position: &Position, us: Side, chances: &[Chances]) -> Tables {
        let seen = |square| Look::new(square, us, 0).square;
        let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
        // A lost flag counts as standing on the first square, as in training.
        let flag = flag.and_then(|(_, piece)| piece.square).map_or(0, seen);
        let pull = pulls(net, position, us, chances);
        let mut tables =
            Tables { own: Vec::with_capacity(STATES * SQUARES), enemy: Vec::with_capacity(STATES * SQUARES) };
        for state in 0..STATES {
            let pulled = &net.pull[state % Rank::COUNT * REACHES..][..REACHES];
            for square in 0..SQUARES {
                let place = state * PLACES + square / 10 * 5 + (square % 10).min(9 - square % 10);
                let far = state * FAR + apart(square, flag).min(FAR - 1);
                let mut own = added(&net.place[0][place], &net.far[0][far]);
                for (column, pull) in pulled.iter().zip(pull[square]) {
                    for (sum, &weight) in own.iter_mut().zip(column) {
                        *sum = sum.saturating_add(((i32::from(weight) * pull) >> 8) as i16);
                    }
                }
                tables.own.push(own);
                tables.enemy.push(added(&net.place[1][place], &net.far[1][far]));
            }
        }
        tables
    }
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
    pub(crate) fn own(&mut self, tables: &Tables, look: Look, rank: Rank, sign: i32) {
        let state = look.shown * Rank::COUNT + rank.index();
        for (sum, &weight) in self.0.iter_mut().zip(&tables.own[state * SQUARES + look.square]) {
            *sum += sign * i32::from(weight);
        }
    }

    /// Adds an enemy piece of these chances in 1/256, or takes it out with `sign` -1.
    pub(crate) fn enemy(&mut self, tables: &Tables, look: Look, chances: &[i16; Rank::COUNT], sign: i32) {
        let first = look.shown * Rank::COUNT;
        let columns: [&Column; Rank::COUNT] =
            std::array::from_fn(|rank| &tables.enemy[(first + rank) * SQUARES + look.square]);
        add_average(&mut self.0, columns, chances, sign);
    }
}

/// Chances in 1/256.
pub(crate) fn quantised(chances: &Chances) -> [i16; Rank::COUNT] {
    chances.map(|chance| (chance * 256.0).round() as i16)
}

const _: () = assert!(SHOWN == crate::eval::Shown::COUNT);
