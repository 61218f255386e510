//! All tests of self-play in one program.

mod contests;
mod replay;
#[cfg(target_os = "linux")]
mod trouble;
