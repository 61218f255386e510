//! Values of the tree, the windows they are searched in, and the progress incentive.
//!
//! The tree averages values, so they must be worth averaging: an evaluation is squashed towards the bounds before it
//! becomes a value. Far ahead, a risk costs more than it brings; far behind, less.
//!
//! Far ahead every action looks the same, and games that were as good as won went on for ever. So a large lead decays
//! while nothing is struck, and who is ahead may pay for a strike once the game stands still.

use super::params;
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

    /// The evaluation in points that has this value. A game that is decided counts as the largest that differs from others.
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

    /// The units as a number to be averaged.
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

/// The window of a search: values up to `alpha` and from `beta` on need not be distinguished.
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

/// How a node is searched.
#[derive(Copy, Clone, Debug)]
pub(super) struct Node {
    /// Plies left before quiescence begins; none or less in quiescence.
    pub(super) depth: i32,
    /// The values that need to be distinguished.
    pub(super) window: Window,
    /// Plies from the root.
    pub(super) ply: usize,
}

impl Node {
    /// The node a ply further down, by default to be searched a ply less deeply in the same window.
    pub(super) const fn child(self) -> Node {
        Node { depth: self.depth - 1, window: self.window, ply: self.ply + 1 }
    }

    /// The node, to be searched in another window.
    pub(super) const fn within(self, window: Window) -> Node {
        Node { window, ..self }
    }

    /// The node, to be searched so many plies less deeply.
    pub(super) const fn reduced(self, plies: i32) -> Node {
        Node { depth: self.depth - plies, ..self }
    }
}

/// What a strike at the root may cost, in points, with this evaluation there and after `quiet` plies without one. The
/// decay alone is not enough: every line of the tree could end with the same strike, made later and later.
pub(super) fn strike_incentive(root_evaluation: f32, quiet: u32) -> f32 {
    if root_evaluation < params::ahead() {
        return 0.0;
    }
    (quiet.saturating_sub(params::standstill()) as f32 * params::incentive_per_ply())
        .min(params::most_incentive())
}

/// A value after `quiet` plies without a strike, in a search whose root has this evaluation in points.
pub(super) fn with_decay(value: Value, quiet: u32, root_evaluation: f32) -> Value {
    let still = quiet.saturating_sub(params::standstill()) as f32;
    let decay = (still / params::decay_plies() as f32).min(1.0) * params::most_decay();
    let decays = root_evaluation >= params::ahead() && value >= Value::ZERO;
    let value = if decays { Value::from_sum(value.as_f32() * (1.0 - decay)) } else { value };
    let quiet = quiet.min(params::great_lead_half_life()) as i32;
    let excess = (value.units() - params::great_lead()).max(0);
    value - Value::new(excess / (2 * params::great_lead_half_life() as i32) * quiet)
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

    fn great() -> Value {
        Value::new(params::great_lead())
    }

    #[test]
    fn only_great_leads_decay_and_they_keep_their_order() {
        let even = |units: i32, quiet| with_decay(Value::new(units), quiet, 0.0).units();
        assert_eq!(
            [-900_000, 0, params::great_lead()].map(|units| even(units, 900)),
            [-900_000, 0, params::great_lead()]
        );
        let values = [0, 300, 3000].map(|quiet| even(900_000, quiet));
        assert!(
            values[0] == 900_000
                && values[0] > values[1]
                && values[1] > values[2]
                && values[2] > params::great_lead()
        );
        assert!(even(900_000, 3000) > even(800_000, 3000));
    }

    #[test]
    fn who_is_ahead_pays_for_a_strike_when_the_game_stands_still_and_not_without_end() {
        let incentive = strike_incentive;
        assert!(
            incentive(params::ahead(), params::standstill()) == 0.0
                && incentive(params::ahead() / 2.0, 10 * params::standstill()) == 0.0
        );
        assert!(
            incentive(params::ahead(), params::standstill() + 50)
                < incentive(params::ahead(), params::standstill() + 90)
        );
        assert!(incentive(params::ahead(), 10_000) <= params::most_incentive());
        let values = [params::standstill(), params::standstill() + 50, params::standstill() + 100, 10_000];
        let values = values.map(|quiet| with_decay(great(), quiet, params::ahead()));
        assert!(
            values[0] == great() && values[0] > values[1] && values[1] > values[2] && values[2] > values[3]
        );
        assert!(values[3] > Value::ZERO && with_decay(-great(), 10_000, params::ahead()) == -great());
        assert!(with_decay(great(), 10_000, params::ahead() - 1.0) == great());
    }
}
