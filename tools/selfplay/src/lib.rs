//! Self-play: games between two players in one process, recorded as [`outflank_record`] says.
//!
//! [`game`] plays one, [`contest`] many at once, under [`rules`] that may be drawn. [`player`] is who plays: the
//! engine, any legal action, or a network alone ([`policy`]). [`setups`] are improved by results. [`stats`] sums records up, [`queue`] hands out games to
//! threads, and [`shard`] shares them out over machines.

mod config;
pub mod contest;
pub mod game;
pub mod player;
pub mod policy;
pub mod queue;
pub mod rules;
pub mod setups;
pub mod shard;
pub mod stats;
pub mod worths;
