//! Strikes into the unknown, and dangers that came out of it.
//!
//! [`game`] replays a record as each player saw it: what its [`blind`] strikes brought, and whether its belief saw the
//! [`dangers`] that there were. The [`Report`] adds games up: one JSON object, and by [`std::fmt::Display`] tables for people.

pub mod blind;
pub mod command;
pub mod dangers;
pub mod game;
mod tables;

use blind::BlindReport;
use dangers::DangerReport;
use serde::Serialize;

/// The whole answer, with what was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The files of records.
    pub files: Vec<String>,
    /// Games in them.
    pub games: u64,
    /// Players that the figures are about: what they struck, and what they faced; empty for everybody.
    pub about: Vec<String>,
    /// Likelihoods that the belief is measured without.
    pub without: Vec<&'static str>,
    /// Resamples drawn.
    pub resamples: usize,
    /// Their seed.
    pub seed: u64,
    /// Units that they were drawn from: games, or pairs that share their setups.
    pub units: usize,
    /// What blind strikes brought the players, by name.
    pub players: Vec<PlayerReport>,
    /// What was predicted of dangers, by part of the game.
    pub dangers: Vec<DangerReport>,
}

/// What one player's blind strikes brought.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// Its name.
    pub name: String,
    /// Its strikes at hidden pieces that had never moved, by rank; the last is all of them.
    pub strikes: Vec<BlindReport>,
}
