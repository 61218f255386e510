//! The command line.

use crate::adam::Stride;
use crate::curve;
use crate::examples::Examples;
use crate::foretell::foretell;
use crate::games::{Source, Traces};
use crate::parameters::Layout;
use crate::setups::Starts;
use crate::state::{Kept, Learned};
use crate::train::{Judge, Plan, Run};
use crate::update::Learning;
use anyhow::{Context, bail};
use clap::{Args, Parser};
use outflank::rng::Rng;
use outflank::rules::Ruleset;
use outflank::sparse::{self, Shape};
use outflank_record::console::print;
use outflank_record::{FileLock, parse_rules, write_out};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Teaches a sparse network to play Stratego by games against itself.
#[derive(Parser)]
#[command(version)]
pub enum Command {
    /// Learns, and goes on where it was stopped
    ///
    /// The folder keeps the run: `state.bin`, a table of what it tells of itself, `latest.net` (the averaged network, which
    /// plays best) and earlier networks. On SIGTERM it keeps all of that and ends.
    Train(Box<TrainArguments>),
    /// Writes the averaged network of a run in integers
    Export {
        /// `state.bin` of a run.
        file: PathBuf,
        /// Where to.
        #[arg(long)]
        out: PathBuf,
        /// Rows in eight bits a weight instead of sixteen: the file is half as large.
        #[arg(long)]
        coarse: bool,
        /// Replaces a file that is there.
        #[arg(long)]
        force: bool,
    },
    /// Tells how well a network foretells recorded games: what was played, and who won
    Foretell {
        /// A network, or `state.bin` of a run.
        file: PathBuf,
        /// Records of games.
        #[arg(required = true)]
        records: Vec<PathBuf>,
    },
    /// Draws how a run went, as a page: points against each judge with their errors, and its vital signs
    Curve {
        /// The folder of the run.
        folder: PathBuf,
        /// Where to.
        #[arg(long)]
        out: PathBuf,
        /// Replaces a file that is there.
        #[arg(long)]
        force: bool,
    },
}

/// How it learns. What stands there by default was found by the prototype and by the tables in `docs/log/learning.md`.
#[derive(Args)]
pub struct TrainArguments {
    /// The folder that keeps the run.
    folder: PathBuf,
    /// What a new run begins with: `state.bin` of another run, or a network.
    #[arg(long)]
    start: Option<PathBuf>,
    /// Width of the first layer of a new run: 192, 256 or 384; at least that of what it begins with.
    #[arg(long, default_value_t = 192)]
    hidden: usize,
    /// Setups that people play, a line each; beside those of the book and drawn ones.
    #[arg(long)]
    setups: Option<PathBuf>,
    /// One set of rules for all games, as in `isf,quiet=200`; otherwise the usual ones in three games of four.
    #[arg(long, value_parser = parse_rules)]
    rules: Option<Ruleset>,
    /// Games in step.
    #[arg(long, default_value_t = 512)]
    games: usize,
    /// Plies of each in an iteration.
    #[arg(long, default_value_t = 128)]
    steps: usize,
    /// Threads; all cores if it is left out.
    #[arg(long)]
    threads: Option<usize>,
    /// Plies after which it ends.
    #[arg(long, default_value_t = u64::MAX)]
    plies: u64,
    /// Decisions of a step.
    #[arg(long, default_value_t = 2048)]
    batch: usize,
    /// Size of a step.
    #[arg(long, default_value_t = 9e-4)]
    rate: f32,
    /// Weight of the pull towards the magnet.
    #[arg(long, default_value_t = 0.2)]
    magnet: f32,
    /// Weight of entropy.
    #[arg(long, default_value_t = 0.03)]
    entropy: f32,
    /// How far back advantages are passed on, 0 to 1.
    #[arg(long, default_value_t = 0.95)]
    policy_trace: f32,
    /// How far back the value's targets are.
    #[arg(long, default_value_t = 0.9)]
    value_trace: f32,
    /// How much what is left of both armies counts at the end of a game, as a share: the rest is who has won.
    #[arg(long, default_value_t = 0.6)]
    material: f32,
    /// Share of the decisions that the policy learns from: those with the largest advantages.
    #[arg(long, default_value_t = 0.25)]
    policy_share: f32,
    /// Share that the value learns from.
    #[arg(long, default_value_t = 0.25)]
    value_share: f32,
    /// Plies over which the magnet is an average; `inf`, if it is to stay what the run begins with.
    #[arg(long, default_value_t = 3e6)]
    magnet_plies: f64,
    /// Plies over which the network that is written is one.
    #[arg(long, default_value_t = 1e6)]
    average_plies: f64,
    /// Share of the games in which one side is an earlier network.
    #[arg(long, default_value_t = 0.0)]
    past: f32,
    /// Records of games of stronger players, whose actions are to be foretold.
    #[arg(long)]
    examples: Vec<PathBuf>,
    /// Share of the games in step that are such.
    #[arg(long, default_value_t = 0.2)]
    example_share: f32,
    /// Weight of the surprise at their actions.
    #[arg(long, default_value_t = 1.0)]
    example_weight: f32,
    /// What is added to the root of a slope's mean square in a step of Adam.
    #[arg(long, default_value_t = 1e-5)]
    epsilon: f32,
    /// By which share of itself, times the rate, a weight shrinks in a step.
    #[arg(long, default_value_t = 0.1)]
    weight_decay: f32,
    /// The rate of the first layer's rows, as a share of that of all others.
    #[arg(long, default_value_t = 0.5)]
    rows_rate: f32,
    /// Entropy in nats below which the run ends.
    #[arg(long, default_value_t = 0.2)]
    least_entropy: f64,
    /// Where everything follows from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A line for the shell that judges the averaged network, `$OUTFLANK_NET`, beside the run.
    #[arg(long)]
    judge: Option<String>,
    /// Plies from one judgement to the next.
    #[arg(long, default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    judge_every: u64,
}

