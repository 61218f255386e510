//! Teaches a sparse network ([`outflank::sparse`]) to play by games against itself.
//!
//! [`parameters`] has the weights in single precision and [`network`] computes with them, forward and backward; [`games`] plays
//! many games in step and notes the decisions, [`update`] learns from them (PPO), [`adam`] is the optimiser; [`state`] keeps it
//! all from one start to the next, [`train`] is the loop. [`docs/learning.md`](../../../../docs/learning.md) says how it is used.

pub mod adam;
pub mod command;
pub mod curve;
pub mod examples;
pub mod foretell;
pub mod game;
pub mod games;
pub mod lanes;
pub mod network;
pub mod parameters;
pub mod report;
pub mod setups;
pub mod state;
pub mod train;
pub mod update;
