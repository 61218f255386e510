//! How much of the learned policy can be told in words: a softmax over the features of actions, fitted to what the
//! policy says of positions of recorded games.

pub mod command;
mod likeness;
mod turns;

pub use likeness::Likeness;
pub use turns::choices;
