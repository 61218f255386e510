//! Outflank, a Stratego engine.
//!
//! Layers, lowest first: [`rules`] (the game), [`event`] (what a player sees), [`view`] (what a player knows),
//! then belief, evaluation and deploying, search, protocol. [`referee`] stands beside them and owns the truth.

pub mod event;
pub mod referee;
pub mod rules;
pub mod view;
