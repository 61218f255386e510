//! The rules of Stratego as an environment for learning: many games in step.
//!
//! [`Environment`] plays games whose actions come from outside. Positions are shown as [`encoding`] encodes them, from
//! what the player to move may know and from nothing else.

pub mod encoding;
pub mod environment;
pub mod game;
mod planes;
pub mod setups;
mod surroundings;

pub use environment::{Batch, Environment, Options};
