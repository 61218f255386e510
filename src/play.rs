//! `outflank play`: hands over to `outflank-play`, the program that people play against.
//!
//! That is a tool of its own, so that the engine needs no library for terminals.

use anyhow::{Context, bail};
use std::env::{self, consts::EXE_SUFFIX};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{self, Command};

const PROGRAM: &str = "outflank-play";

/// Starts the program beside this one, or the one on `PATH`, and ends as it ends.
pub(crate) fn run(arguments: &[String]) -> anyhow::Result<()> {
    match Command::new(program()).args(arguments).status() {
        Ok(status) => process::exit(status.code().unwrap_or(1)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            bail!("{PROGRAM} is not installed; in the source: cargo run --release -p {PROGRAM}")
        }
        Err(error) => Err(error).context(PROGRAM),
    }
}

fn program() -> PathBuf {
    let name = format!("{PROGRAM}{EXE_SUFFIX}");
    let beside = env::current_exe().ok().map(|own| own.with_file_name(&name));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| name.into())
}
