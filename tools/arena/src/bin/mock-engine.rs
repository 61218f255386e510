//! An engine for tests of the arena: Outflank's own conversation, without the engine's program.

//!
//! `mock-engine evaluator ...` is the public arena's side of it.

use outflank::protocol::{Settings, converse};
use std::io::{self, BufReader};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((word, rest)) if word == "evaluator" => outflank::evaluator::run(rest),
        _ => {
            Ok(converse(Box::new(BufReader::new(io::stdin())), Box::new(io::stdout()), Settings::default())?)
        }
    }
}
