//! Outflank, a Stratego engine.
//!
//! Layers, lowest first: [`rules`] (the game), [`event`] (what a player sees), [`view`] (what a player knows),
//! then [`belief`], [`eval`], [`policy`] and [`deployment`], [`search`], [`engine`] (a player put together), protocol. [`referee`] stands beside them and owns the
//! truth; [`rng`] is the one source of randomness, [`math`] and [`fnv`] give the same digits everywhere, [`net`] holds what nets
//! are made of.

pub mod arena_bot;
pub mod belief;
pub mod deployment;
pub mod engine;
pub mod eval;
pub mod event;
pub mod fnv;
pub mod math;
pub mod net;
mod nudge;
pub mod policy;
pub mod protocol;
pub mod referee;
pub mod rng;
pub mod rules;
pub mod search;
pub mod view;
