//! The commands that improve setups by results, and print the best.

use crate::population::{FixedOpponents, Plan, Population};
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank::rules::Army;
use outflank_arena::contender::Contender;
use outflank_arena::rules::Rules;
use outflank_record::console::print;
use outflank_record::{FileLock, bounds, read_text, write_whole};
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

/// Setups that a population can have: every one is drawn before the first game.
const MOST_SETUPS: u64 = 1_000_000;

/// Reads a number of setups, of which there are so many at least.
fn counted(text: &str, least: u64) -> Result<usize, String> {
    bounds::within(text, least, MOST_SETUPS).map(|count| count as usize)
}

/// How setups are improved.
#[derive(clap::Args)]
pub struct Options {
    /// Where the population goes after each round, the best setup first; if it is there, it goes on
    #[arg(long)]
    out: PathBuf,
    /// What it begins with, a setup a line; drawn as the engine chooses its own, if not given
    #[arg(long)]
    from: Option<PathBuf>,
    /// Setups in the population
    #[arg(long, default_value_t = 2048, value_parser = |text: &str| counted(text, 2))]
    size: usize,
    /// Rounds in all: in each of them every setup plays a game
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    rounds: u64,
    /// The share that gives way after a round, 0 to 0.5
    #[arg(long, default_value_t = 0.05, value_parser = bounds::share)]
    replaced: f64,
    /// Who plays both sides: words of an engine of `outflank-arena match` between commas, as in
    /// player=policy,net=FILE,temperature=0.3
    #[arg(long, value_parser = player)]
    player: Contender,
    /// Fixed opponents: setups outside of the population, for example people's, a setup a line
    #[arg(long)]
    against: Option<PathBuf>,
    /// The share of the population that plays a fixed opponent in a round, 0 to 1
    #[arg(long, default_value_t = 0.5, value_parser = bounds::share)]
    against_share: f64,
    /// Preset and keys, as in "gravon twosquares=3"
    #[arg(long, default_value = "isf")]
    rules: String,
    /// A draw after so many plies, unless the rules tell their own number; 0 for no limit
    #[arg(long, default_value_t = 1200)]
    max_plies: u32,
    /// Seeds everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; one a core unless given
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
}

/// The engine inside this process, unless the words say another.
fn player(text: &str) -> anyhow::Result<Contender> {
    let words = text.split(',').filter(|word| !word.is_empty());
    let words: Vec<String> = ["player=engine"].into_iter().chain(words).map(str::to_owned).collect();
    Contender::read(&words)
}

impl Options {
    /// Plays the rounds that are left.
    ///
    /// # Errors
    /// If the population cannot be read or written, another run works on it, or a game cannot be played.
    pub fn run(&self) -> anyhow::Result<()> {
        let plan = self.plan()?;
        // Another run on the same file would write over these rounds.
        let _lock = FileLock::new(&self.out)?;
        let mut population = self.begin(&plan)?;
        while population.rounds < self.rounds {
            let bar = progress_bar(population.games(&plan.opponents) as u64)?;
            population.round(&plan, || bar.inc(1))?;
            bar.finish_and_clear();
            write_whole(&self.out, population.to_string())?;
            print(format_args!("{}\n", population.figures()))?;
        }
        Ok(())
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let rules = Rules::parse(&self.rules, self.max_plies)?;
        let rules = *rules.same().context("setups are improved for one rule system")?;
        ensure!((0.0..=0.5).contains(&self.replaced), "a share of 0 to 0.5 gives way, not {}", self.replaced);
        let threads = self.threads.map_or_else(|| available_parallelism().map(Into::into), Ok)?;
        let (seed, replaced) = (self.seed, self.replaced);
        let opponents = self.opponents(rules.army())?;
        Ok(Plan { player: self.player.clone(), rules, opponents, seed, replaced, threads })
    }

    fn opponents(&self, army: Army) -> anyhow::Result<FixedOpponents> {
        let Some(path) = &self.against else { return Ok(FixedOpponents::default()) };
        let setups = read_army(path, army)?.rated.into_iter().map(|rated| rated.setup).collect();
        Ok(FixedOpponents { setups, share: self.against_share })
    }

    fn begin(&self, plan: &Plan) -> anyhow::Result<Population> {
        let goes_on = self.out.exists();
        let known = if goes_on { Some(&self.out) } else { self.from.as_ref() };
        let Some(path) = known else { return Ok(Population::drawn(self.size, &plan.rules, self.seed)) };
        // It will be written over, so it has to be ours.
        ensure!(
            !goes_on || read_text(path)?.starts_with("# round "),
            "{}: not written by this command, so it stays as it is; --from begins with it",
            path.display()
        );
        read_army(path, plan.rules.army())
    }
}

/// Which setups are printed.
#[derive(clap::Args)]
pub struct Best {
    /// The population, as `setups` writes it
    population: PathBuf,
    /// How many; at most a fifth of them have the flag on one square or its mirror image
    #[arg(long, default_value_t = 1000, value_parser = |text: &str| counted(text, 1))]
    count: usize,
    /// Passes over setups that have played fewer games
    #[arg(long, default_value_t = 8)]
    games: u32,
}

impl Best {
    /// Prints them, a line each.
    ///
    /// # Errors
    /// If the population cannot be read, or has none.
    pub fn run(&self) -> anyhow::Result<()> {
        let Best { population: path, count, games } = self;
        let population = read_population(path)?;
        let best = population.best(*count, *games);
        ensure!(
            !best.is_empty(),
            "{}: no setup with {games} games and its flag in the first two rows",
            path.display()
        );
        best.iter().try_for_each(|rated| print(format_args!("{}\n", rated.setup)))
    }
}

/// Reads a population of this army.
fn read_army(path: &Path, army: Army) -> anyhow::Result<Population> {
    let population = read_population(path)?;
    ensure!(population.army() == Some(army), "{}: setups of another army than the rules'", path.display());
    Ok(population)
}

fn read_population(path: &Path) -> anyhow::Result<Population> {
    Population::read(&read_text(path)?).with_context(|| path.display().to_string())
}

/// On stderr, and only where that is a terminal.
fn progress_bar(games: u64) -> anyhow::Result<ProgressBar> {
    let style = "{wide_bar} {pos}/{len} games, {per_sec}, {eta} left";
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(style)?);
    bar.tick();
    Ok(bar)
}
