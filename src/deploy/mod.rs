//! Choosing a setup.
//!
//! Candidates are whole armies drawn from the joint prior over human setups; the one that follows the trade's
//! rules best is taken, with a seeded nudge so that good ones alternate. Shares measured on 58,560 human setups
//! from gravon.de and on a strong engine's own setups stand behind the rules: the flag on the back row (86 and
//! 98%) and bombed in (44 and 62%), half the miners at the back, the spy off the front row. The eight pieces of
//! barrage are placed by rules of their own.

mod barrage;

use crate::belief::Belief;
use crate::dice::Dice;
use crate::event::Event;
use crate::rules::{Cell, Rank, Ruleset, Setup, Side, Square};
use crate::view::View;

/// Setups drawn before one is chosen.
const CANDIDATES: usize = 300;
/// Largest random nudge, in the unit of [`soundness`].
const NUDGE: f32 = 2.5;

/// Chooses a setup of the whole army, never the one in `previous`.
pub fn choose(rules: &Ruleset, previous: Option<&Setup>, dice: &mut Dice) -> Setup {
    let mut best: Option<(f32, Setup)> = None;
    let soundness = if rules.barrage { barrage::soundness } else { soundness };
    for setup in candidates(rules, dice) {
        let score = soundness(&setup) + NUDGE * dice.unit();
        if previous != Some(&setup) && best.is_none_or(|(top, _)| score > top) {
            best = Some((score, setup));
        }
    }
    let chosen = best.map_or_else(|| shuffled(rules, dice), |(_, setup)| setup);
    if dice.below(2) == 0 && previous != Some(&chosen.mirrored()) { chosen.mirrored() } else { chosen }
}

/// Whole armies: classic ones drawn from the prior over setups.
fn candidates(rules: &Ruleset, dice: &mut Dice) -> Vec<Setup> {
    if rules.barrage {
        return (0..barrage::CANDIDATES).map(|_| barrage::candidate(dice)).collect();
    }
    let owner = Side::Blue;
    let mut view = View::new(owner.enemy(), *rules);
    if view.observe(&Event::Deployed(owner, Setup::HIDDEN)).is_err() {
        return Vec::new();
    }
    let worlds = Belief::of_enemies(&view).sample(CANDIDATES, dice);
    let setup = |world: crate::belief::World| {
        let mut cells = [Cell::Empty; 40];
        for &(id, rank) in world.ranks() {
            cells[id.number()] = Cell::Known(rank);
        }
        Setup(cells)
    };
    worlds.into_iter().map(setup).collect()
}

/// The whole army in random places, as nobody would set it up: for tests, and playouts.
pub fn shuffled(rules: &Ruleset, dice: &mut Dice) -> Setup {
    let army = rules.army();
    let mut cells = [Cell::Empty; 40];
    let pieces = Rank::ALL.into_iter().flat_map(|rank| (0..army.count(rank)).map(move |_| Cell::Known(rank)));
    for (cell, piece) in cells.iter_mut().zip(pieces) {
        *cell = piece;
    }
    dice.shuffle(&mut cells);
    Setup(cells)
}

/// A setup as its owner sees it, row 0 at the back.
struct Layout<'a>(&'a Setup);

impl Layout<'_> {
    fn places(&self, rank: Rank) -> impl Iterator<Item = usize> {
        (0..40).filter(move |&place| self.0.0[place] == Cell::Known(rank))
    }

    fn in_rows(&self, rank: Rank, rows: std::ops::RangeInclusive<usize>) -> f32 {
        self.places(rank).filter(|place| rows.contains(&(place / 10))).count() as f32
    }

    fn place(&self, rank: Rank) -> usize {
        self.places(rank).next().unwrap_or(0)
    }

    fn is(&self, place: usize, rank: Rank) -> bool {
        self.0.0[place] == Cell::Known(rank)
    }
}

fn neighbours(place: usize) -> impl Iterator<Item = usize> {
    Square::of_setup(Side::Red, place)
        .into_iter()
        .flat_map(Square::neighbours)
        .filter_map(|square| square.setup_place(Side::Red))
}

/// How well a setup follows the rules of the trade; one unit is one clear fault.
fn soundness(setup: &Setup) -> f32 {
    let layout = Layout(setup);
    flag_safety(&layout) + reserves(&layout) + front(&layout)
}

/// The flag at home and behind bombs, but not with every bomb beside it.
fn flag_safety(layout: &Layout<'_>) -> f32 {
    let flag = layout.place(Rank::Flag);
    let home = match flag / 10 {
        0 => 0.0,
        1 => -3.0,
        _ => -9.0,
    };
    let open = neighbours(flag).filter(|&next| !layout.is(next, Rank::Bomb)).count() as f32;
    let spare = layout.places(Rank::Bomb).filter(|&bomb| !neighbours(flag).any(|next| next == bomb)).count();
    let decoys = if spare >= 2 { 0.0 } else { -1.0 };
    let forward = if layout.in_rows(Rank::Bomb, 2..=3) >= 1.0 { 0.0 } else { -1.0 };
    home - 8.0 * open + decoys + forward
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Army;

    #[test]
    fn setups_are_whole_varied_and_sound() {
        let rules = Ruleset::default();
        let mut dice = Dice::new(3);
        let mut previous = None;
        let (mut home, mut guarded) = (0, 0);
        let mut seen = std::collections::HashSet::new();
        for _ in 0..60 {
            let setup = choose(&rules, previous.as_ref(), &mut dice);
            assert!(setup.is_complete(&Army::CLASSIC));
            assert_ne!(Some(setup), previous);
            let layout = Layout(&setup);
            let flag = layout.place(Rank::Flag);
            home += usize::from(flag < 10);
            guarded += usize::from(neighbours(flag).filter(|&next| layout.is(next, Rank::Bomb)).count() >= 2);
            assert!(layout.in_rows(Rank::Miner, 0..=1) >= 2.0, "{setup}");
            seen.insert(setup.to_string());
            previous = Some(setup);
        }
        assert!(home >= 57 && guarded >= 40, "{home} at home, {guarded} guarded");
        assert_eq!(seen.len(), 60);
    }

    #[test]
    fn barrage_setups_are_whole_varied_and_safe_from_the_first_scout() {
        let rules = Ruleset { barrage: true, ..Ruleset::default() };
        let mut dice = Dice::new(4);
        let mut previous = None;
        let (mut guarded, mut flags) = (0, std::collections::HashSet::new());
        let mut seen = std::collections::HashSet::new();
        for _ in 0..200 {
            let setup = choose(&rules, previous.as_ref(), &mut dice);
            assert!(setup.is_complete(&Army::BARRAGE), "{setup}");
            assert_ne!(Some(setup), previous);
            let flag = Layout(&setup).place(Rank::Flag);
            assert!(!barrage::is_open_ahead(&setup, flag), "{setup}");
            guarded += usize::from(neighbours(flag).any(|next| Layout(&setup).is(next, Rank::Bomb)));
            flags.insert(flag);
            seen.insert(setup.to_string());
            previous = Some(setup);
        }
        assert!((150..195).contains(&guarded), "{guarded} beside the bomb");
        assert!(seen.len() > 195 && flags.len() >= 8, "{} setups, {} flags", seen.len(), flags.len());
    }

    #[test]
    fn a_seed_fixes_the_setup() {
        for barrage in [false, true] {
            let rules = Ruleset { barrage, ..Ruleset::default() };
            let of = |seed| choose(&rules, None, &mut Dice::new(seed));
            assert_eq!(of(5), of(5));
            assert_ne!(of(5), of(6));
        }
    }
}
