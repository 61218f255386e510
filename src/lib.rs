//! Outflank, a Stratego engine.
//!
//! Layers, lowest first: [`rules`] (the game), [`event`] (what a player sees), [`view`] (what a player knows),
//! then [`belief`], [`eval`], [`policy`] and [`deploy`], [`search`], [`engine`] (a player put together), protocol. [`referee`] stands beside them and owns the
//! truth; [`dice`] is the one source of randomness, [`net`] holds what nets are made of.

pub mod arena_bot;
pub mod belief;
pub mod deploy;
pub mod dice;
pub mod engine;
pub mod eval;
pub mod event;
pub mod net;
mod nudge;
pub mod policy;
pub mod protocol;
pub mod referee;
pub mod rules;
pub mod search;
pub mod view;
