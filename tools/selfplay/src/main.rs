//! Plays Outflank against itself; verifies and sums up the records.

use anyhow::{Context, bail, ensure};
use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_record::bounds;
use outflank_record::console::{complain, exit, print};
use outflank_record::{Duplicates, RecordFile, Tally, open, read_text, write_whole};
use outflank_selfplay::contest::Contest;
use outflank_selfplay::player::Told;
use outflank_selfplay::rules::Rules;
use outflank_selfplay::setups::{Plan, Population};
use outflank_selfplay::shard::Shard;
use outflank_selfplay::stats::Stats;
use outflank_selfplay::worths::{self, Sums, Worth};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Self-play of the engine.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play games and record them
    Play(Box<Play>),
    /// Improve setups by results: a population plays itself, the worst give way to children of the good ones
    Setups(Box<Setups>),
    /// Print the best setups of a population, a line each, for `outflank-prior book`
    Best {
        /// The population, as `setups` writes it
        population: PathBuf,
        /// How many; at most a fifth of them have the flag on one square or its mirror image
        #[arg(long, default_value_t = 1000, value_parser = |text: &str| counted(text, 1))]
        count: usize,
        /// Leave out setups that have played fewer games
        #[arg(long, default_value_t = 8)]
        games: u32,
    },
    /// Measure what kinds of actions are worth beyond what the search sees, by drawing among near-equal actions
    Worths(Worths),
    /// Replay every record through the referee
    Verify {
        /// The records
        file: PathBuf,
    },
    /// Sum records up
    Stats {
        /// The records
        file: PathBuf,
    },
}

/// Setups that a population can have: every one is drawn before the first game.
const MOST_SETUPS: u64 = 1_000_000;

/// Reads a number of setups, of which there are so many at least.
fn counted(text: &str, least: u64) -> Result<usize, String> {
    bounds::within(text, least, MOST_SETUPS).map(|count| count as usize)
}

#[derive(clap::Args)]
struct Play {
    /// How many games; with --pairs, an even number
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
    /// The first player, as in name=new,nodes=2000; also player=random, player=policy,net=FILE,temperature=T,
    /// movetime=MS, level=1 to level=20, setups=book or setups=drawn, rescue=ignore, silent=ignore, hints=ignore,
    /// policy=ignore, and likelihoods of the belief, as in types=ignore
    #[arg(long, default_value = "")]
    a: Told,
    /// The second player
    #[arg(long, default_value = "")]
    b: Told,
    /// Nodes for each action, for players without a limit of their own (1000 if there is no limit at all)
    #[arg(long, value_parser = bounds::nodes)]
    nodes: Option<u64>,
    /// Milliseconds for each action, for players without a limit of their own
    #[arg(long, value_parser = bounds::movetime)]
    movetime: Option<u64>,
    /// Play each pair of setups twice, with colours swapped
    #[arg(long)]
    pairs: bool,
    /// Preset and keys, as in "gravon twosquares=3", or "random": drawn for each game, or pair of games
    #[arg(long, default_value = "isf")]
    rules: String,
    /// Seeds setups and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A draw after this many plies, unless the rules set their own number; 0 for no limit
    #[arg(long, default_value_t = 2000)]
    max_plies: u32,
    /// Where the records go, one game a line
    #[arg(long)]
    out: Option<PathBuf>,
    /// Go on with the file: keep its games and play the others
    #[arg(long, requires = "out")]
    resume: bool,
    /// Play only a share of the games: 2/5 is the second of five
    #[arg(long)]
    shard: Option<Shard>,
    /// Leave times out, so that equal seeds and nodes give equal bytes
    #[arg(long)]
    no_clocks: bool,
}

#[derive(clap::Args)]
struct Setups {
    /// Where the population is written after each round, the best setup first; a file that is there is continued
    #[arg(long)]
    out: PathBuf,
    /// The setups to begin with, one a line; by default drawn as the engine chooses its own
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
    /// Who plays both sides, as in player=policy,net=FILE,temperature=0.3
    #[arg(long)]
    player: Told,
    /// Preset and keys, as in "gravon twosquares=3"
    #[arg(long, default_value = "isf")]
    rules: String,
    /// A draw after this many plies, unless the rules set their own number; 0 for no limit
    #[arg(long, default_value_t = 1200)]
    max_plies: u32,
    /// Seeds everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
}

