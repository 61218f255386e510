//! The progress incentive: whoever leads makes progress instead of shuffling.
//!
//! Far ahead every action looks the same, and games that were as good as won went on for ever. So a large lead decays
//! while nothing is struck, and who is ahead may pay for a strike once the game stands still.

use super::params;
use super::value::Value;

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
