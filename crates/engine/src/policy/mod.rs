//! Learned play: what a network is shown of a position, the network, and how an action is chosen by what it says.
//!
//! `encoding` turns one player's [`View`](crate::view::View) into bytes. It knows facts and the army's counts and
//! nothing of the belief's likelihoods, so that work on the belief does not move what networks were trained on. A
//! [`Network`] evaluates them, and [`choose()`] picks an action.

mod choose;
mod embedded;
// Of use to self-play and training only, as are the other hidden parts.
#[doc(hidden)]
pub mod encoding;
mod error;
mod features;
mod integers;
mod layers;
#[doc(hidden)]
pub mod linear;
mod network;
mod planes;
pub mod reasons;
mod shape;
mod surroundings;
mod trunk;

pub use choose::choose;
pub use embedded::{evaluate, evaluate_each};
pub use error::ReadError;
pub use network::{Evaluation, Network, Scratch};
