//! Measures the belief against the truth of recorded games.

use anyhow::{Context, ensure};
use clap::Parser;
use indicatif::{ProgressBar, ProgressStyle};
use outflank::belief::Likelihood;
use outflank::rules::BySide;
use outflank_beliefscore::game::{Plan, Scored};
use outflank_beliefscore::report::{Question, Report};
use outflank_beliefscore::sample::Sample;
use outflank_record::Record;
use outflank_record::bounds;
use outflank_record::console::{exit, print};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Games that are read before they are shared out.
const BATCH: usize = 256;

/// What the belief is worth on recorded games, against counts and squares alone.
///
/// Both players' views are replayed; every few plies the belief about the enemy's hidden pieces is compared with the
/// truth. Fails if a true rank was ever held impossible.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Records of games, one a line
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Plies from one position scored to the next
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Score only what is believed about the pieces of the player of this name; may be repeated
    #[arg(long, value_name = "NAME")]
    about: Vec<String>,
    /// Measure the belief without this likelihood (as `why` names them); may be repeated
    #[arg(long, value_name = "LIKELIHOOD", value_parser = likelihood)]
    without: Vec<Likelihood>,
    /// Let both players think about each of the enemy's moves first, as before a search of so many nodes; with fewer
    /// than 800 they do not
    #[arg(long, value_name = "NODES", default_value_t = 0, value_parser = bounds::nodes_or_none)]
    reflect: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Resamples of the games for the 95% intervals; 0 for none
    #[arg(long, default_value_t = 1000, value_parser = |text: &str| bounds::within(text, 0, MOST_RESAMPLES).map(|count| count as usize))]
    resamples: usize,
    /// Seed of the resamples
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The most resamples: each is held in memory, and more make no interval better.
const MOST_RESAMPLES: u64 = 100_000;

/// Which games belong together: the file, whether they are a pair, and its number or the game's.
type Unit = (usize, bool, u64);

/// Games as they come in, by the unit they belong to: games of one file that share their setups are one.
#[derive(Default)]
struct Gathered {
    units: BTreeMap<Unit, Scored>,
    /// The same by whose armies they are about.
    players: BTreeMap<String, BTreeMap<Unit, Scored>>,
    games: u64,
    names: BTreeSet<String>,
}

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run())
}

fn run() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let likelihoods =
        Likelihood::ALL.into_iter().filter(|likelihood| !arguments.without.contains(likelihood)).collect();
    let plan = Plan {
        every: arguments.every,
        about: arguments.about.clone(),
        likelihoods,
        reflect: arguments.reflect,
    };
    let mut gathered = Gathered::default();
    for (number, path) in arguments.files.iter().enumerate() {
        gathered.read(number, path, &plan).with_context(|| path.display().to_string())?;
    }
    gathered.check_names(&plan.about)?;
    let question = Question {
        files: arguments.files.iter().map(|path| path.display().to_string()).collect(),
        games: gathered.games,
        about: plan.about,
        without: arguments.without.iter().map(|likelihood| likelihood.name()).collect(),
        every: plan.every,
        resamples: arguments.resamples,
        seed: arguments.seed,
    };
    let sample = |units: BTreeMap<Unit, Scored>| {
        let units: Vec<Scored> = units.into_values().collect();
        Sample::new(&units, arguments.resamples, arguments.seed)
    };
    let players: Vec<(String, Sample)> =
        gathered.players.into_iter().map(|(name, units)| (name, sample(units))).collect();
    let report = Report::new(question, &sample(gathered.units), &players);
    let text = if arguments.json { serde_json::to_string(&report)? + "\n" } else { report.to_string() };
    print(text)?;
    report.verify()
}

fn likelihood(name: &str) -> Result<Likelihood, String> {
    let names = || Likelihood::ALL.map(Likelihood::name).join(", ");
    Likelihood::from_name(name).ok_or_else(|| format!("there are {}", names()))
}

impl Gathered {
    fn read(&mut self, number: usize, path: &Path, plan: &Plan) -> anyhow::Result<()> {
        let file = File::open(path)?;
        // On stderr, and only where that is a terminal.
        let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left")?;
        let bar = ProgressBar::new(file.metadata()?.len()).with_style(style);
        let mut records = outflank_record::read(BufReader::new(bar.wrap_read(file)));
        loop {
            let batch: Vec<Record> = records.by_ref().take(BATCH).collect::<anyhow::Result<_>>()?;
            if batch.is_empty() {
                break;
            }
            self.score(number, &batch, plan)?;
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn score(&mut self, number: usize, batch: &[Record], plan: &Plan) -> anyhow::Result<()> {
        let score =
            |record: &Record| Scored::of(record, plan).with_context(|| format!("game {}", record.game));
        let scored: Vec<anyhow::Result<BySide<Option<Scored>>>> = batch.par_iter().map(score).collect();
        for (record, scored) in batch.iter().zip(scored) {
            self.games += 1;
            // A game without a pair is known by its place: numbers may come again where files were joined.
            let unit = record.pair.map_or((number, false, self.games), |pair| (number, true, pair));
            for (player, army) in record.players.values().zip(scored?.into_array()) {
                self.names.insert(player.name.clone());
                if let Some(army) = army {
                    self.units.entry(unit).or_default().merge(&army);
                    self.players
                        .entry(player.name.clone())
                        .or_default()
                        .entry(unit)
                        .or_default()
                        .merge(&army);
                }
            }
        }
        Ok(())
    }

    fn check_names(&self, about: &[String]) -> anyhow::Result<()> {
        let known = || self.names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        for name in about {
            ensure!(self.names.contains(name), "nobody is called {name:?}; there are {}", known());
        }
        Ok(())
    }
}
