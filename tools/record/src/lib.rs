//! Records of games: what every tool reads and writes, below all of them.
//!
//! A [`Record`] is a whole game on one line of JSON, with the truth about both armies. `docs/records.md` describes
//! every key. [`read()`] and [`open`] read records one at a time, [`RecordFile`] is the file that a running match
//! appends to ([`LineFile`] of other lines), and [`Duplicates`] finds games that a file has twice. [`WholeFile`] and
//! [`write_whole`] are how every tool writes a file at once; one that is continued is locked by [`FileLock`].
//!
//! [`verify()`] plays a record through the referee and checks every action, result and outcome; [`Tally`] does so for
//! a whole file. [`Replay`] shows a recorded game ply by ply to an engine on each side, so that beliefs can be
//! measured. [`Outcome`] is how a game ended, [`Decision`] names the endings that no rule brings about, [`Visibility`] what a player can tell of a piece.
//!
//! [`by_side`] writes values of both sides as JSON. [`console`] is how the programs over records print and end,
//! [`bounds`] reads the numbers that they are given, [`command_line`] the commands; [`points`] is what reports take pieces
//! to be worth.
//!
//! ```
//! use outflank_record::{Record, verify};
//!
//! # fn main() -> anyhow::Result<()> {
//! let line = include_str!("../tests/game.jsonl");
//! let record: Record = line.parse()?;
//! verify(&record)?;
//! assert_eq!((record.outcome.winner.name(), record.outcome.reason.name()), ("red", "flag"));
//! # Ok(())
//! # }
//! ```

pub mod bounds;
pub mod by_side;
pub mod command_line;
pub mod console;
mod decision;
mod duplicates;
mod file;
pub mod interval;
mod line_file;
mod lines;
mod lock;
mod outcome;
pub mod points;
mod read;
mod record;
mod replay;
mod verify;
mod whole;

pub use decision::Decision;
pub use duplicates::Duplicates;
pub use file::RecordFile;
pub use line_file::LineFile;
pub use lines::without_mark;
pub use lock::{FileLock, InUse};
pub use outcome::{EndReason, Outcome, Winner};
pub use outflank::view::Visibility;
pub use read::{open, read, read_text};
pub use record::{MOST_SCORE, NoRecord, PlayerRecord, Record, ShardRecord, parse_rules};
pub use replay::Replay;
pub use verify::{Tally, truth, verify};
pub use whole::{WholeFile, ensure_free, write_out, write_whole};
