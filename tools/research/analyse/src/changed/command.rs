//! The subcommand.

use super::{Change, SideBySide};
use crate::options::Form;
use anyhow::{Context, ensure};
use clap::Args;
use outflank::rules::Side;
use outflank_arena::contender::Contender;
use outflank_record::open;
use std::path::PathBuf;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Records of games, one a line
    file: PathBuf,
    /// An engine by the words of a match: --engine cmd=./outflank nodes=2000
    #[arg(long, value_name = "WORD", num_args = 1.., required = true)]
    engine: Vec<String>,
    /// The engine beside it
    #[arg(long, value_name = "WORD", num_args = 1.., required = true)]
    beside: Vec<String>,
    /// About so many positions
    #[arg(long, default_value_t = 300)]
    positions: usize,
    /// Games that they are taken from; of every second one Blue's
    #[arg(long, default_value_t = 30)]
    games: usize,
    /// Seeds the choice of positions, and the engines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    form: Form,
}

/// Asks both engines in the same positions, and prints where they choose differently.
///
/// # Errors
/// If the games cannot be read or played, or an engine fails.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let Arguments { file, engine, beside, positions, games, seed, form } = arguments;
    let contenders = [Contender::read(&engine)?, Contender::read(&beside)?];
    let records = open(&file)?.take(games).collect::<anyhow::Result<Vec<_>>>()?;
    let turns: usize = records.iter().map(|record| record.moves.len() / 2).sum();
    ensure!(turns > 0, "{}: nobody has played", file.display());
    let (share, mut engines, mut answers) =
        (positions as f32 / turns as f32, SideBySide::start(&contenders)?, Vec::new());
    for (record, &side) in records.iter().zip(Side::BOTH.iter().cycle()) {
        let place = || format!("game {}", record.game);
        answers.extend(engines.ask(record, side, share, seed).with_context(place)?);
    }
    let names = contenders.map(|contender| contender.name);
    form.print(
        &Change::of(names, &answers).context("no position was looked at; take more games or positions")?,
    )
}
