//! The progress incentive: whoever leads makes progress instead of shuffling.
//!
//! Far ahead every action looks the same, and games that were as good as won went on for ever. So a large lead decays
//! while nothing is struck, and who is ahead may pay for a strike once the game stands still.

use super::params::{
    AHEAD, DECAY_PLIES, GREAT_LEAD, GREAT_LEAD_HALF_LIFE, INCENTIVE_PER_PLY, MOST_DECAY, MOST_INCENTIVE,
    STANDSTILL,
};
use super::value::Value;

/// What a strike at the root may cost, in points, with this evaluation there and after `quiet` plies without one. The
/// decay alone is not enough: every line of the tree could end with the same strike, made later and later.
pub(super) fn strike_incentive(root_evaluation: f32, quiet: u32) -> f32 {
    if root_evaluation < AHEAD {
        return 0.0;
    }
    (quiet.saturating_sub(STANDSTILL) as f32 * INCENTIVE_PER_PLY).min(MOST_INCENTIVE)
}

/// A value after `quiet` plies without a strike, in a search whose root has this evaluation in points.
pub(super) fn with_decay(value: Value, quiet: u32, root_evaluation: f32) -> Value {
    let still = quiet.saturating_sub(STANDSTILL) as f32;
    let decay = (still / DECAY_PLIES as f32).min(1.0) * MOST_DECAY;
    let decays = root_evaluation >= AHEAD && value >= Value::ZERO;
    let value = if decays { Value::from_sum(value.as_f32() * (1.0 - decay)) } else { value };
    let quiet = quiet.min(GREAT_LEAD_HALF_LIFE) as i32;
    let excess = (value.units() - GREAT_LEAD).max(0);
    value - Value::new(excess / (2 * GREAT_LEAD_HALF_LIFE as i32) * quiet)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREAT: Value = Value::new(GREAT_LEAD);

    #[test]
    fn only_great_leads_decay_and_they_keep_their_order() {
        let even = |units: i32, quiet| with_decay(Value::new(units), quiet, 0.0).units();
        assert_eq!([-900_000, 0, GREAT_LEAD].map(|units| even(units, 900)), [-900_000, 0, GREAT_LEAD]);
        let values = [0, 300, 3000].map(|quiet| even(900_000, quiet));
        assert!(
            values[0] == 900_000 && values[0] > values[1] && values[1] > values[2] && values[2] > GREAT_LEAD
        );
        assert!(even(900_000, 3000) > even(800_000, 3000));
    }

    #[test]
    fn who_is_ahead_pays_for_a_strike_when_the_game_stands_still_and_not_without_end() {
        let incentive = strike_incentive;
        assert!(incentive(AHEAD, STANDSTILL) == 0.0 && incentive(AHEAD / 2.0, 10 * STANDSTILL) == 0.0);
        assert!(incentive(AHEAD, STANDSTILL + 50) < incentive(AHEAD, STANDSTILL + 90));
        assert!(incentive(AHEAD, 10_000) <= MOST_INCENTIVE);
        let values = [STANDSTILL, STANDSTILL + 50, STANDSTILL + 100, 10_000];
        let values = values.map(|quiet| with_decay(GREAT, quiet, AHEAD));
        assert!(
            values[0] == GREAT && values[0] > values[1] && values[1] > values[2] && values[2] > values[3]
        );
        assert!(values[3] > Value::ZERO && with_decay(-GREAT, 10_000, AHEAD) == -GREAT);
        assert!(with_decay(GREAT, 10_000, AHEAD - 1.0) == GREAT);
    }
}
