//! How good a setup is: a merit in logits that games move.

use std::fmt;

/// Variance of the merit of a setup that is not known, in square logits: 128 setups of the book spread by 0.076 of a
/// point in 3,760 games of the policy network alone (`docs/log/setups.md`, "Setups by results").
pub(crate) const UNKNOWN: f64 = 0.09;

/// A merit, or the mean of several, in logits, and what is known of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Merit {
    /// Logits by which it beats the population that all began with.
    pub mean: f64,
    /// The variance of what is known of it.
    pub variance: f64,
    /// The games that tell.
    pub games: u32,
}

impl Merit {
    /// Of what nobody has seen play.
    pub const UNKNOWN: Merit = Merit { mean: 0.0, variance: UNKNOWN, games: 0 };

    /// Reads what [`Display`](fmt::Display) writes: the words behind a setup's `#`.
    pub(crate) fn read(words: &[&str]) -> anyhow::Result<Option<Merit>> {
        let ["merit", mean, "variance", variance, "games", games] = words else { return Ok(None) };
        Ok(Some(Merit { mean: mean.parse()?, variance: variance.parse()?, games: games.parse()? }))
    }
}

impl fmt::Display for Merit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Merit { mean, variance, games } = self;
        write!(f, "merit {mean} variance {variance} games {games}")
    }
}

/// Updates both merits by a game: `points` of the first, 0 to 1. `spread` is the variance of who played around their
/// merits, 0 if these are their own. One step of an extended Kalman filter.
pub(crate) fn rate(first: &mut Merit, second: &mut Merit, points: f64, spread: f64) {
    let expected = 1.0 / (1.0 + (second.mean - first.mean).exp());
    let weight = expected * (1.0 - expected);
    let scale = 1.0 + weight * (first.variance + second.variance + spread);
    for (merit, sign) in [(first, 1.0), (second, -1.0)] {
        merit.mean += sign * merit.variance * (points - expected) / scale;
        merit.variance -= merit.variance * merit.variance * weight / scale;
        merit.games += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn merit(mean: f64) -> Merit {
        Merit { mean, ..Merit::UNKNOWN }
    }

    #[test]
    fn games_move_merits_by_what_was_not_expected() {
        let (mut first, mut second) = (merit(0.0), merit(0.0));
        rate(&mut first, &mut second, 1.0, 0.0);
        assert!(first.mean > 0.0 && (first.mean + second.mean).abs() < 1e-12);
        assert!(first.variance < UNKNOWN && (first.games, second.games) == (1, 1));
        let (mut strong, mut weak) = (merit(1.0), merit(-1.0));
        rate(&mut strong, &mut weak, 1.0, 0.0);
        assert!(strong.mean - 1.0 < first.mean);
        // A setup that wins three games in four of many comes to ln 3 against one that is sure.
        let (mut good, mut sure) = (merit(0.0), Merit { variance: 0.0, ..merit(0.0) });
        good.variance = 100.0;
        for game in 0..4000 {
            rate(&mut good, &mut sure, f64::from(u8::from(game % 4 > 0)), 0.0);
        }
        assert!((good.mean - 3.0_f64.ln()).abs() < 0.1 && sure.mean.abs() < 1e-12, "{}", good.mean);
    }

    #[test]
    fn a_game_against_one_drawn_of_many_tells_less() {
        let after = |spread: f64| {
            let (mut first, mut second) = (merit(0.0), merit(0.0));
            rate(&mut first, &mut second, 1.0, spread);
            (first.mean, first.variance)
        };
        let (one, of_many) = (after(0.0), after(10.0));
        assert!(of_many.0 < one.0 / 2.0 && of_many.1 > one.1);
    }
}
