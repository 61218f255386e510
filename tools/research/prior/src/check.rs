//! What the start prior is worth on setups it was not fitted to.

use crate::fit::{
    Places, ROUNDS, Table, engine, fit, marginals, observed, rounded, spread, surprise, unrounded,
};
use crate::setups::{FOLDS, Group, PLACES, shares};
use outflank::belief::{RankProbabilities, count_share, parts_per_million};
use std::fmt;

/// Rounds of each part's fit: fewer than [`ROUNDS`], the rest does not show in the figures.
const FOLD_ROUNDS: usize = ROUNDS - 2;
/// Shares of plain counts that are tried.
const COUNT_SHARES: [f32; 6] = [0.0, 0.02, 0.03, 0.04, 0.05, 0.1];

/// Mean surprise of one way of guessing, in nats a piece, on setups held out.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// What guessed.
    pub name: String,
    /// Whether it is what the engine in this build says.
    pub in_use: bool,
    /// Every line counted.
    pub by_lines: f64,
    /// Every setup counted once.
    pub by_setups: f64,
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.in_use { "  <- in use" } else { "" };
        write!(f, "{:<44} {:8.4} {:8.4}{mark}", self.name, self.by_lines, self.by_setups)
    }
}

/// A way of guessing.
struct Guess {
    name: String,
    in_use: bool,
    probabilities: Places,
}

impl Guess {
    fn plain(name: &str, table: &Table) -> Guess {
        Guess { name: name.to_owned(), in_use: false, probabilities: spread(table) }
    }
}

/// How many times [`check`] calls `tick`.
pub const TICKS: u64 = FOLDS * (FOLD_ROUNDS as u64 + 1);

/// Fits to four fifths of the setups and guesses the others, five times; setups and their mirror images are kept
/// together.
///
/// # Errors
/// If a fit fails.
pub fn check(groups: &[Group], tick: impl Fn()) -> anyhow::Result<Vec<Figure>> {
    let mut figures: Vec<Figure> = Vec::new();
    let (mut lines, mut setups) = (0.0, 0.0);
    for fold in 0..FOLDS {
        let guesses = guesses(groups.iter().filter(|group| group.fold() != fold), &tick)?;
        if figures.is_empty() {
            figures = guesses.iter().map(blank).collect();
        }
        for group in groups.iter().filter(|group| group.fold() == fold) {
            lines += f64::from(group.lines);
            setups += 1.0;
            for (figure, guess) in figures.iter_mut().zip(&guesses) {
                let nats = surprise(&guess.probabilities, &group.ranks);
                figure.by_lines += f64::from(group.lines) * nats;
                figure.by_setups += nats;
            }
        }
        tick();
    }
    for figure in &mut figures {
        figure.by_lines /= lines;
        figure.by_setups /= setups;
    }
    Ok(figures)
}

fn blank(guess: &Guess) -> Figure {
    Figure { name: guess.name.clone(), in_use: guess.in_use, by_lines: 0.0, by_setups: 0.0 }
}

/// Every way of guessing, fitted to `groups`.
fn guesses<'a>(groups: impl Iterator<Item = &'a Group>, tick: impl Fn()) -> anyhow::Result<Vec<Guess>> {
    let table = observed(groups);
    let prior = rounded(&fit(&table, FOLD_ROUNDS, tick)?)?;
    let mut guesses = vec![
        Guess::plain("counts only", &[shares(); 20]),
        Guess::plain("shares by square", &table),
        Guess::plain("joint model, exact", &marginals(&unrounded(&prior))?),
    ];
    let in_use = |share: f32| share.to_bits() == count_share().to_bits();
    let shares = COUNT_SHARES.into_iter().filter(|&share| !in_use(share)).chain([count_share()]);
    for share in shares {
        let name = format!("joint model as printed, {:.0}% plain counts", share * 100.0);
        let probabilities = printed(&engine(&prior, share)?);
        guesses.push(Guess { name, in_use: in_use(share), probabilities });
    }
    Ok(guesses)
}

/// The engine's chances as it prints them: in parts per million.
fn printed(pieces: &[RankProbabilities]) -> Places {
    let mut places = [[0.0; _]; PLACES];
    for (place, probabilities) in places.iter_mut().zip(pieces) {
        *place = *parts_per_million(probabilities).map(|parts| f64::from(parts) / 1e6).as_array();
    }
    places
}
