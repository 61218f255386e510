//! Values of the tree and what they mean.
//!
//! The tree adds up expectations, so its values must be worth averaging: an evaluation is squashed towards the
//! bounds before it becomes a value. Far ahead, a risk costs more than it brings; far behind, less.

use crate::eval::STEEPNESS;

/// Value of a game won at the root; a won game is worth a little less the later it is won.
pub(super) const WIN: i32 = 1_030_000;
/// Bound of squashed evaluations.
const SQUASHED: f32 = 1_000_000.0;
/// The value of an evaluation.
pub(super) fn squash(evaluation: f32) -> i32 {
    (SQUASHED * evaluation / evaluation.hypot(STEEPNESS)) as i32
}

/// Plies without a strike after which what a lead has beyond [`GREAT`] is worth half. A guess.
const PATIENCE: i32 = 1000;
/// From this value on a lead is great: two fifths of the way to a win. A guess that hunter's games confirmed; on every
/// lead it lost games against ourselves (`docs/experiments.md`).
const GREAT: i32 = 400_000;

/// How far ahead at the root, in points of evaluation, makes ready to pay for a strike once the game stands still. This and
/// the next three are guesses that hunter's games confirmed together: `docs/experiments.md`.
const AHEAD: f32 = 500.0;
/// Plies without a strike after which a game stands still.
const STILL: u32 = 120;
/// Points that a strike may cost for each further ply, and the most that it may.
const PRESS: (f32, f32) = (2.0, 300.0);
/// Plies after which a lead that stands still is worth this much less, and no less after that.
const WASTE: (u32, f32) = (150, 0.6);

/// What a strike at the root may cost in points, `ahead` by so many, after `quiet` plies without one. Without that every line of
/// the tree could end with the same strike, made later and later.
pub(super) fn press(ahead: f32, quiet: u32) -> f32 {
    if ahead < AHEAD { 0.0 } else { (quiet.saturating_sub(STILL) as f32 * PRESS.0).min(PRESS.1) }
}

/// A value after `quiet` plies without a strike, in a search whose root is `ahead` by so many points. Far ahead every action
/// looks the same, and games that were as good as won went on for ever; a lead that wastes away gives a reason to go where
/// something can be struck.
pub(super) fn impatient(value: i32, quiet: u32, ahead: f32) -> i32 {
    let waste = (quiet.saturating_sub(STILL) as f32 / WASTE.0 as f32).min(1.0) * WASTE.1;
    let value = if ahead < AHEAD || value < 0 { value } else { (value as f32 * (1.0 - waste)) as i32 };
    let quiet = quiet.min(PATIENCE as u32) as i32;
    value - (value - GREAT).max(0) / (2 * PATIENCE) * quiet
}

/// What one more point of evaluation adds to the value, at this evaluation.
pub(super) fn slope(evaluation: f32) -> f32 {
    SQUASHED * STEEPNESS * STEEPNESS / evaluation.hypot(STEEPNESS).powi(3)
}

/// The value of a game that ends `ply` plies after the root.
pub(super) const fn won(ply: usize) -> i32 {
    WIN - 200 * ply as i32
}

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

/// Draws among even games, in permille: humans on gravon.de drew 3.6% of 42,478 games.
const EVEN_DRAWS: f32 = 36.0;

impl Score {
    /// The chances that a value of the tree stands for.
    pub(super) fn of(value: i32) -> Score {
        if value.abs() > SQUASHED as i32 {
            return if value > 0 {
                Score { win: 1000, draw: 0, loss: 0 }
            } else {
                Score { win: 0, draw: 0, loss: 1000 }
            };
        }
        let edge = value as f32 / SQUASHED;
        let draw = EVEN_DRAWS * (1.0 - edge.abs());
        let win = ((1000.0 - draw) * f32::midpoint(1.0, edge)).round() as u16;
        let draw = draw.round() as u16;
        Score { win, draw, loss: 1000u16.saturating_sub(win + draw) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_sum_to_a_thousand_and_follow_the_value() {
        let mut last = 0;
        for value in (-WIN..=WIN).step_by(5000) {
            let score = Score::of(value);
            assert_eq!(score.win + score.draw + score.loss, 1000, "{value}");
            assert!(score.win >= last);
            last = score.win;
        }
        assert_eq!(Score::of(0), Score { win: 482, draw: 36, loss: 482 });
    }

    #[test]
    fn squashing_keeps_order_and_sign() {
        assert!(squash(100.0) > squash(50.0) && squash(-100.0) == -squash(100.0));
        assert!(squash(1e6) < won(DEEP));
    }

    #[test]
    fn only_great_leads_waste_away_and_they_keep_their_order() {
        let even = |value, quiet| impatient(value, quiet, 0.0);
        assert_eq!([-900_000, 0, GREAT].map(|value| even(value, 900)), [-900_000, 0, GREAT]);
        let values = [0, 300, 3000].map(|quiet| even(900_000, quiet));
        assert!(values[0] == 900_000 && values[0] > values[1] && values[1] > values[2] && values[2] > GREAT);
        assert!(even(900_000, 3000) > even(800_000, 3000));
    }

    #[test]
    fn who_is_ahead_pays_for_a_strike_when_the_game_stands_still_and_not_without_end() {
        assert!(press(AHEAD, STILL) == 0.0 && press(AHEAD / 2.0, 10 * STILL) == 0.0);
        assert!(press(AHEAD, STILL + 50) < press(AHEAD, STILL + 90));
        assert!(press(AHEAD, 10_000) <= PRESS.1);
        let values = [STILL, STILL + 50, STILL + 100, 10_000].map(|quiet| impatient(GREAT, quiet, AHEAD));
        assert!(
            values[0] == GREAT && values[0] > values[1] && values[1] > values[2] && values[2] > values[3]
        );
        assert!(values[3] > 0 && impatient(-GREAT, 10_000, AHEAD) == -GREAT);
        assert!(impatient(GREAT, 10_000, AHEAD - 1.0) == GREAT);
    }

    const DEEP: usize = 100;
}
