//! Hosts matches between engines; merges, replays, verifies and sums up their records.

mod arguments;
mod host;

use anyhow::{Context, ensure};
use arguments::{Arguments, Command, Merge, Shown};
use clap::Parser;
use outflank::protocol::Style;
use outflank_arena::check;
use outflank_arena::replay::{Place, Replay};
use outflank_arena::standings::Standings;
use outflank_arena::summary::Summary;
use outflank_selfplay::contest::append;
use outflank_selfplay::record::{Record, open};
use outflank_selfplay::verify::Tally;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("outflank-arena: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Match(told) => host::run(&told),
        Command::Check(told) => check::run(&told),
        Command::Merge(merge) => run_merge(&merge),
        Command::Replay(shown) => run_replay(&shown),
        Command::Verify { file } => {
            let tally = Tally::of(open(&file)?, |game, error| eprintln!("game {game}: {error:#}"))?;
            println!("{tally}");
            tally.judge()
        }
        Command::Stats { file, sprt } => {
            let (mut standings, mut summary) = (Standings::new([], sprt.test()?), Summary::default());
            for record in sorted(&file)? {
                standings.add(&record)?;
                summary.add(&record)?;
            }
            print!("{standings}\n{summary}");
            Ok(())
        }
    }
}

/// The records of a file by their numbers: files are written as games end.
fn sorted(path: &Path) -> anyhow::Result<Vec<Record>> {
    let mut records = open(path)?.collect::<anyhow::Result<Vec<_>>>()?;
    records.sort_by_key(|record| record.game);
    Ok(records)
}

fn run_merge(merge: &Merge) -> anyhow::Result<()> {
    let mut merged: BTreeMap<u64, Record> = BTreeMap::new();
    let mut first: Option<(u64, String)> = None;
    for path in &merge.files {
        for record in open(path)? {
            let record = record?;
            let of = (record.seed, record.rules.clone());
            let place = || format!("{}: game {}", path.display(), record.game);
            let same = *first.get_or_insert_with(|| of.clone()) == of;
            ensure!(same, "{} has another seed or other rules than the first", place());
            let twice = merged.get(&record.game).is_some_and(|other| *other != record);
            ensure!(!twice, "{} is there twice, and differs", place());
            merged.insert(record.game, record);
        }
    }
    let mut file = File::create_new(&merge.out)
        .with_context(|| format!("{} is not overwritten", merge.out.display()))?;
    let mut standings = Standings::default();
    for record in merged.values() {
        append(&mut file, record)?;
        standings.add(record)?;
    }
    print!("{standings}");
    Ok(())
}

fn run_replay(shown: &Shown) -> anyhow::Result<()> {
    let mut numbers: Option<(u64, u64)> = None;
    let mut found = None;
    for record in open(&shown.file)? {
        let record = record?;
        let (least, most) = numbers.unwrap_or((record.game, record.game));
        numbers = Some((least.min(record.game), most.max(record.game)));
        if shown.game.is_none_or(|number| record.game == number) {
            found = Some(record);
            break;
        }
    }
    let record = found.with_context(|| match numbers {
        Some((least, most)) => format!("no such game; there are {least} to {most}"),
        None => format!("{} has no games", shown.file.display()),
    })?;
    let colour = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
    let replay = Replay::of(record, Style { colour })?;
    let place = Place { ply: shown.ply.unwrap_or(0), eyes: shown.side.into() };
    replay.walk(place, io::stdin().lock(), io::stdout().lock())
}
