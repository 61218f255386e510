//! What a value of the tree says about who wins.

use super::params;
use super::value::Value;
use crate::math;
use crate::rules::Side;

/// Win, draw and loss in permille for the side to move; they sum to 1000.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Score {
    /// Chance to win.
    pub win: u16,
    /// Chance to draw.
    pub draw: u16,
    /// Chance to lose.
    pub loss: u16,
}

impl Score {
    /// A certain draw.
    pub(super) const DRAWN: Score = Score { win: 0, draw: 1000, loss: 0 };

    /// The chances that a value of the tree stands for, for who is to move at the root.
    pub(super) fn of(value: Value, root: Moment) -> Score {
        let most = Value::MOST_EVALUATED;
        if value > most {
            return Score { win: 1000, draw: 0, loss: 0 };
        }
        if value < -most {
            return Score { win: 0, draw: 0, loss: 1000 };
        }
        let edge = calibrated(value.as_f32() / most.as_f32(), root.offset());
        let draw = params::even_draws() * (1.0 - edge.abs());
        let win = ((1000.0 - draw) * f32::midpoint(1.0, edge)).round() as u16;
        let draw = draw.round() as u16;
        Score { win, draw, loss: 1000u16.saturating_sub(win + draw) }
    }
}

/// When something is expected, and by whom.
#[derive(Copy, Clone, Debug)]
pub(super) struct Moment {
    /// Plies made.
    pub(super) ply: u32,
    /// Who is to move.
    pub(super) side: Side,
}

impl Moment {
    /// What is added to the log odds then.
    fn offset(self) -> f32 {
        let early = math::exp(-(self.ply as f32) / params::score_phase());
        let (late, first) = (params::score_offset(), params::score_offset_first());
        let colour = match self.side {
            Side::Red => -params::score_colour(),
            Side::Blue => params::score_colour(),
        };
        late + early * (first - late + colour)
    }
}

/// What becomes of an expectation from -1 to 1. A search chooses what it overrates, so it expects too much.
fn calibrated(edge: f32, offset: f32) -> f32 {
    const MOST: f32 = 0.999;
    let edge = edge.clamp(-MOST, MOST);
    let log_odds = math::ln((1.0 + edge) / (1.0 - edge));
    let log_odds = params::score_slope() * log_odds + offset;
    2.0 / (1.0 + math::exp(-log_odds)) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Moment = Moment { ply: 10_000, side: Side::Red };

    #[test]
    fn chances_sum_to_a_thousand_and_follow_the_value() {
        let (mut last, most) = (0, Value::won(0).units());
        for units in (-most..=most).step_by(5000) {
            let score = Score::of(Value::new(units), LATE);
            assert_eq!(score.win + score.draw + score.loss, 1000, "{units}");
            assert!(score.win >= last);
            last = score.win;
        }
        // Even as the search sees it is odds of exp(-0.4).
        assert_eq!(Score::of(Value::ZERO, LATE), Score { win: 390, draw: 29, loss: 581 });
    }

    #[test]
    fn early_in_a_game_less_is_overrated_and_red_has_a_little_less() {
        let points = |ply, side| {
            let Score { win, draw, .. } = Score::of(Value::ZERO, Moment { ply, side });
            win + draw / 2
        };
        for side in Side::BOTH {
            assert!(points(0, side) > points(200, side) && points(200, side) > points(900, side));
        }
        assert!(points(0, Side::Red) + 20 < points(0, Side::Blue));
        assert!(points(3000, Side::Red).abs_diff(points(3000, Side::Blue)) <= 1);
    }
}
