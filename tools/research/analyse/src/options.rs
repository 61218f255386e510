//! What several subcommands are given alike.

use clap::Args;
use outflank::belief::Likelihood;
use outflank_record::console::print;
use outflank_record::{bounds, ensure_free, write_out};
use serde::Serialize;
use std::fmt::Display;
use std::path::PathBuf;

/// The games, and whom the figures are about.
#[derive(Clone, Debug, Args)]
pub struct Games {
    /// Records of games, one a line; `-` is standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Look only at the player of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    pub about: Vec<String>,
}

impl Games {
    /// The files as they were named.
    pub fn names(&self) -> Vec<String> {
        self.files.iter().map(|path| path.display().to_string()).collect()
    }

    /// Whether figures are about the player of this name.
    pub fn wants(&self, name: &str) -> bool {
        self.about.is_empty() || self.about.iter().any(|asked| asked == name)
    }
}

/// Which turns are looked at, and how weights are fitted to them.
#[derive(Clone, Debug, Args)]
pub struct Fitting {
    /// Look at one in so many turns
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    pub every: u32,
    /// Fit weights to four of five games, and write them here; without it, the engine's own are measured
    #[arg(long, value_name = "FILE")]
    pub fit: Option<PathBuf>,
    /// Replace a file of weights that is there
    #[arg(long, requires = "fit")]
    pub force: bool,
    /// Passes over the turns while fitting
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub passes: u32,
    /// Seeds the order of the turns while fitting
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// One of so many pairs of games is held out.
const HELD_OUT: u64 = 5;

impl Fitting {
    /// Before the games are read.
    ///
    /// # Errors
    /// If the weights would replace a file, and that is not asked for.
    pub fn check(&self) -> anyhow::Result<()> {
        self.fit.as_ref().map_or(Ok(()), |path| ensure_free(path, self.force))
    }

    /// Writes what was fitted where it is asked for.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn write(&self, weights: impl AsRef<[u8]>) -> anyhow::Result<()> {
        self.fit.as_ref().map_or(Ok(()), |path| write_out(path, weights, self.force))
    }

    /// Whether nothing is fitted to the pair of games of this number.
    pub const fn holds_out(&self, number: u64) -> bool {
        self.fit.is_none() || number.is_multiple_of(HELD_OUT)
    }
}

/// How the answer is written.
#[derive(Copy, Clone, Debug, Args)]
pub struct Form {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Form {
    /// Prints an answer: tables, or one JSON object.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(self, answer: &(impl Serialize + Display)) -> anyhow::Result<()> {
        print(if self.json { serde_json::to_string(answer)? + "\n" } else { answer.to_string() })
    }
}

/// Which belief is measured.
#[derive(Clone, Debug, Args)]
pub struct Weighing {
    /// Measure the belief without this likelihood (as `why` names them); may be repeated
    #[arg(long, value_name = "LIKELIHOOD", value_parser = likelihood)]
    without: Vec<Likelihood>,
    /// Let both players examine each of the enemy's moves first, as before a search of this many nodes; below 800 they
    /// do not
    #[arg(long, value_name = "NODES", default_value_t = 0, value_parser = bounds::nodes_or_none)]
    pub inference_nodes: u64,
}

impl Weighing {
    /// The likelihoods that are left.
    pub fn likelihoods(&self) -> Vec<Likelihood> {
        Likelihood::ALL.into_iter().filter(|likelihood| !self.without.contains(likelihood)).collect()
    }

    /// The names of those that are left out.
    pub fn without(&self) -> Vec<&'static str> {
        self.without.iter().map(|likelihood| likelihood.name()).collect()
    }
}

fn likelihood(name: &str) -> Result<Likelihood, String> {
    let names = || Likelihood::ALL.map(Likelihood::name).join(", ");
    Likelihood::from_name(name).ok_or_else(|| format!("there are {}", names()))
}

/// How intervals are drawn.
#[derive(Copy, Clone, Debug, Args)]
pub struct Resampling {
    /// Resamples of the games for the 95% intervals; 0 for none
    #[arg(long, default_value_t = 1000, value_parser = resamples)]
    pub resamples: usize,
    /// Seed of the resamples
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// The most resamples: each is held in memory, and more make no interval better.
const MOST_RESAMPLES: u64 = 100_000;

fn resamples(text: &str) -> Result<usize, String> {
    bounds::within(text, 0, MOST_RESAMPLES).map(|count| count as usize)
}