#[derive(clap::Args)]
struct Worths {
    /// Where the sums are kept; if it is there, more games are added
    #[arg(long)]
    out: PathBuf,
    /// Games in all; if the file has as many, only the table is printed
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    games: u64,
    /// Nodes for each action
    #[arg(long, default_value_t = 300, value_parser = bounds::nodes)]
    nodes: u64,
    /// An action that is worse by this many points of evaluation is drawn e times less often
    #[arg(long, default_value_t = 3.0, value_parser = positive)]
    draw: f32,
    /// How many of the best actions are drawn from
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u16).range(2..=32))]
    lines: u16,
    /// The share of a later surprise that counts for the decision before it
    #[arg(long, default_value_t = 0.9, value_parser = bounds::share32)]
    lambda: f32,
    /// Preset and keys, as in "gravon twosquares=3"
    #[arg(long, default_value = "isf")]
    rules: String,
    /// A draw after this many plies, unless the rules set their own number; 0 for no limit
    #[arg(long, default_value_t = 2000)]
    max_plies: u32,
    /// Seeds everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; by default one for each core
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
    /// Leave features out of the table that made a difference in fewer decisions than this
    #[arg(long, default_value_t = 200.0, value_parser = positive)]
    least: f32,
}

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".to_owned())
}

/// More than anybody plays; a number above it was not meant.
const MOST_GAMES: u64 = 1_000_000_000_000;

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run())
}

fn run() -> anyhow::Result<()> {
    match Arguments::parse().command {
        Command::Play(play) => play.run(),
        Command::Setups(setups) => setups.run(),
        Command::Best { population, count, games } => print_best(&population, count, games),
        Command::Worths(worths) => worths.run(),
        Command::Verify { file } => verify_file(&file),
        Command::Stats { file } => print(sum_up(&file)?),
    }
}

impl Play {
    fn run(self) -> anyhow::Result<()> {
        let (contest, threads) = (self.contest()?, threads(self.threads)?);
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let (mut file, done) = match &self.out {
            None => (None, HashSet::new()),
            Some(path) if self.resume => {
                let (file, done) = contest.resume(shard, path)?;
                (Some(file), done)
            }
            Some(path) => (Some(RecordFile::create(path)?), HashSet::new()),
        };
        let games = contest.left(shard, &HashSet::new());
        let bar = progress_bar(games, games - contest.left(shard, &done))?;
        let mut fresh = Stats::default();
        let played = contest.play_share(shard, threads, &done, |record| {
            if let Some(file) = &mut file {
                file.append(&record)?;
            }
            bar.inc(1);
            fresh.add(&record)
        });
        bar.finish();
        // Where a lock is more than advice, nobody else reads a locked file.
        drop(file);
        let printed = self.out.as_ref().map_or(Ok(fresh), |path| sum_up(path)).and_then(print);
        played.and(printed)
    }

    fn contest(&self) -> anyhow::Result<Contest> {
        let rules = Rules::parse(&self.rules, self.max_plies)?;
        let config = |told: &Told, name| told.clone().config(name, self.nodes, self.movetime);
        let players = [config(&self.a, "a"), config(&self.b, "b")];
        ensure!(players[0].name != players[1].name, "both players are called {}", players[0].name);
        ensure!(!self.pairs || self.games.is_multiple_of(2), "pairs need an even number of games");
        let (games, pairs, seed, clocks) = (self.games, self.pairs, self.seed, !self.no_clocks);
        Ok(Contest { games, pairs, rules, seed, players, clocks })
    }
}

impl Worths {
    fn run(self) -> anyhow::Result<()> {
        let mut sums = match std::fs::read_to_string(&self.out) {
            Ok(text) => Sums::read(&text).with_context(|| self.out.display().to_string())?,
            Err(error) if error.kind() == ErrorKind::NotFound => Sums::default(),
            Err(error) => return Err(error).with_context(|| self.out.display().to_string()),
        };
        let Rules::Same(rules) = Rules::parse(&self.rules, self.max_plies)? else {
            bail!("one rule system, not {}", self.rules)
        };
        let Worths { nodes, draw, lambda, seed, .. } = self;
        let settings = worths::Settings { rules, seed, nodes, draw, lines: self.lines.into(), lambda };
        let threads = self.threads.unwrap_or_else(|| available_parallelism().map_or(1, Into::into));
        let (games, bar) = (sums.games..self.games, progress_bar(self.games, sums.games.min(self.games))?);
        worths::play_all(&settings, games, threads, |game| {
            sums.add(&game);
            bar.inc(1);
            if sums.games.is_multiple_of(KEPT_EVERY) { self.keep(&sums) } else { Ok(()) }
        })?;
        bar.finish_and_clear();
        self.keep(&sums)?;
        print(table(&sums, f64::from(self.least)))
    }

