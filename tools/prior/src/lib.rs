//! The tables behind the engine's belief, and what they are worth.
//!
//! [`fit`] makes the prior over setups from [`setups`] and [`check`] measures it on setups held out; [`guards`] makes
//! the table of bombs beside flags; [`moves`] makes the table of first moves from recorded games, which [`outflank_record::Replay`] shows
//! from both sides, [`approach`] that of whom pieces come beside. What the whole belief is worth on such games, `outflank-beliefscore` tells.

pub mod approach;
pub mod book;
pub mod check;
pub mod deploy;
pub mod fit;
pub mod guards;
pub mod habits;
pub mod moves;
pub mod setups;
pub mod told;
