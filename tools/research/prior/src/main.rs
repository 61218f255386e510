//! Fits the belief's tables.

use anyhow::Context;
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use outflank::belief::opponent_types::file::TypesFile;
use outflank::deployment::book::packed;
use outflank::deployment::{Source, choose_from};
use outflank::rng::Rng;
use outflank::rules::Setup;
use outflank_prior::book::{Figures, read_list};
use outflank_prior::contact::Contacts;
use outflank_prior::fit::{ROUNDS, fit, gap, marginals, observed, rounded, source_text, unrounded};
use outflank_prior::flag_and_bombs;
use outflank_prior::improve;
use outflank_prior::opponent_types;
use outflank_prior::revealed;
use outflank_prior::setups::{Group, read};
use outflank_record::bounds;
use outflank_record::console::{complain, exit, print};
use outflank_record::{Record, ensure_free, read_text, write_out};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The tables behind the belief, and the setup book.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Print the start prior fitted to a file of setups, as `crates/engine/src/belief/square_prior.rs` holds it
    Fit(Fit),
    /// Print the rows of the table of bombs beside flags, as `crates/engine/src/belief/flag_and_bombs.rs` holds them
    FlagAndBombs {
        /// Setups of forty letters, one a line, back row first
        setups: PathBuf,
    },
    /// Print how surprised the belief is as the ranks of setups are revealed one by one
    Revealed(Revealed),
    /// Fit tables of behaviour features, one for each type of opponent, to records and pack them, or measure their
    /// worth
    FitTypes(opponent_types::command::Options),
    /// Print what is in a file of opponent types, as `crates/engine/src/belief/opponent_types/opponent.types`
    Types {
        /// The file that `fit-types` made
        file: PathBuf,
    },
    /// Print the table of whom pieces come beside, as the engine's `belief/contact.rs` holds it, fitted to what is believed
    /// without it
    Contact {
        /// Records of games, one a line
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Find setups by results: draw some, play a game with each, fit a model of their value, and again
    Setups(Box<improve::Options>),
    /// Draw setups by what the games of `setups` say, and print them, a line each, for `book`
    Best(improve::Best),
    /// Pack setups as a book of the engine (setups.book and barrage.book in crates/engine/src/deployment), and print
    /// how predictable they are
    Book(Book),
}

/// Reads a number of setups.
fn counted(text: &str) -> Result<usize, String> {
    bounds::within(text, 1, u64::from(u32::MAX)).map(|count| count as usize)
}

#[derive(clap::Args)]
struct Book {
    /// Setups, one a line, as `setups` writes them
    list: PathBuf,
    /// Take only this many, from the first on
    #[arg(long, value_parser = counted)]
    count: Option<usize>,
    /// Where the book goes; by default it is not written
    #[arg(long)]
    out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// Seeds the setups that are drawn for comparison
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(clap::Args)]
struct Fit {
    /// Setups of forty letters, one a line, back row first
    setups: PathBuf,
    /// What the setups are, for the table's source
    #[arg(long, default_value = "human setups collected from gravon.de")]
    source: String,
}

#[derive(clap::Args)]
struct Revealed {
    /// Setups of forty letters, one a line, back row first
    setups: PathBuf,
    /// Only those of this fold, 0 to 4: the one that was held out when the net was trained
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(..5))]
    fold: u64,
    /// At most this many of them, evenly chosen
    #[arg(long, default_value_t = 2000, value_parser = counted)]
    most: usize,
    /// Seed of the order in which ranks are revealed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Revealed {
    fn run(&self) -> anyhow::Result<()> {
        let groups = groups(&self.setups)?;
        let held: Vec<&Group> = groups.iter().filter(|group| group.fold() == self.fold).collect();
        let step = held.len().div_ceil(self.most.max(1)).max(1);
        let held: Vec<&Group> = held.into_iter().step_by(step).collect();
        let bar = progress(held.len() as u64, "{wide_bar} {pos}/{len}, {eta} left")?;
        let figures = revealed::reveal(&held, self.seed, || bar.inc(1))?;
        bar.finish_and_clear();
        print(format_args!("{figures}\n"))
    }
}

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run())
}

