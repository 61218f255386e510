//! `outflank play`: hands over to `outflank-play`, the program that people play against.
//!
//! That is a tool of its own, so that the engine needs no library for terminals.

use anyhow::{Context, bail};
use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "outflank-play";

/// Starts the program beside this one, or the one on `PATH`, and ends as it ends.
pub(crate) fn run(arguments: &[OsString]) -> anyhow::Result<()> {
    let error = hand_over(Command::new(program()).args(arguments));
    if error.kind() == ErrorKind::NotFound {
        bail!("{PROGRAM} is not installed; in the source: cargo run --release -p {PROGRAM}")
    }
    Err(error).context(PROGRAM)
}

/// Becomes that program: signals and the terminal are then its own. Returns only if it cannot.
#[cfg(unix)]
fn hand_over(command: &mut Command) -> std::io::Error {
    use std::os::unix::process::CommandExt;
    command.exec()
}

/// Runs that program and ends as it ends. Returns only if it cannot.
#[cfg(not(unix))]
fn hand_over(command: &mut Command) -> std::io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}

fn program() -> PathBuf {
    let name = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|own| own.with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}
