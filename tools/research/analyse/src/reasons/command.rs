//! The subcommand.

use super::{Fidelity, choices};
use crate::options::{Fitting, Form, Games};
use crate::reading::each;
use crate::softmax::{self, Choice};
use clap::Args;
use outflank::policy::linear::Feature;
use outflank::policy::reasons::weights;
use outflank_record::Record;
use serde::Serialize;
use std::fmt;

/// Features that are printed, at either end.
const TOLD: usize = 8;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    fitting: Fitting,
    #[command(flatten)]
    form: Form,
}

/// The answer.
#[derive(Debug, Serialize)]
struct Report {
    /// The games that weights were fitted to; without `--fit`, none.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitted: Option<Fidelity>,
    /// The others.
    held_out: Fidelity,
    /// Each feature and its weight in nats, the greatest first.
    weights: Vec<(String, f32)>,
}

/// Measures how well words tell what the policy likes, and fits the weights if asked to.
///
/// # Errors
/// If games cannot be read or replayed, or the weights not written.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, fitting, form } = arguments;
    fitting.check()?;
    let (mut fitted, mut held_out) = (Vec::<Choice>::new(), Vec::new());
    let look = |record: &Record| Ok(Some(choices(record, fitting.every, |name| games.wants(name))?));
    each(&games, look, |game| {
        let (_, _, number) = game.unit;
        if fitting.holds_out(number) { &mut held_out } else { &mut fitted }.extend(game.made);
    })?;
    let weights = match &fitting.fit {
        None => weights().to_vec(),
        Some(_) => softmax::fit(fitted.iter(), Feature::COUNT, fitting.passes, fitting.seed),
    };
    fitting.write(weights.iter().flat_map(|weight| weight.to_le_bytes()).collect::<Vec<u8>>())?;
    form.print(&Report {
        fitted: fitting.fit.is_some().then(|| Fidelity::of(&weights, &fitted)),
        held_out: Fidelity::of(&weights, &held_out),
        weights: sorted(&weights),
    })
}

fn sorted(weights: &[f32]) -> Vec<(String, f32)> {
    let mut named: Vec<(String, f32)> =
        Feature::all().map(|feature| (feature.to_string(), weights[feature.index()])).collect();
    named.sort_by(|one, other| other.1.total_cmp(&one.1));
    named
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fitted {
            None => self.held_out.fmt(f)?,
            Some(fitted) => write!(f, "Fitted to\n{fitted}\nHeld out\n{}", self.held_out)?,
        }
        writeln!(f, "\nWhat it likes most and least, in nats")?;
        let mut ends = self.weights.iter().take(TOLD).chain(self.weights.iter().rev().take(TOLD).rev());
        ends.try_for_each(|(name, weight)| writeln!(f, "{weight:+6.2}  {name}"))
    }
}
