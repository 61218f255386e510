//! A local page on which people play Stratego against the engine.
//!
//! Lowest first:
//!
//! - [`game`] is one game: seats, setups, plies and clocks. It holds the truth and gives out what a player may see.
//! - [`token`] is what a game is reached by, [`store`] the folder of games.
//! - [`engine`] starts engines as processes and tells them the game.
//! - [`room`] is a game that is played here and drives its engines; `advice` gives hints and `outlook` what they may
//!   meet, `beliefs` what hidden pieces may be, `replay` makes the page of a finished game, [`study`] looks into positions. `listing` reads the games of
//!   a file that somebody brings. [`house`] is all rooms, `resources` is what they share.
//! - [`web`] answers browsers; nothing else knows HTTP. Its pages are in `page`. [`invitation`] says where other devices
//!   find it.

mod advice;
mod beliefs;
pub mod engine;
pub mod game;
pub mod house;
pub mod invitation;
mod listing;
mod outlook;
mod replay;
mod resources;
pub mod room;
pub mod store;
pub mod study;
pub mod token;
pub mod web;