impl TrainArguments {
    fn plan(&self) -> Plan {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Plan {
            games: self.games.max(1),
            steps: self.steps.max(2),
            threads: self.threads.unwrap_or_else(cores).max(1),
            traces: Traces { policy: self.policy_trace, value: self.value_trace },
            material: self.material,
            learning: Learning {
                stride: Stride {
                    rate: self.rate,
                    epsilon: self.epsilon,
                    weight_decay: self.weight_decay,
                    rows: self.rows_rate,
                },
                batch: self.batch.max(1),
                magnet: self.magnet,
                entropy: self.entropy,
                policy_share: self.policy_share,
                value_share: self.value_share,
                example: self.example_weight,
            },
            magnet_plies: self.magnet_plies,
            average_plies: self.average_plies,
            most_plies: self.plies,
            seed: self.seed,
            least_entropy: self.least_entropy,
            judge: self.judge.clone().map(|command| Judge { command, every: self.judge_every }),
        }
    }
}

/// Runs a command.
///
/// # Errors
/// If a file cannot be read or written.
pub fn run(command: &Command) -> anyhow::Result<()> {
    match command {
        Command::Train(arguments) => train(arguments),
        Command::Export { file, out, coarse, force } => {
            let Kept { layout, learned, .. } = read(file)?;
            let network = layout.rounded(&learned.average)?;
            let network = if *coarse { network.coarse() } else { network };
            write_out(out, network.to_bytes(), *force)
        }
        Command::Foretell { file, records } => {
            let Kept { layout, learned, .. } = read(file)?;
            print(foretell(&layout.rounded(&learned.average)?, &Examples::open(records)?)?)
        }
        Command::Curve { folder, out, force } => write_out(out, curve::page(folder)?, *force),
    }
}

fn train(arguments: &TrainArguments) -> anyhow::Result<()> {
    let plan = arguments.plan();
    let mut rng = Rng::new(plan.seed);
    let starts = Starts::new(arguments.rules, arguments.setups.as_deref(), &mut rng)?;
    fs::create_dir_all(&arguments.folder).with_context(|| format!("{}", arguments.folder.display()))?;
    let kept = arguments.folder.join("state.bin");
    let _lock = FileLock::new(&kept)?;
    let kept = if kept.exists() { read(&kept)? } else { begin(arguments, &mut rng)? };
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGTERM, signal_hook::consts::SIGINT] {
        signal_hook::flag::register(signal, stop.clone())?;
    }
    let folder = &arguments.folder;
    let examples = Examples::open(&arguments.examples)?;
    let source = Source {
        starts: &starts,
        examples: &examples,
        example_share: arguments.example_share,
        past_share: arguments.past,
    };
    match kept.layout.shape.hidden {
        192 => Run::<192>::new(folder, kept, &source, &plan)?.learn(&source, &plan, &stop),
        256 => Run::<256>::new(folder, kept, &source, &plan)?.learn(&source, &plan, &stop),
        384 => Run::<384>::new(folder, kept, &source, &plan)?.learn(&source, &plan, &stop),
        other => bail!("the first layer is 192, 256 or 384 wide, not {other}"),
    }
}

/// A run's state, or the weights of a network.
fn read(path: &Path) -> anyhow::Result<Kept> {
    let bytes = fs::read(path).with_context(|| format!("{}", path.display()))?;
    if let Ok(network) = sparse::Network::read(&bytes) {
        let layout = Layout::new(network.shape());
        let weights = layout.unrounded(&network);
        return Ok(new(layout, weights, 0));
    }
    Learned::read(&bytes).with_context(|| format!("{}", path.display()))
}

/// What a new run begins with. It knows all features; those that what it begins with does not know begin at 0.
fn begin(arguments: &TrainArguments, rng: &mut Rng) -> anyhow::Result<Kept> {
    let Some(start) = &arguments.start else {
        let layout = Layout::new(Shape::full(arguments.hidden));
        let weights = layout.first_weights(rng);
        return Ok(new(layout, weights, 0));
    };
    let Kept { layout: smaller, mut learned, .. } = read(start)?;
    if learned.adam.steps > 0 {
        let [second, read] = smaller.revive(&mut learned.average, &learned.adam.square, rng);
        println!("{second} dead units of the second layer begin again, {read} of the actions");
    }
    let hidden = arguments.hidden.max(smaller.shape.hidden);
    let layout = Layout::new(Shape::full(hidden));
    let mut weights = layout.first_weights(rng);
    layout.take_over(&mut weights, &smaller, &learned.average);
    Ok(new(layout, weights, learned.plies))
}

/// A run that begins with these weights.
fn new(layout: Layout, weights: Vec<f32>, plies: u64) -> Kept {
    Kept { layout, learned: Learned::new(weights, plies), games: String::new() }
}
