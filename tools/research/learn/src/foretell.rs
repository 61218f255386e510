//! How well a network foretells recorded games: what was played, and who won.

use crate::examples::{Example, Examples};
use crate::game::Game;
use anyhow::Context;
use outflank::math::{exp, ln};
use outflank::sparse::{Network, Scratch};
use std::fmt;

/// What was foretold, summed over decisions with a choice.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Foretold {
    /// Decisions.
    pub decisions: f64,
    /// Those in which the likeliest action was played.
    pub likeliest: f64,
    /// Cross-entropy of what was played, in nats.
    pub surprise: f64,
    /// Cross-entropy of how the game ended, in nats.
    pub at_the_end: f64,
    /// Decisions for which the player's own expectation was recorded.
    pub judged: f64,
    /// Cross-entropy of the points that came of these, by the network and by that player, in nats.
    pub points: [f64; 2],
}

impl fmt::Display for Foretold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |sum: f64| sum / self.decisions.max(1.0);
        write!(
            f,
            "{} decisions: agreement {:.1}%, cross-entropy {:.3} nats; of the result {:.3} nats",
            self.decisions,
            100.0 * of(self.likeliest),
            of(self.surprise),
            of(self.at_the_end)
        )?;
        if self.judged > 0.0 {
            let [network, player] = self.points.map(|sum| sum / self.judged);
            write!(f, "; of the points {network:.3} nats, by the players themselves {player:.3}")?;
        }
        Ok(())
    }
}

/// What a network foretells of these games.
///
/// # Errors
/// If a game cannot have gone so.
pub fn foretell(network: &Network, examples: &Examples) -> anyhow::Result<Foretold> {
    let (mut found, mut scratch) = (Foretold::default(), Scratch::default());
    for example in examples.iter() {
        foretell_game(network, example, &mut scratch, &mut found)?;
    }
    Ok(found)
}

fn foretell_game(
    network: &Network,
    example: &Example,
    scratch: &mut Scratch,
    found: &mut Foretold,
) -> anyhow::Result<()> {
    let mut game = Game::new(example.start)?;
    for (&action, &expected) in example.plies.iter().zip(&example.expected) {
        let actions = game.view().position().actions();
        if actions.len() > 1 {
            let said = network.evaluate_actions(&game.observation(), actions, scratch);
            let logarithm = said.logarithm(action).context("an example is not legal")?;
            let most = said.log_probabilities.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let end = match example.winner {
                None => said.draw,
                Some(winner) if winner == game.to_move() => said.win,
                Some(_) => said.loss,
            };
            found.decisions += 1.0;
            found.likeliest += f64::from(u8::from(logarithm >= most));
            found.surprise -= f64::from(logarithm);
            found.at_the_end -= f64::from(ln(end.max(exp(-20.0))));
            if let Some(expected) = expected {
                let points =
                    example.winner.map_or(0.5, |winner| f32::from(u8::from(winner == game.to_move())));
                let expectations = [said.win + 0.5 * said.draw, f32::from(expected) / 1000.0];
                found.judged += 1.0;
                for (sum, expectation) in found.points.iter_mut().zip(expectations) {
                    *sum += f64::from(surprise(points, expectation));
                }
            }
        }
        game.play(action)?;
    }
    Ok(())
}

/// Cross-entropy of these points where those were expected, in nats.
fn surprise(points: f32, expected: f32) -> f32 {
    let expected = expected.clamp(1e-3, 1.0 - 1e-3);
    -points * ln(expected) - (1.0 - points) * ln(1.0 - expected)
}
