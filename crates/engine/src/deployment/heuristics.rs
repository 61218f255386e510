//! Rules of the trade for setups of the whole army.
//!
//! Shares measured on 58,560 human setups from gravon.de and on a strong engine's own setups stand behind them: the
//! flag on the back row (86 and 98%) and bombed in (44 and 62%), half the miners at the back, the spy off the front
//! row.

use super::params;
use crate::rules::{Cell, Rank, Setup, Side, Square};

/// A setup as its owner sees it, row 0 at the back.
pub(super) struct Layout<'a>(pub(super) &'a Setup);

impl Layout<'_> {
    pub(super) fn places(&self, rank: Rank) -> impl Iterator<Item = usize> {
        (0..40).filter(move |&place| self.0.0[place] == Cell::Known(rank))
    }

    pub(super) fn in_rows(&self, rank: Rank, rows: std::ops::RangeInclusive<usize>) -> f32 {
        self.places(rank).filter(|place| rows.contains(&(place / 10))).count() as f32
    }

    pub(super) fn place(&self, rank: Rank) -> usize {
        self.places(rank).next().unwrap_or(0)
    }

    pub(super) fn is(&self, place: usize, rank: Rank) -> bool {
        self.0.0[place] == Cell::Known(rank)
    }
}

/// Places beside this one.
pub(super) fn neighbours(place: usize) -> impl Iterator<Item = usize> {
    Square::of_setup(Side::Red, place)
        .into_iter()
        .flat_map(Square::neighbours)
        .filter_map(|square| square.setup_place(Side::Red))
}

/// How well a whole classic setup follows the rules of the trade: 0 at best, one less for each clear fault.
pub(super) fn heuristic_score(setup: &Setup) -> f32 {
    let layout = Layout(setup);
    flag_safety(&layout) + reserves(&layout) + front(&layout)
}

/// How many sides of a whole army's flag no bomb stands on, edges of the board apart: 0 to 4.
fn open_sides(setup: &Setup) -> usize {
    let layout = Layout(setup);
    neighbours(layout.place(Rank::Flag)).filter(|&next| !layout.is(next, Rank::Bomb)).count()
}

/// The flag at home and behind bombs, but not with every bomb beside it.
fn flag_safety(layout: &Layout<'_>) -> f32 {
    let flag = layout.place(Rank::Flag);
    let home = match flag / 10 {
        0 => 0.0,
        1 => -params::second_row_flag(),
        _ => -params::forward_flag(),
    };
    let open = open_sides(layout.0) as f32;
    let spare = layout.places(Rank::Bomb).filter(|&bomb| !neighbours(flag).any(|next| next == bomb)).count();
    let decoys = if spare >= 2 { 0.0 } else { -1.0 };
    let forward = if layout.in_rows(Rank::Bomb, 2..=3) >= 1.0 { 0.0 } else { -1.0 };
    home - params::open_flag() * open + decoys + forward
}

/// Miners and some scouts kept back, the spy behind the front and near a strong piece.
fn reserves(layout: &Layout<'_>) -> f32 {
    let miners = layout.in_rows(Rank::Miner, 0..=1);
    let spy = layout.place(Rank::Spy);
    let apart = |rank| {
        let other = layout.place(rank);
        (spy % 10).abs_diff(other % 10) + (spy / 10).abs_diff(other / 10)
    };
    let escort = if apart(Rank::General).min(apart(Rank::Marshal)) <= 3 { 0.0 } else { -1.0 };
    let scouts = layout.in_rows(Rank::Scout, 0..=1);
    (miners.min(3.0) - 3.0)
        + escort
        + if spy / 10 == 3 { -2.0 } else { 0.0 }
        + if scouts >= 2.0 { 0.0 } else { -1.0 }
}

/// A front that can scout, strike and move, with the two strongest on different wings.
fn front(layout: &Layout<'_>) -> f32 {
    let fault = |bad: bool| if bad { -1.0 } else { 0.0 };
    let strong = [Rank::Captain, Rank::Major, Rank::Colonel].map(|rank| layout.in_rows(rank, 3..=3));
    let (marshal, general) = (layout.place(Rank::Marshal), layout.place(Rank::General));
    fault(layout.in_rows(Rank::Scout, 3..=3) < 2.0)
        + fault(layout.in_rows(Rank::Scout, 3..=3) > 4.0)
        + fault(strong.iter().sum::<f32>() < 2.0)
        + fault(layout.in_rows(Rank::Bomb, 3..=3) > 1.0)
        + fault((marshal % 10 < 5) == (general % 10 < 5))
        + 2.0 * fault(marshal < 10 || general < 10)
        + fault(layout.in_rows(Rank::Miner, 3..=3) > 0.0)
}
