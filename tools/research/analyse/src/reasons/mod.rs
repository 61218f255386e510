//! How much of the learned policy can be put into words: a surrogate of one weight a feature, fitted to
//! what the policy says of positions of recorded games.

pub mod command;
mod fidelity;
mod turns;

pub use fidelity::Fidelity;
pub use turns::choices;
