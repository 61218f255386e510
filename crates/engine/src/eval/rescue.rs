//! What it is worth to be on the way to a rescue.

use super::params;
use super::piece_value::PieceValues;
use crate::math;
use crate::rules::{BySide, Position, Side};

/// The value of both sides' ways to their next rescue, for `us`, where the rules have any.
pub(super) fn rescue_value(position: &Position, values: &BySide<PieceValues>, us: Side) -> f32 {
    side_value(position, values, us) - side_value(position, values, us.enemy())
}

fn side_value(position: &Position, values: &BySide<PieceValues>, side: Side) -> f32 {
    if position.rescues(side) >= Position::MOST_RESCUES {
        return 0.0;
    }
    let prizes = position.rescuable(side).iter().map(|rank| values[side][rank]);
    let prize = prizes.fold(0.0, f32::max);
    let Some(steps) = (if prize > 0.0 { position.steps_to_rescue(side) } else { None }) else { return 0.0 };
    prize * params::rescue_next() * math::powi(params::rescue_fade(), steps as i32 - 1)
}
