//! The subcommand.

use super::{Look, PolicyWeights, Turn, turns};
use crate::options::{Form, Games};
use crate::reading::each;
use anyhow::Context;
use clap::Args;
use outflank::engine::set_parameters;
use outflank::policy::Network;
use outflank_record::{Record, bounds};
use std::fs;
use std::path::{Path, PathBuf};

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    /// A network whose preferences are weighed; may be repeated. Without any, the engine's own policy
    #[arg(long, value_name = "FILE")]
    net: Vec<PathBuf>,
    /// Nodes of each search, shared among all actions
    #[arg(long, default_value_t = 6000, value_parser = bounds::nodes)]
    nodes: u64,
    /// Look at one in so many turns
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Seeds the order of the turns while fitting
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    form: Form,
}

/// Measures how well the search and policies predict what players did, and prints the answer.
///
/// # Errors
/// If games or networks cannot be read, a game not be replayed, or `OUTFLANK_PARAMS` names what cannot be set.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { games, net, nodes, every, seed, form } = arguments;
    set_parameters(&std::env::var("OUTFLANK_PARAMS").unwrap_or_default())?;
    let networks = net.iter().map(|path| network(path)).collect::<anyhow::Result<Vec<Network>>>()?;
    let look = Look { every: *every, nodes: *nodes, networks: &networks };
    let mut found = Vec::<Turn>::new();
    let each_record = |record: &Record| turns(record, look, |name| games.wants(name)).map(Some);
    each(games, each_record, |game| found.extend(game.made))?;
    form.print(&PolicyWeights::of(&found, *seed))
}

fn network(path: &Path) -> anyhow::Result<Network> {
    let name = || path.display().to_string();
    Network::read(&fs::read(path).with_context(name)?).with_context(name)
}
