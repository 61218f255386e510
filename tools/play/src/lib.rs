//! A game of Stratego against Outflank, for a person at a terminal or for lines from a pipe.
//!
//! The referee judges. Two engines play along: the person's opponent, and an adviser that is shown what the person is
//! shown and nothing else. Boards, hints and explanations come from the adviser, so that they cannot give a hidden
//! rank away.

pub mod believed;
pub mod command;
pub mod course;
pub mod game;
pub mod input;
pub mod interrupt;
pub mod keeper;
pub mod progress;
pub mod saved;
pub mod sentence;
pub mod session;
pub mod width;
