//! The tables behind the engine's belief, and what they are worth.
//!
//! [`fit`] makes the prior over setups from [`setups`], [`told`] measures setups held out; [`flag_and_bombs`] makes the table of bombs beside flags; [`moments`] writes hidden pieces of recorded games down
//! for the learner of the history model, [`contact`] that of whom pieces come beside. What the whole belief is worth
//! on such games, `outflank-analyse belief` tells.
//!
//! The setup book comes from here, too: [`improve`] lets a [`population`] of setups play itself, and [`book`] packs
//! the best.

pub mod book;
pub mod contact;
pub mod fit;
pub mod flag_and_bombs;
pub mod improve;
pub mod merit;
pub mod moments;
pub mod opponent_types;
pub mod population;
pub mod setups;
pub mod told;