    fn keep(&self, sums: &Sums) -> anyhow::Result<()> {
        write_whole(&self.out, sums.text()?)
    }
}

/// Games after which the sums are written again.
const KEPT_EVERY: u64 = 20;

/// The worths with their errors, the surest first.
fn table(sums: &Sums, least: f64) -> String {
    let mut worths = sums.worths(least);
    let sureness = |worth: &Worth| -(worth.together.0 / worth.together.1).abs();
    worths.sort_by(|one, other| sureness(one).total_cmp(&sureness(other)));
    let (games, decisions) = (sums.games, sums.decisions);
    let mut text = format!(
        "{games} games, {decisions} decisions, advantages of {:.3} points in the mean square\n\
         worth in hundredths of a point      together         alone      seen",
        sums.deviation()
    );
    for Worth { feature, seen, alone, together } in worths {
        let name = feature.to_string();
        let pair = |(worth, error): (f64, f64)| format!("{worth:6.2} ± {error:4.2}");
        let _ = write!(text, "\n{name:<34} {} {} {seen:9.0}", pair(together), pair(alone));
    }
    text
}

impl Setups {
    fn run(self) -> anyhow::Result<()> {
        let rules = Rules::parse(&self.rules, self.max_plies)?.of(self.seed, 0);
        ensure!(!rules.barrage, "setups are improved for the whole army, not for barrage");
        ensure!(
            (0.0..=0.5).contains(&self.replaced),
            "--replaced is a share of 0 to 0.5, not {}",
            self.replaced
        );
        let player = self.player.clone().config("a", None, None);
        let (seed, replaced) = (self.seed, self.replaced);
        let plan = Plan { player, rules, seed, replaced, threads: threads(self.threads)? };
        let mut population = self.begin(&plan)?;
        while population.rounds < self.rounds {
            let bar = progress_bar(population.rated.len() as u64 / 2, 0)?;
            population.round(&plan, || bar.inc(1))?;
            bar.finish_and_clear();
            write_whole(&self.out, population.to_string())?;
            print(format_args!("{}\n", population.figures()))?;
        }
        Ok(())
    }

    fn begin(&self, plan: &Plan) -> anyhow::Result<Population> {
        let known = if self.out.exists() { Some(&self.out) } else { self.from.as_ref() };
        let Some(path) = known else { return Ok(Population::drawn(self.size, &plan.rules, self.seed)) };
        read_population(path)
    }
}

fn read_population(path: &Path) -> anyhow::Result<Population> {
    Population::read(&read_text(path)?).with_context(|| path.display().to_string())
}

fn print_best(path: &Path, count: usize, games: u32) -> anyhow::Result<()> {
    let population = read_population(path)?;
    let best = population.best(count, games);
    ensure!(
        !best.is_empty(),
        "{}: no setup with {games} games and its flag in the first two rows",
        path.display()
    );
    best.iter().try_for_each(|rated| print(format_args!("{}\n", rated.setup)))
}

fn threads(told: Option<usize>) -> anyhow::Result<usize> {
    match told {
        Some(threads) => Ok(threads),
        None => Ok(available_parallelism()?.get()),
    }
}

/// On stderr, and only where that is a terminal.
fn progress_bar(games: u64, done: u64) -> anyhow::Result<ProgressBar> {
    let style = "{wide_bar} {pos}/{len} games, {per_sec}, {eta} left";
    let bar = ProgressBar::new(games).with_style(ProgressStyle::with_template(style)?);
    bar.set_position(done);
    bar.reset_eta();
    bar.tick();
    Ok(bar)
}

fn sum_up(path: &Path) -> anyhow::Result<Stats> {
    let (mut stats, mut duplicates) = (Stats::default(), Duplicates::default());
    for record in open(path)? {
        let record = record?;
        duplicates.add(&record);
        stats.add(&record)?;
    }
    duplicates.check().with_context(|| path.display().to_string())?;
    Ok(stats)
}

fn verify_file(path: &Path) -> anyhow::Result<()> {
    let tally = Tally::of(open(path)?, |game, error| complain(format_args!("game {game}: {error:#}")))?;
    print(format_args!("{tally}\n"))?;
    tally.check()
}
