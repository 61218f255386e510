//! Tells what decided recorded games.

use anyhow::{Context, ensure};
use clap::Parser;
use outflank::rules::Side;
use outflank_record::Record;
use outflank_record::console::{exit, print};
use outflank_report::army::Army;
use outflank_report::game::Game;
use outflank_report::report::{Question, Report};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Games that are read before they are shared out.
const BATCH: usize = 256;

/// What decided recorded games, for each player by name.
///
/// Results and lengths; material lost by kind of event; the fate of the top pieces and how they became known; leads
/// and what became of them; strikes at pieces that never moved.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Records of games, one a line; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Report only on the player of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    about: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run())
}

fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let mut gathered = Gathered { about: arguments.about, ..Gathered::default() };
    for path in &arguments.files {
        gathered.read(path)?;
    }
    gathered.check_names()?;
    let question = Question {
        files: arguments.files.iter().map(|path| path.display().to_string()).collect(),
        games: gathered.games,
        about: gathered.about,
    };
    let report = Report::new(question, &gathered.players);
    let text = if arguments.json { serde_json::to_string(&report)? + "\n" } else { report.to_string() };
    print(text)
}

/// Games as they come in.
#[derive(Default)]
struct Gathered {
    /// Whom the report is about; empty for everybody.
    about: Vec<String>,
    players: BTreeMap<String, Vec<Army>>,
    games: u64,
    names: BTreeSet<String>,
}

impl Gathered {
    fn read(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut records = outflank_record::open(path)?;
        loop {
            let batch: Vec<Record> = records.by_ref().take(BATCH).collect::<anyhow::Result<_>>()?;
            if batch.is_empty() {
                return Ok(());
            }
            self.gather(&batch).with_context(|| path.display().to_string())?;
        }
    }

    /// Counts games in, unless they have no result.
    fn gather(&mut self, batch: &[Record]) -> anyhow::Result<()> {
        let batch: Vec<&Record> = batch.iter().filter(|record| !record.outcome.is_unfinished()).collect();
        let replayed: Vec<anyhow::Result<Game>> = batch.par_iter().map(|record| Game::of(record)).collect();
        for (record, game) in batch.into_iter().zip(replayed) {
            let game = game.with_context(|| format!("game {}", record.game))?;
            self.games += 1;
            for (side, name) in Side::BOTH.into_iter().zip(record.names()) {
                self.names.insert(name.to_owned());
                if self.about.is_empty() || self.about.iter().any(|asked| asked == name) {
                    self.players.entry(name.to_owned()).or_default().push(Army::of(&game, side));
                }
            }
        }
        Ok(())
    }

    fn check_names(&self) -> anyhow::Result<()> {
        let known = || self.names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        for name in &self.about {
            ensure!(self.names.contains(name), "nobody is called {name:?}; there are {}", known());
        }
        Ok(())
    }
}
