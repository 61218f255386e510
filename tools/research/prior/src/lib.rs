//! The tables behind the engine's belief, and what they are worth.
//!
//! [`fit`] makes the prior over setups from [`setups`], [`revealed`] measures setups held out; [`flag_and_bombs`] makes
//! the table of bombs beside flags, [`contact`] that of whom pieces come beside, [`opponent_types`] those of behaviour.
//! `outflank-analyse belief` measures the whole belief on recorded games.
//!
//! The setup book comes from here, too: [`improve`] has the [`sampler`] draw setups by a [`model`] of their [`features`],
//! fitted to the games of a [`tournament`], and [`book`] packs them.

pub mod book;
pub mod contact;
pub mod features;
pub mod fit;
pub mod flag_and_bombs;
pub mod improve;
pub mod model;
pub mod opponent_types;
pub mod revealed;
pub mod sampler;
pub mod setups;
pub mod tournament;
