//! An engine for tests of the arena: Outflank's own conversation, without the engine's program.

use outflank::protocol::{Settings, converse};
use std::io::{self, BufReader};

fn main() -> io::Result<()> {
    converse(Box::new(BufReader::new(io::stdin())), Box::new(io::stdout()), Settings::default())
}
