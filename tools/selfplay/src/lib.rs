//! Self-play: games between two players in one process, kept as records that can be replayed and verified.
//!
//! [`record`] is the format, for every tool that reads games, and [`decision`] the endings that no rule brings about;
//! [`game`] plays one, [`contest`] many at once, under [`rules`] that may be
//! drawn; [`verify`] replays records through the referee, [`replay`] shows a recorded game from both sides again, and
//! [`stats`] sums records up. [`record_file`] is where a running contest writes, [`roll`] finds games that a file has twice,
//! [`queue`] hands out games to threads, and [`console`] is how programs print.

mod config;
pub mod console;
pub mod contest;
pub mod decision;
pub mod game;
mod lines;
pub mod player;
pub mod policy;
pub mod queue;
pub mod record;
pub mod record_file;
pub mod replay;
pub mod roll;
pub mod rules;
pub mod stats;
pub mod verify;
