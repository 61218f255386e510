//! `outflank bench`: the command of the protocol, from the command line.

use anyhow::bail;
use outflank::protocol::{is_command, print};
use std::io::Cursor;

const USAGE: &str = "usage: outflank bench [<nodes>] [--threads <n>]";

/// Runs the bench that the words ask for.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    if let ["--help" | "-h"] = words {
        return Ok(print(USAGE)?);
    }
    let line = format!("bench {}", words.join(" ").replace("--threads", "threads"));
    if !is_command(&line) {
        bail!("{USAGE}");
    }
    crate::talk(Box::new(Cursor::new(line + "\n")))
}
