//! What the belief is worth, measured on games whose truth is known.
//!
//! [`game`] replays a record, looks at both players' views every few plies and notes how well three [`Guess`]es did:
//! sums over one game, by the [`bands`] of a game, with their calibration, and [`trust`] in experts. [`report`] says it
//! all, for people or as JSON.

pub mod bands;
pub mod command;
pub mod game;
mod guess;
pub mod report;
mod tables;
pub mod trust;

pub use guess::Guess;
