//! The tests of the board's server and page.

mod browser;
mod common;
mod crowd;
mod games;
mod guards;
mod no_peek;
