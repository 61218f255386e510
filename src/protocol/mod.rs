//! SEI 1, the line protocol. `protocol.md` is its text; this module speaks it.

mod ask;
mod bench;
mod board;
mod code;
mod command;
mod draw;
mod driver;
mod errand;
mod error;
mod game;
mod heat;
mod help;
mod input;
mod job;
mod options;
mod output;
mod parse;
mod perft;
mod reply;
mod score;
mod session;
mod suspect;
mod why;
mod wire;

pub use code::Code;
pub use command::Keyword;
pub use draw::Style;
pub use driver::{ConversationSettings, converse};
pub use options::Options;

/// The protocol's version.
pub const PROTOCOL: u32 = 1;
/// Longest line in bytes, without its LF.
pub const LINE_LIMIT: usize = 1 << 20;
/// Room for lines that are read and not yet dealt with, in bytes.
pub const HELD_BYTES: usize = 8 << 20;
/// Unread answers in bytes from which nothing new is answered.
pub const BACKLOG_BYTES: usize = 4 << 20;
/// Unread answers in bytes from which reports of a search are left out.
pub const INFO_BACKLOG_BYTES: usize = 64 << 10;
/// So many plies of a game, and less than twice as many, are kept to be taken back and told.
pub const KEPT_PLIES: usize = 10_000;

/// Prints a text and an LF on stdout. Whoever has stopped reading does not want to hear of it.
///
/// # Errors
/// If it cannot be written for another reason: a full disk, say.
pub fn print(text: &str) -> std::io::Result<()> {
    use std::io::{Error, ErrorKind, Write};
    match writeln!(std::io::stdout(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed.map_err(|error| Error::new(error.kind(), format!("standard output: {error}"))),
    }
}
