//! The hand-made evaluator: material, information, attacks and threats, races for the flags.

use super::evaluator::Evaluator;
use super::params;
use super::rescue::rescue_value;
use super::state::{InformationState, Sums};
use crate::math;
use crate::rules::Position;

/// The hand-made evaluator, which players use unless they are told otherwise. Its numbers are in `src/eval/params.rs`.
#[derive(Copy, Clone, Debug)]
pub struct HandMade;

impl Evaluator for HandMade {
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32 {
        let rescue = rescue_value(position, &state.root.values, state.root.us);
        Parts::of(state).total() + rescue + (flag_attack(position, state) - flag_defence(position, state))
    }
}

/// What the pieces add up to, in points.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Parts {
    /// Who is left.
    pub(super) material: f32,
    /// The value of what the enemy has found out about our pieces.
    pub(super) revealed: f32,
    /// The value of what we know of the enemy's, beyond the root.
    pub(super) known: f32,
    /// Our profits in reach.
    pub(super) attack: f32,
    /// The enemy's profits in reach.
    pub(super) threat: f32,
}

impl Parts {
    /// The parts at the position that `state` has followed.
    pub(super) fn of(state: &InformationState) -> Parts {
        let Sums { ours, theirs, revealed, known, unmoved, .. } = state.sums;
        let root = &state.root;
        Parts {
            // The same lead is worth more the less is left to fight with.
            material: (ours - theirs - state.guarded)
                * (1.0 + params::endgame() * (1.0 - (ours + theirs) / root.both_armies)),
            revealed: revealed - cover(unmoved),
            known: known - state.known_at_root,
            attack: state.map.attack(state.pieces.strikers())
                * params::attack()
                * root.progress.min(params::most_attack_incentive()),
            threat: state.threat() * params::threat() / root.progress,
        }
    }

    fn total(self) -> f32 {
        self.material - self.revealed + self.known + self.attack - self.threat
    }
}

/// What so many of our pieces that never moved are worth: the flag hides among them.
fn cover(unmoved: f32) -> f32 {
    params::cover() * math::ln(1.0 + unmoved) / std::f32::consts::LN_2
}

/// What our races for the enemy's flag are worth.
pub(super) fn flag_attack(position: &Position, state: &InformationState) -> f32 {
    state.flag_attack.value(state.scene(position))
}

/// What the enemy's races for our flag cost.
pub(super) fn flag_defence(position: &Position, state: &InformationState) -> f32 {
    state.flag_defence.cost(state.scene(position))
}
