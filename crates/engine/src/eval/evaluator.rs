//! What search asks of an evaluator, whoever made it, and those that a host may choose from: the hand-made one, which is a
//! sum of [`Terms`], and material alone.

use super::params;
use super::piece_value::rescue_value;
use super::state::{InformationState, Sums};
use crate::belief::Belief;
use crate::math;
use crate::named_enum::named_enum;
use crate::rules::Position;
use crate::view::View;

/// Gives the leaves of a search their value. Search knows nothing else of it, so that a learned one can stand beside
/// the hand-made one.
pub trait Evaluator: Sync {
    /// The value of `position` for the player of `state`, in points: a captain is worth 80. `state` is what that
    /// player knows there. The same position and state always have the same value, on every thread.
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32;
}

named_enum! {
    /// One of the evaluators.
    #[derive(Copy, Clone, Debug, Default, Eq, PartialEq)]
    pub enum EvaluatorKind (in any case) {
        /// [`HandMade`].
        #[default]
        HandMade = "handmade",
        /// [`Material`].
        Material = "material",
    }
}

impl EvaluatorKind {
    /// What evaluates.
    pub const fn evaluator(self) -> &'static dyn Evaluator {
        match self {
            EvaluatorKind::HandMade => &HandMade,
            EvaluatorKind::Material => &Material,
        }
    }
}

/// The hand-made evaluator, which players use unless another is chosen: the sum of its [`Terms`]. Its numbers are
/// in `crates/engine/src/eval/params.rs`.
#[derive(Copy, Clone, Debug)]
pub struct HandMade;

impl Evaluator for HandMade {
    fn evaluate(&self, position: &Position, state: &InformationState) -> f32 {
        Terms::of(position, state).total()
    }
}

/// Material alone, as [`super::HandMade`] counts it: who is left, by what each hidden piece may be. A sparring partner,
/// and what any other evaluator has to beat.
#[derive(Copy, Clone, Debug)]
pub struct Material;

impl Evaluator for Material {
    fn evaluate(&self, _: &Position, state: &InformationState) -> f32 {
        material(state)
    }
}

/// The terms of the hand-made evaluation, in points: a captain is worth 80. Each is positive where it is good for the
/// player whose information is evaluated.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Terms {
    /// Who is left.
    pub material: f32,
    /// What the enemy has found out about our pieces.
    pub revealed: f32,
    /// What we know of the enemy's pieces, beyond the root.
    pub known: f32,
    /// Our profits in reach.
    pub attack: f32,
    /// The enemy's profits in reach.
    pub threat: f32,
    /// The enemy's races for our flag.
    pub flag_defence: f32,
    /// Our races for the enemy's flag.
    pub flag_attack: f32,
    /// How near both sides are to their next rescue; `None` where the rules have none.
    pub rescue: Option<f32>,
}

impl Terms {
    /// The terms of a view, for its player.
    pub fn of_view(view: &View, belief: &Belief) -> Terms {
        Terms::of(view.position(), &InformationState::new(view, belief))
    }

    /// The terms at the position that `state` has followed.
    pub(super) fn of(position: &Position, state: &InformationState) -> Terms {
        let Sums { revealed, known, unmoved, .. } = state.sums;
        let root = &state.root;
        let scene = state.scene(position);
        Terms {
            material: material(state),
            revealed: cover(unmoved) - revealed,
            known: known - state.known_at_root,
            attack: state.map.attack(state.pieces.strikers())
                * params::attack()
                * root.progress.min(params::most_attack_incentive()),
            threat: -(state.threat() * params::threat() / root.progress),
            flag_defence: -state.flag_defence.cost(scene),
            flag_attack: state.flag_attack.value(scene),
            rescue: position.rules().rescue.then(|| rescue_value(position, &root.values, root.us)),
        }
    }

    /// The evaluation: the sum of all terms.
    pub fn total(self) -> f32 {
        // A term that is left out here, or in `named`, is an unused variable.
        let Terms { material, revealed, known, attack, threat, flag_defence, flag_attack, rescue } = self;
        // The order decides the last digits, and those decide between equals.
        let pieces = material + revealed + known + attack + threat;
        pieces + rescue.unwrap_or(0.0) + (flag_attack + flag_defence)
    }

    /// The terms with the names that the protocol's `eval` gives them, but for those that the rules do not have.
    pub fn named(self) -> impl Iterator<Item = (&'static str, f32)> {
        let Terms { material, revealed, known, attack, threat, flag_defence, flag_attack, rescue } = self;
        let always = [
            ("material", material),
            ("revealed", revealed),
            ("known", known),
            ("attack", attack),
            ("threat", threat),
            ("flag-defence", flag_defence),
            ("flag-attack", flag_attack),
        ];
        always.into_iter().chain(rescue.map(|rescue| ("rescue", rescue)))
    }

    /// The total as people read it: the sum of the rounded terms, so that what `eval` prints adds up.
    pub fn in_points(self) -> i32 {
        self.named().map(|(_, points)| points.round() as i32).sum()
    }
}

/// Who is left. The same lead is worth more the less is left to fight with.
pub(super) fn material(state: &InformationState) -> f32 {
    let Sums { ours, theirs, .. } = state.sums;
    (ours - theirs - state.guarded)
        * (1.0 + params::endgame() * (1.0 - (ours + theirs) / state.root.both_armies))
}

/// What so many of our pieces that never moved are worth: the flag hides among them.
fn cover(unmoved: f32) -> f32 {
    params::cover() * math::ln(1.0 + unmoved) / std::f32::consts::LN_2
}
