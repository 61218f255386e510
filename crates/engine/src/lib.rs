//! A Stratego player as a library: it keeps a probability for the rank of each hidden enemy piece, and searches.
//!
//! It is the middle part of [Outflank](https://docs.rs/outflank), which adds the line protocol, re-exports all of this,
//! and shows on its page how to use it: an [`engine::Engine`] is given the events of one player
//! ([`outflank_rules::event`]) and asked for actions. It cannot see hidden ranks: both
//! armies are held by a `Referee` alone, in the crate `outflank-referee`, on which this one does not depend.
//!
//! The parts, lowest first; each uses only those above it:
//!
//! - [`belief`]: rank probabilities of hidden pieces.
//! - [`policy`]: learned play.
//! - [`sparse`]: a network that evaluates a position and its actions in microseconds.
//! - [`deployment`]: choosing a setup.
//! - [`search`]: choosing an action.
//! - [`engine`]: a player put together.
//!
//! Parts that only the engine's own tools need, for fitting, tuning and measuring, are public and left out of these
//! pages: they change from release to release as the engine does.

pub mod belief;
pub mod deployment;
pub mod engine;
pub mod policy;
pub mod search;
pub mod sparse;
// Of use to the tools only.
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod net;
#[doc(hidden)]
pub mod params;
mod simd;

#[cfg(test)]
mod test_support;

// Under the names that they have in the engine's own library.
use outflank_rules::{event, fnv, math, named_enum, rng, rules, view};
