//! Races for a flag: who is there first, the attacker or a defender.

use super::params::LATE;
use super::paths::{FARTHEST, PathDistances};
use super::pieces::PieceEvaluations;
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
