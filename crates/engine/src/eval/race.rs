//! Races for a flag: who is there first, the attacker or a defender.

use super::params::{self, LATE};
use super::paths::{FARTHEST, PathDistances};
use super::piece::PieceEvaluations;
use super::threat_map::ThreatMap;
use crate::math;
use crate::rules::{Position, Side};

/// Everything that a race depends on at a node of the tree.
#[derive(Copy, Clone)]
pub(super) struct Scene<'a> {
    /// The node.
    pub(super) position: &'a Position,
    /// The player it is evaluated for.
    pub(super) us: Side,
    /// What each enemy piece may be.
    pub(super) pieces: &'a PieceEvaluations,
    /// Where everybody stands.
    pub(super) map: &'a ThreatMap,
    /// How far it is from square to square.
    pub(super) distances: &'a PathDistances,
}

/// What is left of a race, by its steps and by [`lateness`].
pub(super) type Fading = [[f32; LATE.len()]; FARTHEST + 1];

/// A race of which each step leaves the share `fade`.
pub(super) fn fading(fade: f32) -> Fading {
    std::array::from_fn(|steps| {
        let left = math::powi(fade, steps as i32 - 1);
        LATE.map(|late| left * late)
    })
}

/// Index into [`LATE`] of a defender that is `near` steps away from where the attacker is in `steps`.
pub(super) fn lateness(near: u8, steps: u8) -> usize {
    ((i32::from(near) - i32::from(steps)).clamp(-2, 2) + 2) as usize
}

/// Defenders that are more steps away than this all come equally late for an attacker in `steps`.
pub(super) const fn farthest_that_matters(steps: u8) -> usize {
    steps as usize + 2
}

/// A piece on its way to a flag.
#[derive(Copy, Clone, Default)]
pub(super) struct Attacker {
    /// How likely it can get through, less so the farther away: the share of a defender that it takes up.
    pub(super) coming: f32,
    /// How likely it wins the race against the nearest defender, the second and the third.
    pub(super) dangers: [f32; 3],
}

impl Attacker {
    /// The more dangerous of two ways.
    pub(super) fn or(self, other: Attacker) -> Attacker {
        if other.dangers[0] > self.dangers[0] { other } else { self }
    }

    /// So much of another judgement of the same way, and the rest of this one.
    pub(super) fn mixed_with(self, other: Attacker, share: f32) -> Attacker {
        let mix = |own: f32, other: f32| own * (1.0 - share) + other * share;
        Attacker {
            coming: mix(self.coming, other.coming),
            dangers: std::array::from_fn(|nth| mix(self.dangers[nth], other.dangers[nth])),
        }
    }

    /// How likely it wins if attackers before it take up so many defenders.
    fn danger(&self, taken_up: f32) -> f32 {
        let first = (taken_up as usize).min(1);
        let share = (taken_up - first as f32).min(1.0);
        self.dangers[first] * (1.0 - share) + self.dangers[first + 1] * share
    }
}

/// The most dangerous attackers of a flag, in order; the others are far weaker.
#[derive(Default)]
pub(super) struct Attackers([Attacker; 6]);

impl Attackers {
    /// One more; the least dangerous falls out.
    pub(super) fn add(&mut self, mut new: Attacker) {
        for place in &mut self.0 {
            if new.dangers[0] > place.dangers[0] {
                std::mem::swap(place, &mut new);
            }
        }
    }

    /// How likely one of them gets through. Each takes up a defender; the next has to be met by another.
    pub(super) fn danger(&self) -> f32 {
        let (mut sum, mut taken_up) = (0.0, 0.0);
        for attacker in &self.0 {
            sum += attacker.danger(taken_up);
            taken_up += params::taken_up() * attacker.coming;
        }
        sum.min(1.0)
    }
}
