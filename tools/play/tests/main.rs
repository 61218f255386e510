//! All tests of the program in one program.

mod transcripts;
mod whole_games;
