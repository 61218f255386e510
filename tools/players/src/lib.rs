//! Players inside a process: whoever hosts them shows them a referee's events, and asks for actions.
//!
//! [`Description`] is how one is described by words, [`Config`] what it comes to, [`Player`] the one that plays a game: the
//! engine, any legal action, or a [`network`] alone.

mod config;
pub mod network;
mod player;

pub use config::{Config, Description, Kind, Limits};
pub use player::{Clocks, Offer, Player};
