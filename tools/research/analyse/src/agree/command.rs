//! The subcommand.

use super::agreement::{Agreement, Decision};
use super::decisions::{self, Look};
use crate::options::{Form, Games};
use crate::reading::each;
use anyhow::ensure;
use clap::Args;
use outflank_record::bounds;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    games: Games,
    /// Nodes of each search; there are two for every turn that is looked at
    #[arg(long, default_value_t = 1500, value_parser = bounds::nodes)]
    nodes: u64,
    /// The share of the turns without a strike that are looked at
    #[arg(long, default_value_t = 0.03)]
    share: f32,
    /// Seeds the choice of turns
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    form: Form,
}

/// Compares the decisions of the players that were asked for with the engine's, and prints the answer.
///
/// # Errors
/// If games cannot be read or replayed, or nobody could strike.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { games, nodes, share, seed, form } = arguments;
    ensure!(share > 0.0 && share <= 1.0, "--share is more than 0 and at most 1");
    let look = Look { nodes, share, seed };
    let mut decisions = Vec::<Decision>::new();
    each(
        &games,
        |record| decisions::of(record, look, |name| games.wants(name)).map(Some),
        |game| decisions.extend(&game.made),
    )?;
    ensure!(!decisions.is_empty(), "{}: nobody could strike", games.names().join(", "));
    form.print(&Agreement::of(&decisions))
}
