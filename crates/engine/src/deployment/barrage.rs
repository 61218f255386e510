//! Setups of the eight-piece army.
//!
//! With forty squares and eight pieces the lines are open, so what counts is another thing than for a whole army:
//! the first scout may run across the board into a flag that nothing stands before, and every square shows the
//! enemy something. Setups are built around the flag at random and the soundest of many is taken.

use super::heuristics::{Layout, neighbours};
use super::params;
use crate::rng::Rng;
use crate::rules::{Cell, Rank, Setup, Square};

/// Weights of the rows, from the back, for pieces that stand free of the flag.
const ROWS: [(Rank, [usize; 4]); 6] = [
    (Rank::Spy, [3, 4, 3, 0]),
    (Rank::Scout, [3, 3, 3, 4]),
    (Rank::Miner, [4, 4, 2, 1]),
    (Rank::General, [1, 3, 4, 4]),
    (Rank::Marshal, [1, 3, 4, 4]),
    (Rank::Bomb, [4, 3, 2, 1]),
];

/// A setup built around a flag at home.
pub(super) fn candidate(rng: &mut Rng) -> Setup {
    let mut setup = Setup([Cell::Empty; 40]);
    let row = usize::from(rng.below(10) == 0);
    let flag = 10 * row + rng.below(10);
    setup.0[flag] = Cell::Known(Rank::Flag);
    let mut left =
        vec![Rank::Scout, Rank::Scout, Rank::Spy, Rank::Miner, Rank::General, Rank::Marshal, Rank::Bomb];
    rng.shuffle(&mut left);
    // Mostly the bomb is one of the guards; now and then it is a decoy.
    if rng.below(5) > 0 {
        left.sort_by_key(|&rank| rank == Rank::Bomb);
    }
    let mut doors: Vec<usize> = neighbours(flag).collect();
    rng.shuffle(&mut doors);
    for door in doors {
        if rng.below(6) > 0 {
            setup.0[door] = left.pop().map_or(Cell::Empty, Cell::Known);
        }
    }
    for rank in left {
        let place = free_place(&setup, rank, rng);
        setup.0[place] = Cell::Known(rank);
    }
    setup
}

/// Moves the piece of the place drawn by a step, if one stands there that is neither flag nor bomb, the step drawn leads
/// to an empty place, and the flag stays as closed and covered as it was; false if not.
pub(super) fn step(setup: &mut Setup, rng: &mut Rng) -> bool {
    let place = rng.below(40);
    let steps: Vec<usize> = neighbours(place).collect();
    let to = steps[rng.below(steps.len())];
    let is_free =
        matches!(setup.0[place], Cell::Known(rank) if rank.is_mobile()) && setup.0[to] == Cell::Empty;
    let mut after = *setup;
    after.0.swap(place, to);
    let is_made = is_free && flag_safety(&Layout(&after)) >= flag_safety(&Layout(setup));
    if is_made {
        *setup = after;
    }
    is_made
}

/// An empty place for a piece of this rank, its row drawn by [`ROWS`].
fn free_place(setup: &Setup, rank: Rank, rng: &mut Rng) -> usize {
    let rows = ROWS.iter().find(|(other, _)| *other == rank).map_or([1; 4], |(_, rows)| *rows);
    let empty = (0..40).filter(|&place| setup.0[place] == Cell::Empty);
    let open: Vec<usize> = empty.flat_map(|place| std::iter::repeat_n(place, rows[place / 10])).collect();
    open[rng.below(open.len())]
}

/// How well a setup follows the rules of the trade; one unit is one clear fault.
pub(super) fn heuristic_score(setup: &Setup) -> f32 {
    let layout = Layout(setup);
    flag_safety(&layout) + posts(&layout)
}

/// Whether a scout can run into this place from the far side at once: nothing of ours and no lake before it.
pub(super) fn is_open_ahead(setup: &Setup, place: usize) -> bool {
    let covered = (place + 10..40).step_by(10).any(|ahead| setup.0[ahead] != Cell::Empty);
    let lake = Square::new((place % 10) as u8, 4).is_none();
    !covered && !lake
}

/// The flag at home, never in a scout's first run, its doors closed. How often the bomb is one of the doors is left
/// to [`candidate`]: eight squares show the enemy so much that it had better not be sure of that too.
fn flag_safety(layout: &Layout<'_>) -> f32 {
    let flag = layout.place(Rank::Flag);
    let home = if flag < 10 { 0.0 } else { -2.0 };
    let run = if is_open_ahead(layout.0, flag) { -params::barrage_open_file() } else { 0.0 };
    let doors = neighbours(flag).filter(|&door| layout.0.0[door] == Cell::Empty).count() as f32;
    home + run - params::barrage_open_flag() * doors
}

/// The spy near a strong piece, the strong on both wings, one scout at home and one that can run, nobody crowded.
fn posts(layout: &Layout<'_>) -> f32 {
    let fault = |bad: bool| if bad { -1.0 } else { 0.0 };
    let (marshal, general) = (layout.place(Rank::Marshal), layout.place(Rank::General));
    let spy = layout.place(Rank::Spy);
    let apart = |one: usize, two: usize| (one % 10).abs_diff(two % 10) + (one / 10).abs_diff(two / 10);
    let runs = |scout: usize| scout % 10 < 2 || scout % 10 > 7 || matches!(scout % 10, 4 | 5);
    let scouts: Vec<usize> = layout.places(Rank::Scout).collect();
    let occupied = (0..40).filter(|&place| layout.0.0[place] != Cell::Empty);
    let low = occupied.clone().filter(|place| place % 10 < 5).count();
    fault(apart(spy, marshal).min(apart(spy, general)) > 4)
        + fault((marshal % 10 < 5) == (general % 10 < 5))
        + fault(marshal < 10 && general < 10)
        + fault(!scouts.iter().any(|scout| scout / 10 < 2))
        + fault(!scouts.iter().any(|&scout| runs(scout) && ahead_is_free(layout.0, scout)))
        + fault(layout.place(Rank::Miner) / 10 == 3)
        + fault(!(2..=6).contains(&low))
}

fn ahead_is_free(setup: &Setup, place: usize) -> bool {
    (place + 10..40).step_by(10).all(|ahead| setup.0[ahead] == Cell::Empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Army;

    #[test]
    fn what_lies_before_a_place_stops_scouts() {
        let setup: Setup = "F.F.F...........2.......................".parse().unwrap();
        let open: Vec<usize> = (0..10).filter(|&place| is_open_ahead(&setup, place)).collect();
        // c, d, g and h run into the lakes.
        assert_eq!(open, [0, 1, 4, 5, 8, 9]);
        assert!(is_open_ahead(&setup, 10) && !is_open_ahead(&setup, 6));
        let covered: Setup = "F...................2...................".parse().unwrap();
        assert!(!is_open_ahead(&covered, 0) && !is_open_ahead(&covered, 10) && is_open_ahead(&covered, 20));
    }

    #[test]
    fn candidates_are_whole_armies_that_keep_the_flag_at_home() {
        let mut rng = Rng::new(1);
        for _ in 0..500 {
            let setup = candidate(&mut rng);
            assert!(setup.is_complete(&Army::BARRAGE), "{setup}");
            assert!(Layout(&setup).place(Rank::Flag) < 20);
        }
    }
}
