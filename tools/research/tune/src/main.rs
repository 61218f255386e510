//! Tunes the engine's numbers by matches of the engine against itself.

use anyhow::Context;
use clap::{Args, Parser};
use outflank::rng::Rng;
use outflank_record::bounds;
use outflank_record::command_line::split;
use outflank_record::console::{complain, exit, print};
use outflank_record::write_out;
use outflank_tune::games::Host;
use outflank_tune::log::{Log, Plan, Played};
use outflank_tune::parameter::Parameter;
use outflank_tune::plot::svg;
use outflank_tune::schedule::Schedule;
use outflank_tune::table::table;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Tunes the engine's numbers by matches of the engine against itself (SPSA).
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Play all rounds; a log that was begun is continued
    Run(Run),
    /// Show where a tuning stands
    Show(Show),
}

#[derive(Args)]
struct Run {
    /// The log: the plan, and a line for each round
    #[arg(long)]
    log: PathBuf,
    /// The engine, built with the feature `tune`
    #[arg(long)]
    engine: PathBuf,
    /// The program `outflank-arena`
    #[arg(long)]
    arena: PathBuf,
    /// A number to tune: NAME, or NAME:STEP; a name may end with *; may be repeated
    #[arg(long = "param", value_name = "NAME", required = true)]
    parameters: Vec<String>,
    /// Rounds in all
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    rounds: u64,
    /// By how many of its steps a number moves in the last round for a lead of one point
    #[arg(long, default_value_t = 0.02, value_parser = bounds::share)]
    rate: f64,
    /// Games of a match; an even number
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Words for each engine, as in `outflank-arena match --each`
    #[arg(long, value_name = "WORD", num_args = 1.., default_values_t = ["nodes=2000".to_owned()])]
    each: Vec<String>,
    /// Another player, in the words of `outflank-arena match --engine` but without a name: a share of the rounds is
    /// played against it; may be repeated
    #[arg(long, value_name = "WORDS")]
    opponent: Vec<String>,
    /// That share
    #[arg(long, default_value_t = 0.4, value_parser = bounds::share32)]
    share: f32,
    /// Seeds coins, setups and engines
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Further options of `outflank-arena match`, after --
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Args)]
struct Show {
    /// The log
    log: PathBuf,
    /// Write a picture of the course, too
    #[arg(long)]
    svg: Option<PathBuf>,
    /// Replace a picture that is there
    #[arg(long, requires = "svg")]
    force: bool,
}

fn main() -> ExitCode {
    let done = match Command::parse() {
        Command::Run(arguments) => run(&arguments),
        Command::Show(arguments) => show(&arguments),
    };
    exit(env!("CARGO_PKG_NAME"), done)
}

fn run(arguments: &Run) -> anyhow::Result<()> {
    let parameters = Parameter::choose(&Parameter::of_engine(&arguments.engine)?, &arguments.parameters)?;
    let schedule = Schedule { rounds: arguments.rounds, rate: arguments.rate, seed: arguments.seed };
    let numbers = [format!("games={}", arguments.games), format!("share={}", arguments.share)];
    let games = [&numbers[..], &arguments.each, &arguments.opponent, &arguments.options].concat();
    let host = host(arguments)?;
    let mut log = Log::resume(&arguments.log, Plan { parameters, schedule, games })?;
    let mut values = log.values();
    for number in log.played.len() as u64..arguments.rounds {
        let (begin, plan) = (Instant::now(), &log.plan);
        let round = plan.schedule.round(number, &plan.parameters);
        let [plus, minus] = [1.0, -1.0].map(|direction| round.values(&plan.parameters, &values, direction));
        let opponent = opponent(arguments, number);
        let points = host.play(&plan.parameters, [&plus, &minus], opponent, round.seed)?;
        values = round.moved(&plan.parameters, &values, points.lead);
        let seconds = begin.elapsed().as_secs_f64();
        log.add(Played { round: number, points, seconds, values: values.clone() })?;
        if (number + 1).is_multiple_of(100) {
            complain(table(&log.plan, &log.played));
        }
    }
    print(table(&log.plan, &log.played))
}

fn host(arguments: &Run) -> anyhow::Result<Host> {
    Ok(Host {
        arena: arguments.arena.clone(),
        engine: arguments
            .engine
            .to_str()
            .context("the arena takes engines in paths of UTF-8 only")?
            .to_owned(),
        games: arguments.games,
        each: arguments.each.clone(),
        opponents: arguments.opponent.iter().map(|text| split(text)).collect::<anyhow::Result<_>>()?,
        options: arguments.options.clone(),
    })
}

/// The opponent of a round; none if the two engines play each other.
fn opponent(arguments: &Run, number: u64) -> Option<usize> {
    let mut rng = Rng::stream(!arguments.seed, number);
    let other = !arguments.opponent.is_empty() && rng.unit() < arguments.share;
    other.then(|| rng.below(arguments.opponent.len()))
}

fn show(arguments: &Show) -> anyhow::Result<()> {
    let (plan, played) = Log::open(&arguments.log).with_context(|| arguments.log.display().to_string())?;
    if let Some(path) = &arguments.svg {
        write_out(path, svg(&plan, &played), arguments.force)?;
    }
    print(table(&plan, &played))
}
