//! The subcommand.

use super::{Settings, Sums, Worth, play_all};
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use outflank::rules::Ruleset;
use outflank_record::bounds::{self, MOST_GAMES};
use outflank_record::console::print;
use outflank_record::{FileLock, parse_rules, write_whole};
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// What is asked.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where the sums are kept; if it is there, more games are added
    #[arg(long)]
    out: PathBuf,
    /// Games in all; with as many as there are, only the table is printed
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(0..=MOST_GAMES))]
    games: u64,
    /// Nodes an action
    #[arg(long, default_value_t = 300, value_parser = bounds::nodes)]
    nodes: u64,
    /// Points of evaluation by which an action is drawn e times less often
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
    /// A draw after so many plies, unless the rules tell their own number; 0 for no limit
    #[arg(long, default_value_t = 2000)]
    max_plies: u32,
    /// Seeds everything
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once; one a core unless given
    #[arg(long, value_parser = bounds::at_once)]
    threads: Option<usize>,
    /// The policy plays along: also measured is what a point of the search and a nat of each network are worth
    #[arg(long)]
    policy: bool,
    /// The table leaves features out that made a difference in fewer decisions
    #[arg(long, default_value_t = 200.0, value_parser = positive)]
    least: f32,
}

/// Games after which the sums are written again.
const KEPT_EVERY: u64 = 20;

fn positive(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "a number above 0 is needed".to_owned())
}

/// Plays the games that the file lacks, keeps their sums, and prints the table.
///
/// # Errors
/// If the file holds other sums or cannot be written, or the engine has a fault.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = arguments.settings()?;
    let mut sums = arguments.known()?;
    if sums.games < arguments.games {
        sums = arguments.play_more(&settings)?;
    }
    print(table(&sums, f64::from(arguments.least)))
}

impl Arguments {
    /// The sums that the file has.
    fn known(&self) -> anyhow::Result<Sums> {
        let name = || self.out.display().to_string();
        match std::fs::read_to_string(&self.out) {
            Ok(text) => Sums::read(&text).with_context(name),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Sums::default()),
            Err(error) => Err(error).with_context(name),
        }
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let rules = parse_rules(&self.rules)?;
        let plies = if rules.plies == 0 { self.max_plies } else { rules.plies };
        let Arguments { nodes, draw, lambda, seed, policy, .. } = *self;
        let rules = Ruleset { plies, ..rules };
        Ok(Settings { rules, seed, nodes, draw, lines: self.lines.into(), lambda, policy })
    }

    /// Plays the games that the file lacks, which no other run adds games to meanwhile.
    fn play_more(&self, settings: &Settings) -> anyhow::Result<Sums> {
        let _lock = FileLock::new(&self.out)?;
        // Another run may have added games before it was locked.
        let mut sums = self.known()?;
        if sums.games >= self.games {
            return Ok(sums);
        }
        sums.take_settings(settings).with_context(|| self.out.display().to_string())?;
        let threads = self.threads.unwrap_or_else(|| available_parallelism().map_or(1, Into::into));
        let bar = progress_bar(self.games, sums.games)?;
        play_all(settings, sums.games..self.games, threads, |game| {
            sums.add(&game);
            bar.inc(1);
            if sums.games.is_multiple_of(KEPT_EVERY) { self.keep(&sums) } else { Ok(()) }
        })?;
        bar.finish_and_clear();
        self.keep(&sums)?;
        Ok(sums)
    }

    fn keep(&self, sums: &Sums) -> anyhow::Result<()> {
        write_whole(&self.out, sums.text()?)
    }
}

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
    for Worth { covariate, seen, alone, together } in worths {
        let name = covariate.to_string();
        let pair = |(worth, error): (f64, f64)| format!("{worth:6.2} ± {error:4.2}");
        let _ = write!(text, "\n{name:<34} {} {} {seen:9.0}", pair(together), pair(alone));
    }
    text
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
