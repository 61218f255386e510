//! Values of the tree and the windows they are searched in.
//!
//! The tree averages values, so they must be worth averaging: an evaluation is squashed towards the bounds before it
//! becomes a value. Far ahead, a risk costs more than it brings; far behind, less.

use crate::eval::steepness;
use crate::math;
use std::ops::{Add, Neg, Sub};

/// What a position is worth to our player, in millionths of the largest evaluation. A won game is worth
/// [`Value::won`], a lost one as much less than 0, a draw 0.
#[derive(Copy, Clone, Debug, Default, Eq, PartialEq, Ord, PartialOrd)]
pub(super) struct Value(i32);

/// A game won at the root.
const WIN: i32 = 1_030_000;
/// What a win loses with each ply that it takes.
const WIN_DECAY: i32 = 200;

impl Value {
    /// An even game.
    pub(super) const ZERO: Value = Value(0);
    /// Beyond any value of a game.
    pub(super) const INFINITE: Value = Value(100_000_000);
    /// The bound of evaluations. Beyond it the game is over, in the tree or by force.
    pub(super) const MOST_EVALUATED: Value = Value(1_000_000);

    /// A game that we win `ply` plies after the root: the later, the less.
    pub(super) const fn won(ply: usize) -> Value {
        Value(WIN - WIN_DECAY * ply as i32)
    }

    /// The value of so many units of the tree.
    pub(super) const fn new(units: i32) -> Value {
        Value(units)
    }

    /// An average of values, its fraction cut off.
    pub(super) const fn from_sum(sum: f32) -> Value {
        Value(sum as i32)
    }

    /// The value of an evaluation in points.
    pub(super) fn of_evaluation(points: f32) -> Value {
        Value::from_sum(Value::MOST_EVALUATED.as_f32() * points / math::hypot(points, steepness()))
    }

    /// The evaluation in points that has this value. A game that is decided counts as the largest that can be told apart.
    pub(super) fn as_evaluation(self) -> f32 {
        const MOST: f32 = 0.9999;
        let share = (self.as_f32() / Value::MOST_EVALUATED.as_f32()).clamp(-MOST, MOST);
        share * steepness() / (1.0 - share * share).sqrt()
    }

    /// What one more point adds to the value at this evaluation.
    pub(super) fn slope(points: f32) -> f32 {
        Value::MOST_EVALUATED.as_f32() * steepness() * steepness()
            / math::powi(math::hypot(points, steepness()), 3)
    }

    /// Units of the tree.
    pub(super) const fn units(self) -> i32 {
        self.0
    }

    /// The same, to be averaged.
    pub(super) const fn as_f32(self) -> f32 {
        self.0 as f32
    }

    /// The next value above.
    pub(super) const fn above(self) -> Value {
        Value(self.0 + 1)
    }

    /// The next value below.
    pub(super) const fn below(self) -> Value {
        Value(self.0 - 1)
    }

    /// The difference, bounded where it would overflow.
    pub(super) const fn saturating_sub(self, other: Value) -> Value {
        Value(self.0.saturating_sub(other.0))
    }
}

impl Add for Value {
    type Output = Value;

    fn add(self, other: Value) -> Value {
        Value(self.0 + other.0)
    }
}

impl Sub for Value {
    type Output = Value;

    fn sub(self, other: Value) -> Value {
        Value(self.0 - other.0)
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

/// The window of a search: values up to `alpha` and from `beta` on need not be told apart.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) struct Window {
    /// We can have as much elsewhere.
    pub(super) alpha: Value,
    /// The enemy need not allow so much.
    pub(super) beta: Value,
}

impl Window {
    /// Every value matters.
    pub(super) const FULL: Window = Window::new(Value(-Value::INFINITE.0), Value::INFINITE);

    pub(super) const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// Only asks whether there is more than `alpha`.
    pub(super) const fn null(alpha: Value) -> Window {
        Window::new(alpha, alpha.above())
    }

    /// The window above `alpha`.
    pub(super) const fn from(alpha: Value) -> Window {
        Window::new(alpha, Value::INFINITE)
    }

    /// What is left once we can have `value`.
    pub(super) fn raise(&mut self, value: Value) {
        self.alpha = self.alpha.max(value);
    }

    /// Whether no value matters any more: a cutoff.
    pub(super) fn is_closed(self) -> bool {
        self.alpha >= self.beta
    }

    /// Star1 (Ballard 1983): the window in which one outcome of a chance node still matters, when `sum` is settled and
    /// outcomes of chance `rest` are open.
    pub(super) fn of_outcome(self, sum: f32, rest: f32, chance: f32) -> Window {
        let open = rest * Value::won(0).as_f32();
        let bound =
            |value: f32| Value::from_sum(value.clamp(-Value::INFINITE.as_f32(), Value::INFINITE.as_f32()));
        let low = bound((self.alpha.as_f32() - sum - open) / chance);
        let high = bound((self.beta.as_f32() - sum + open) / chance);
        Window::new(low.below(), high.above())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squashing_keeps_order_and_sign() {
        let value = Value::of_evaluation;
        assert!(value(100.0) > value(50.0) && value(-100.0) == -value(100.0));
        assert!(value(1e6) <= Value::MOST_EVALUATED && Value::MOST_EVALUATED < Value::won(100));
        for points in [-3000.0, -80.0, 0.0, 1.0, 500.0_f32] {
            assert!((value(points).as_evaluation() - points).abs() < 0.1, "{points}");
        }
        assert!(Value::won(0).as_evaluation().is_finite());
    }

    #[test]
    fn an_outcome_outside_its_window_decides_the_chance_node() {
        let window = Window::new(Value(-1000), Value(1000));
        let Window { alpha, beta } = window.of_outcome(0.0, 0.5, 0.5);
        let most = Value::won(0).as_f32();
        assert!(0.5 * alpha.as_f32() + 0.5 * most <= -1000.0);
        assert!(0.5 * beta.as_f32() - 0.5 * most >= 1000.0);
    }
}
