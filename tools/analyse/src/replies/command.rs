//! The subcommand.

use super::{Foretold, Turn, fit, turns};
use crate::options::{Form, Games};
use crate::reading::each;
use clap::Args;
use outflank::replies::Weights;
use outflank_record::write_whole;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

/// One of so many pairs of games is held out.
const HELD_OUT: u64 = 5;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    /// Look at one in so many turns
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Fit weights to four of five games, and write them here; without it, the engine's own are measured
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Passes over the turns while fitting
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: u32,
    /// Seeds the order of the turns while fitting
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    form: Form,
}

/// The answer.
#[derive(Debug, Serialize)]
struct Report {
    /// The games that weights were fitted to; without `--fit`, none.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitted: Option<Foretold>,
    /// The others.
    held_out: Foretold,
}

/// Measures how well what players did is foretold, and fits the weights if asked to.
///
/// # Errors
/// If games cannot be read or replayed, or the weights not written.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, every, fit: out, passes, seed, form } = arguments;
    let (mut fitted, mut held_out) = (Vec::<Turn>::new(), Vec::new());
    each(
        &games,
        |record| turns(record, every, |name| games.wants(name)).map(Some),
        |game| {
            let (_, _, number) = game.unit;
            let is_held_out = out.is_none() || number.is_multiple_of(HELD_OUT);
            if is_held_out { &mut held_out } else { &mut fitted }.extend(game.made);
        },
    )?;
    let weights = match &out {
        None => Weights::embedded().clone(),
        Some(_) => fit(&fitted, passes, seed),
    };
    if let Some(path) = &out {
        write_whole(path, weights.to_bytes())?;
    }
    let of = |turns: &[Turn]| Foretold::of(&weights, &turns.iter().collect::<Vec<_>>());
    form.print(&Report { fitted: out.is_some().then(|| of(&fitted)), held_out: of(&held_out) })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fitted {
            None => self.held_out.fmt(f),
            Some(fitted) => write!(f, "Fitted to\n{fitted}\nHeld out\n{}", self.held_out),
        }
    }
}
