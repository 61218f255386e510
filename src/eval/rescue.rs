//! What it is worth to be on the way to a rescue.

use super::gauge::Gauge;
use crate::math;
use crate::rules::{Position, Side};

/// Share of what may be handed back that the last step before it is worth.
const NEXT: f32 = 0.6;
/// What is left of that with each step more.
const FADE: f32 = 0.85;

/// The worth of both sides' ways to their next rescue, for the gauge's player; nothing where the rules have none.
pub(crate) fn prospects(position: &Position, gauge: &Gauge) -> f32 {
    if !position.rules().rescue {
        return 0.0;
    }
    side_prospects(position, gauge, gauge.us()) - side_prospects(position, gauge, gauge.us().enemy())
}

fn side_prospects(position: &Position, gauge: &Gauge, side: Side) -> f32 {
    if position.rescues(side) >= Position::MOST_RESCUES {
        return 0.0;
    }
    let prizes = position.rescuable(side).iter().map(|rank| gauge.worth_of(side, rank));
    let prize = prizes.fold(0.0, f32::max);
    let Some(steps) = (if prize > 0.0 { position.steps_to_rescue(side) } else { None }) else { return 0.0 };
    prize * NEXT * math::powi(FADE, steps as i32 - 1)
}
