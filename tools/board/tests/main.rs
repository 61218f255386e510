//! The tests of the board's server and page.

mod axe;
mod browser;
mod browser_hint;
mod browser_look;
mod browser_setups;
mod browser_speed;
mod browser_study;
mod browser_trouble;
mod browser_watch;
mod browser_words;
mod common;
mod crowd;
mod files;
mod games;
mod guards;
mod listen;
mod no_peek;
mod server;
mod study;
