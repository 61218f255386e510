//! The subcommand.

use super::{Accuracy, Expected, Turn, expected, fit, turns};
use crate::figures::{percent, share};
use crate::options::{Fitting, Form, Games};
use crate::reading::each;
use clap::Args;
use outflank::engine::set_parameters;
use outflank::replies::Weights;
use outflank_record::Record;
use serde::Serialize;
use std::fmt;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    fitting: Fitting,
    /// Also ask searches to this depth what they expect, after one in 23 actions
    #[arg(long, value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(2..=20))]
    search: Option<u32>,
    #[command(flatten)]
    form: Form,
}

/// The answer.
#[derive(Debug, Serialize)]
struct Report {
    /// The games that weights were fitted to; without `--fit`, none.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitted: Option<Accuracy>,
    /// The others.
    held_out: Accuracy,
    /// Turns of which a search was asked what is answered; without `--search`, none.
    #[serde(skip_serializing_if = "Option::is_none")]
    searched: Option<usize>,
    /// The share of them in which it was right.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
}

/// Measures how well what players did is predicted, and fits the weights if asked to.
///
/// # Errors
/// If games cannot be read or replayed, the weights not written, or `OUTFLANK_PARAMS` names what cannot be set.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, fitting, search, form } = arguments;
    fitting.check()?;
    set_parameters(&std::env::var("OUTFLANK_PARAMS").unwrap_or_default())?;
    let (mut fitted, mut held_out) = (Vec::<Turn>::new(), Vec::new());
    let mut searched = Expected::default();
    let look = |record: &Record| {
        let wants = |name: &str| games.wants(name);
        let expected = search.map(|depth| expected(record, depth, wants)).transpose()?;
        Ok(Some((turns(record, fitting.every, wants)?, expected.unwrap_or_default())))
    };
    each(&games, look, |game| {
        let (_, _, number) = game.unit;
        let (turns, expected) = game.made;
        if fitting.holds_out(number) { &mut held_out } else { &mut fitted }.extend(turns);
        searched.asked += expected.asked;
        searched.right += expected.right;
    })?;
    let weights = match &fitting.fit {
        None => Weights::embedded().clone(),
        Some(_) => fit(&fitted, fitting.passes, fitting.seed),
    };
    fitting.write(weights.to_bytes())?;
    let of = |turns: &[Turn]| Accuracy::of(&weights, &turns.iter().collect::<Vec<_>>());
    form.print(&Report {
        fitted: fitting.fit.is_some().then(|| of(&fitted)),
        held_out: of(&held_out),
        searched: search.is_some().then_some(searched.asked),
        expected: search.and_then(|_| share(searched.right as f64, searched.asked)),
    })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fitted {
            None => self.held_out.fmt(f)?,
            Some(fitted) => write!(f, "Fitted to\n{fitted}\nHeld out\n{}", self.held_out)?,
        }
        if let Some(searched) = self.searched {
            writeln!(f, "\nof {searched} answers, searches expected {}%", percent(self.expected, 1))?;
        }
        Ok(())
    }
}
