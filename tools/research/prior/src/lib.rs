//! The tables behind the engine's belief, and what they are worth.
//!
//! [`fit`] makes the prior over setups from [`setups`], [`revealed`] measures setups held out; [`flag_and_bombs`] makes
//! the table of bombs beside flags, [`contact`] that of whom pieces come beside, [`opponent_types`] those of behaviour.
//! `outflank-analyse belief` measures the whole belief on recorded games.
//!
//! The setup book comes from here, too: [`improve`] draws setups ([`sampler`]) by what their [`patterns`] are [`worth`]
//! in the games of a [`tournament`], and [`book`] packs them.

pub mod book;
pub mod contact;
pub mod fit;
pub mod flag_and_bombs;
pub mod improve;
pub mod opponent_types;
pub mod patterns;
pub mod revealed;
pub mod sampler;
pub mod setups;
pub mod tournament;
pub mod worth;
