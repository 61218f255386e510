//! `outflank bench`: the command of the protocol, from the command line.

use anyhow::bail;
use outflank::protocol::print;
use std::io::Cursor;

const USAGE: &str = "usage: outflank bench [<nodes>] [--threads <1 to 256>]";

/// Runs the bench that the words ask for.
pub(crate) fn run(words: &[&str]) -> anyhow::Result<()> {
    let (nodes, threads) = match words {
        ["--help" | "-h"] => return Ok(print(USAGE)?),
        [] => ("", "1"),
        ["--threads", threads] => ("", *threads),
        [nodes] => (*nodes, "1"),
        [nodes, "--threads", threads] => (*nodes, *threads),
        _ => bail!("{USAGE}"),
    };
    let read = |text: &str| text.parse::<u64>().is_ok();
    let counted = threads.parse::<u64>().is_ok_and(|threads| (1..=256).contains(&threads));
    if !(nodes.is_empty() || read(nodes)) || !counted {
        bail!("{USAGE}");
    }
    crate::talk(Box::new(Cursor::new(format!("bench {nodes} threads {threads}\n"))))
}
