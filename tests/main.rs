//! All tests of the engine from outside in one program: linked once. `cargo test --test engine perft::`
//! runs one file of them.

mod architecture;
mod arguments;
mod barrage;
mod battles;
mod belief;
mod bench;
mod chase_cases;
mod circles;
mod clock;
mod code;
mod comparison;
mod endings;
mod evaluator;
#[cfg(unix)]
mod examples;
mod garbage;
mod host;
mod laws;
mod leads;
mod limits;
mod lockstep;
mod lost_games;
mod no_peek;
mod perft;
mod ponder;
mod rescues;
mod rule_table;
mod rule_texts;
mod session;
mod stand_in;
mod threads;
mod transcripts;
mod trouble;
mod two_squares;
mod views;
