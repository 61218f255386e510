//! A scripted player that speaks SEI 1.

use anyhow::Context;
use clap::Parser;
use outflank::engine::random_seed;
use outflank::protocol::{ConversationSettings, converse};
use outflank_record::console::{exit, print};
use outflank_styles::{STYLES, find};
use std::io::{self, BufReader};
use std::process::ExitCode;

/// A scripted Stratego player of one style, behind SEI 1 on stdin and stdout.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The style; `list` names them all
    style: String,
    /// Seeds every choice until the host sets a seed; random by default
    #[arg(long)]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    exit("outflank-style", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let names = STYLES.map(|style| style.name);
    if arguments.style == "list" {
        return print(format_args!("{}\n", names.join("\n")));
    }
    let style = find(&arguments.style).with_context(|| {
        format!("no style is called {:?}; there are {}", arguments.style, names.join(", "))
    })?;
    let seed = arguments.seed.unwrap_or_else(random_seed);
    let settings = ConversationSettings { seed, stand_in: Some(style), ..ConversationSettings::default() };
    Ok(converse(Box::new(BufReader::new(io::stdin())), Box::new(io::stdout()), settings)?)
}
