//! The tables behind the engine's belief, and what they are worth.
//!
//! [`fit`] makes the prior over setups from [`setups`] and [`check`] measures it on setups held out; [`flag_and_bombs`] makes
//! the table of bombs beside flags; [`moves`] makes the table of first moves from recorded games, which [`outflank_record::Replay`] shows
//! from both sides, [`contact`] that of whom pieces come beside. What the whole belief is worth on such games, `outflank-beliefscore` tells.

pub mod book;
pub mod check;
pub mod contact;
pub mod deployment;
pub mod fit;
pub mod flag_and_bombs;
pub mod moves;
pub mod opponent_types;
pub mod setups;
pub mod told;
