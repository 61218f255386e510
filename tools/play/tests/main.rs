//! All tests of the program in one program.

mod files;
#[cfg(target_os = "linux")]
mod terminal;
mod transcripts;
mod whole_games;
