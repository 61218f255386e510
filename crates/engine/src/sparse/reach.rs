//! How far an action brings a piece to or from what it hunts, flees, explores, guards and meets on its way to our flag.
//!
//! A network of few products cannot tell by squares alone which of two hundred steps leads to a piece five squares off.
//! Distances are those of a board without lakes or pieces.

use super::observation::{Cell, KINDS, Observation, Own};
use crate::rules::{Outcome, Rank, StrikeRules, battle};
use std::cmp::Ordering;

/// Steps of distances after an action, and whether it was shorter, as long or longer before: 18 in all.
const CHANGES: usize = 6 * 3;
/// By what a piece is to the mover, the mover, the distance to the nearest one.
const NEAREST: usize = 0;
/// By rank of the strongest piece that the mover beats, the distance to it.
const PREY: usize = NEAREST + Target::COUNT * 30 * CHANGES;
/// By mover, the distance to our flag.
const HOME: usize = PREY + Rank::COUNT * CHANGES;
/// By mover and what that is to it, the distance to the moved enemy nearest to our flag.
const RUNNER: usize = HOME + 30 * CHANGES;
/// All inputs.
pub(super) const FEATURES: usize = RUNNER + Target::COUNT * 30 * CHANGES;
/// The most that an action has.
pub(super) const MOST: usize = Target::COUNT + 3;

/// What an enemy piece is to a piece of ours.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
enum Target {
    /// It is known, and we beat it.
    Prey,
    /// It is known, moves, and would beat us.
    Hunter,
    /// It is hidden and has moved.
    Moved,
    /// It is hidden and has not.
    Still,
}

impl Target {
    const COUNT: usize = 4;

    /// What a piece of this kind is to a piece of ours of this rank; nothing if neither need care.
    fn of(rank: Rank, kind: u8, rules: StrikeRules) -> Option<Target> {
        match kind {
            0 => Some(Target::Still),
            1..5 => Some(Target::Moved),
            known => {
                let enemy = Rank::ALL[usize::from(known - 5)];
                let flees = enemy.is_mobile() && battle(enemy, rank, rules) == Outcome::Win;
                match battle(rank, enemy, rules) {
                    Outcome::Win => Some(Target::Prey),
                    Outcome::Loss | Outcome::Tie => flees.then_some(Target::Hunter),
                }
            }
        }
    }
}

/// What of this all actions of a position have in common.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// By rank of ours and kind.
    targets: [[Option<Target>; KINDS]; Rank::COUNT],
    /// Enemy pieces: square and kind.
    enemies: [(u8, u8); 40],
    count: usize,
    flag: Option<u8>,
    /// The place among the enemies of the moved one nearest to our flag.
    runner: Option<usize>,
}

impl Reach {
    pub(super) fn new(seen: &Observation) -> Reach {
        let rules = seen.rules.strike_rules();
        let targets = Rank::ALL.map(|rank| std::array::from_fn(|kind| Target::of(rank, kind as u8, rules)));
        let is_flag = |own: &Own| own.rank == Rank::Flag as u8;
        let flag =
            seen.own.iter().find(|&square| matches!(&seen.cells[square], Cell::Own(own) if is_flag(own)));
        let flag = flag.map(|square| square as u8);
        let mut reach = Reach { targets, enemies: [(0, 0); 40], count: 0, flag, runner: None };
        let mut nearest = u8::MAX;
        for square in seen.enemy.iter() {
            let Cell::Enemy(kind) = seen.cells[square] else { continue };
            let far = flag.map_or(u8::MAX, |flag| distance(square as u8, flag));
            if seen.moved_enemies[square] && far < nearest {
                (nearest, reach.runner) = (far, Some(reach.count));
            }
            reach.enemies[reach.count] = (square as u8, kind);
            reach.count += 1;
        }
        reach
    }

    /// Hands on the features of one action of a piece of ours.
    pub(super) fn features(&self, own: Own, from: usize, to: usize, mut push: impl FnMut(usize)) {
        let [from, to] = [from, to].map(|square| square as u8);
        let targets = &self.targets[usize::from(own.rank)];
        let (mut before, mut after) = ([u8::MAX; Target::COUNT], [u8::MAX; Target::COUNT]);
        let mut prey = None;
        for &(square, kind) in &self.enemies[..self.count] {
            let Some(target) = targets[usize::from(kind)] else { continue };
            let place = target as usize;
            let [was, is] = [from, to].map(|place| distance(place, square));
            before[place] = before[place].min(was);
            after[place] = after[place].min(is);
            if target == Target::Prey {
                // The strongest, and of these the nearest.
                prey = prey.max(Some((kind, u8::MAX - is, was)));
            }
        }
        let mover = own.mover();
        for place in (0..Target::COUNT).filter(|&place| after[place] < u8::MAX) {
            push(NEAREST + (place * 30 + mover) * CHANGES + change(before[place], after[place]));
        }
        if let Some((kind, near, was)) = prey {
            push(PREY + usize::from(kind - 5) * CHANGES + change(was, u8::MAX - near));
        }
        if let Some(flag) = self.flag {
            push(HOME + mover * CHANGES + change(distance(from, flag), distance(to, flag)));
        }
        if let Some((square, kind)) = self.runner.map(|place| self.enemies[place])
            && let Some(target) = targets[usize::from(kind)]
        {
            let change = change(distance(from, square), distance(to, square));
            push(RUNNER + (target as usize * 30 + mover) * CHANGES + change);
        }
    }
}

/// Steps from a square to another.
const fn distance(one: u8, other: u8) -> u8 {
    (one / 10).abs_diff(other / 10) + (one % 10).abs_diff(other % 10)
}

/// In which step a distance lies, and how it has changed.
fn change(before: u8, after: u8) -> usize {
    let step = match after {
        0 | 1 => 0,
        2..=4 => usize::from(after) - 1,
        5..=6 => 4,
        _ => 5,
    };
    let way = match after.cmp(&before) {
        Ordering::Less => 0,
        Ordering::Equal => 1,
        Ordering::Greater => 2,
    };
    step * 3 + way
}
