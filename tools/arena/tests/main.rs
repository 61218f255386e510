//! All tests of the arena in one program. `cargo test --test arena matches::` runs one file of them.

#[cfg(unix)]
mod browser;
mod browser_learn;
#[cfg(unix)]
mod browser_live;
#[cfg(unix)]
mod check;
#[cfg(unix)]
mod common;
#[cfg(unix)]
mod engine;
#[cfg(unix)]
mod gauntlet;
#[cfg(unix)]
mod html;
#[cfg(unix)]
mod inside;
#[cfg(unix)]
mod matches;
#[cfg(unix)]
mod panel;
#[cfg(unix)]
mod replay;
mod statistics;
#[cfg(target_os = "linux")]
mod trouble;
