//! Hosts matches between engines; merges, replays, shows, verifies and sums up their records.

mod arguments;
mod host;
mod interrupt;
mod merge;
mod panel_run;
mod serve;

use anyhow::{Context, bail, ensure};
use arguments::{Arguments, Command, Shown};
use clap::Parser;
use interrupt::Interrupted;
use outflank::protocol::Style;
use outflank_arena::check;
use outflank_arena::coverage::Coverage;
use outflank_arena::html::command as html;
use outflank_arena::replay::{Place, Replay};
use outflank_arena::standings::Standings;
use outflank_arena::statistics::{Sprt, Verdict};
use outflank_arena::summary::Summary;
use outflank_record::console::{closed, complain, exit, print};
use outflank_record::{Duplicates, Tally, open};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let command = Arguments::parse().command;
    let judges = matches!(command, Command::Check(_));
    let done = run(command);
    // An engine that was not checked to the end because nobody looked has not passed.
    let unjudged = done.as_ref().is_err_and(|error| judges && closed(error));
    let interrupted = done.as_ref().err().and_then(|error| error.downcast_ref::<Interrupted>().copied());
    match (exit("outflank-arena", done), interrupted) {
        (_, Some(interrupted)) => ExitCode::from(interrupted.status()),
        (_, None) if unjudged => ExitCode::FAILURE,
        (status, None) => status,
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Match(options) => host::run(&options),
        Command::Gauntlet(options) => host::run_gauntlet(&options),
        Command::Panel(options) => panel_run::run(&options),
        Command::Luck(options) => panel_run::fit_luck(&options),
        Command::Check(options) => check::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Replay(shown) => run_replay(&shown),
        Command::Html(options) => html::run(&options),
        Command::Verify { file } => {
            let wrong = |game, error: &_| complain(format_args!("game {game}: {error:#}"));
            let tally = Tally::of(open(&file)?, wrong)?;
            print(format_args!("{tally}\n"))?;
            tally.check()
        }
        Command::Stats { file, sprt } => run_stats(&file, sprt.test()?),
    }
}

fn run_stats(path: &Path, test: Option<Sprt>) -> anyhow::Result<()> {
    let tested = test.is_some();
    let (mut standings, mut summary) = (Standings::new([], test), Summary::default());
    let (mut duplicates, mut coverage) = (Duplicates::default(), Coverage::default());
    // By their numbers: files are written as games end.
    let mut records = open(path)?.collect::<anyhow::Result<Vec<_>>>()?;
    records.sort_by_key(|record| record.game);
    for record in &records {
        duplicates.add(record);
        let place = || format!("{}: game {}", path.display(), record.game);
        standings.add(record).with_context(place)?;
        summary.add(record).with_context(place)?;
        if tested {
            coverage.add(record)?;
        }
    }
    duplicates.check().with_context(|| path.display().to_string())?;
    ensure!(!tested || standings.engines() <= 2, "an SPRT is between two engines");
    print(format_args!("{standings}\n{summary}"))?;
    match coverage.missing().filter(|_| standings.verdict() == Some(Verdict::Open)) {
        None => Ok(()),
        Some(missing) => bail!("a shard cannot decide a test, nor can a match with gaps; missing: {missing}"),
    }
}

fn run_replay(shown: &Shown) -> anyhow::Result<()> {
    let record = html::find_game(&shown.file, shown.game)?;
    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let replay = Replay::of(record, Style { colour })?;
    let place = Place { ply: shown.ply.unwrap_or(0), eyes: shown.side.into() };
    replay.walk(place, io::stdin().lock(), io::stdout().lock())
}