fn run() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Fit(options) => options.run(),
        Command::FlagAndBombs { setups } => {
            print(flag_and_bombs::source_text(&flag_and_bombs::patterns(&groups(&setups)?)))
        }
        Command::Revealed(options) => options.run(),
        Command::FitTypes(options) => options.run(&|files, look| each_record(files, look)),
        Command::Types { file } => show_types(&file).with_context(|| file.display().to_string()),
        Command::Contact { files } => {
            let mut contacts = Contacts::default();
            each_record(&files, |record| contacts.add(record))?;
            print(contacts.source_text())
        }
        Command::Setups(options) => options.run(),
        Command::Best(best) => best.run(),
        Command::Book(book) => book.run(),
    }
}

fn show_types(file: &Path) -> anyhow::Result<()> {
    print(opponent_types::listing(TypesFile::read(&std::fs::read(file)?)?))
}

/// Setups looked at for comparison.
const COMPARED: usize = 1000;

impl Book {
    fn run(&self) -> anyhow::Result<()> {
        self.out.as_ref().map_or(Ok(()), |path| ensure_free(path, self.force))?;
        let name = || self.list.display().to_string();
        let (rules, mut setups) = read_list(&read_text(&self.list)?).with_context(name)?;
        setups.truncate(self.count.unwrap_or(usize::MAX).max(1));
        let mut rng = Rng::stream(self.seed, 2);
        let mut draw = |_| choose_from(Source::Drawn, &rules, None, &mut rng);
        let drawn: Vec<Setup> = (0..COMPARED).map(&mut draw).collect();
        print(format_args!("{} setups of the list: {}\n", setups.len(), Figures::of(&rules, &setups)?))?;
        print(format_args!("{COMPARED} drawn: {}\n", Figures::of(&rules, &drawn)?))?;
        let bytes = packed(&setups).context("the setups cannot be packed")?;
        self.out.as_ref().map_or(Ok(()), |path| write_out(path, bytes, self.force))
    }
}

impl Fit {
    fn run(&self) -> anyhow::Result<()> {
        let groups = &groups(&self.setups)?;
        let bar = progress(ROUNDS as u64, "{wide_bar} {pos}/{len} rounds")?;
        let target = observed(groups.iter());
        let prior = rounded(&fit(&target, ROUNDS, || bar.inc(1))?)?;
        bar.finish_and_clear();
        let gap = gap(&marginals(&unrounded(&prior))?, &target);
        complain(format_args!("the model's marginals are within {gap:.6} of the observed shares"));
        print(source_text(&prior, groups, &self.source))
    }
}

fn groups(setups: &Path) -> anyhow::Result<Vec<Group>> {
    read(read_text(setups)?.as_bytes()).with_context(|| setups.display().to_string())
}

/// On stderr, and only where that is a terminal.
fn progress(length: u64, style: &str) -> anyhow::Result<ProgressBar> {
    Ok(ProgressBar::new(length).with_style(ProgressStyle::with_template(style)?))
}

/// Hands every record of the files to `look`.
fn each_record(files: &[PathBuf], mut look: impl FnMut(&Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
    for path in files {
        look_through(path, &mut look).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn look_through(path: &Path, look: &mut impl FnMut(&Record) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let file = File::open(path)?;
    let bar = progress(file.metadata()?.len(), "{wide_bar} {bytes}/{total_bytes}, {eta} left")?;
    for record in outflank_record::read(BufReader::new(bar.wrap_read(file))) {
        let record = record?;
        look(&record).with_context(|| format!("game {}", record.game))?;
    }
    bar.finish_and_clear();
    Ok(())
}
