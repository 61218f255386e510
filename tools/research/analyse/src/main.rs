//! Measures recorded games: the belief, what decided them, and decisions.

use clap::Parser;
use outflank::engine::set_parameters;
use outflank_analyse::{agree, belief, changed, reasons, report};
use outflank_record::console::exit;
use std::process::ExitCode;

/// What there is to learn from recorded games
///
/// Built with the feature `tune`, it takes numbers from the environment variable `OUTFLANK_PARAMS`.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// How good the belief is against the truth, beside counts and squares alone
    ///
    /// Both players' views are replayed; every few plies the belief about the enemy's hidden pieces is compared with
    /// the truth. Fails if a true rank was ever held impossible.
    Belief(belief::command::Arguments),
    /// What decided the games, for each player by name
    ///
    /// Results and lengths; material lost by kind of event; the fate of the top pieces and how they became known; leads
    /// and what became of them; expected scores and what they brought.
    Report(report::command::Arguments),
    /// How often players struck where they could, and how often the engine would have
    Agree(agree::command::Arguments),
    /// In which positions of recorded games two engines choose differently, and what they choose there
    ///
    /// Each sees the games as they were played. What changes fewer than a tenth of the actions shows in no match of 200
    /// games.
    Changed(changed::command::Arguments),
    /// How far the words that `why` has for the learned policy tell what it likes, and weights fitted to that
    ///
    /// With `--fit`, four of five games are fitted to, and the others are held out.
    Reasons(reasons::command::Arguments),
}

fn run(command: Command) -> anyhow::Result<()> {
    set_parameters(&std::env::var("OUTFLANK_PARAMS").unwrap_or_default())?;
    match command {
        Command::Belief(arguments) => belief::command::run(arguments),
        Command::Report(arguments) => report::command::run(arguments),
        Command::Agree(arguments) => agree::command::run(arguments),
        Command::Changed(arguments) => changed::command::run(arguments),
        Command::Reasons(arguments) => reasons::command::run(arguments),
    }
}

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run(Command::parse()))
}
