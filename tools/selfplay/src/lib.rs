//! Self-play: games between two players in one process, kept as records that can be replayed and verified.
//!
//! [`record`] is the format, for every tool that reads games, and [`decision`] the endings that no rule brings about;
//! [`game`] plays one, [`contest`] many at once, under [`rules`] that may be
//! drawn; [`verify`] replays records through the referee, [`replay`] shows a recorded game from both sides again, and
//! [`stats`] sums records up.

mod config;
pub mod contest;
pub mod decision;
pub mod game;
mod ignores;
pub mod player;
pub mod policy;
pub mod record;
pub mod replay;
pub mod rules;
pub mod samples;
pub mod stats;
pub mod verify;
