//! Teaches a sparse network to play by games against itself.

use clap::Parser;
use outflank_learn::command::{Command, run};
use outflank_record::console::exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit(env!("CARGO_PKG_NAME"), run(&Command::parse()))
}
