//! The program: questions, answers and a game on standard input and output.

use clap::Parser;
use outflank::engine::random_seed;
use outflank::protocol::Style;
use outflank::rules::{Ruleset, Side};
use outflank::search::{Budget, Level};
use outflank_play::input::{Input, Piped, Prompted};
use outflank_play::interrupt::Interrupts;
use outflank_play::keeper::Keeper;
use outflank_play::session::{FirstSetup, Options, Session, read_level, read_side, typed};
use outflank_play::width;
use outflank_record::bounds;
use outflank_record::console::exit;
use outflank_record::parse_rules;
use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// A game of Stratego against Outflank. What is not given here is asked for.
#[derive(Parser)]
#[command(name = "outflank-play", version)]
struct Arguments {
    /// The rules: a preset and keys, as in "isf barrage=on"
    #[arg(long, value_parser = |text: &str| parse_rules(text).map_err(|error| format!("{error:#}")))]
    rules: Option<Ruleset>,
    /// Your colour
    #[arg(long, value_parser = read_side)]
    side: Option<Side>,
    /// The engine's level, 1 to 20
    #[arg(long, value_parser = read_level)]
    level: Option<Level>,
    /// Your setup in the first game: auto, or 40 letters
    #[arg(long)]
    setup: Option<String>,
    /// How long the engine thinks about a move
    #[arg(long, value_name = "MS", default_value_t = 1000, value_parser = bounds::movetime)]
    movetime: u64,
    /// How many nodes it searches at most, instead of a time
    #[arg(long, value_name = "N", conflicts_with = "movetime", value_parser = bounds::nodes)]
    nodes: Option<u64>,
    /// Seeds every random choice: with it and --nodes, the same lines lead to the same game
    #[arg(long)]
    seed: Option<u64>,
    /// A saved game to go on with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "side", "level", "setup"])]
    load: Option<PathBuf>,
}

impl Arguments {
    fn options(self) -> anyhow::Result<Options> {
        let setup = match self.setup.as_deref() {
            None => None,
            Some("auto") => Some(FirstSetup::Auto),
            Some(letters) => Some(FirstSetup::Typed(letters.to_owned())),
        };
        if let (Some(FirstSetup::Typed(letters)), Some(rules)) = (&setup, &self.rules) {
            typed(letters, rules).map_err(anyhow::Error::msg)?;
        }
        let budget = match self.nodes {
            Some(_) => Budget { nodes: self.nodes, ..Budget::default() },
            None => Budget { hard: Some(Duration::from_millis(self.movetime)), ..Budget::default() },
        };
        Ok(Options {
            rules: self.rules,
            side: self.side,
            level: self.level,
            setup,
            budget,
            seed: self.seed.unwrap_or_else(random_seed),
            load: self.load,
        })
    }
}

fn main() -> ExitCode {
    exit("outflank-play", run(Arguments::parse()))
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let options = arguments.options()?;
    let (interrupts, keeper) = (Arc::<Interrupts>::default(), Arc::<Keeper>::default());
    let mut input: Box<dyn Input> = if stdin().is_terminal() && stdout().is_terminal() {
        Box::new(Prompted::new(Arc::clone(&interrupts)))
    } else {
        Box::new(Piped(stdin().lock()))
    };
    #[cfg(unix)]
    outflank_play::interrupt::listen(Arc::clone(&interrupts), Arc::clone(&keeper))?;
    Session::new(&mut *input, &mut stdout(), Style::of_stdout(), options)
        .with(interrupts, keeper)
        .as_wide_as(width::of_terminal)
        .run()
}
