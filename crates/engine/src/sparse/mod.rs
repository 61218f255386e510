//! A network of sparse inputs: what a player knows as a hundred features out of eleven thousand, evaluated in microseconds.
//!
//! [`Observation`] is what the side to move sees, turned to its side of the board; [`position_features`] and
//! [`action_features`] say which inputs are on; a [`Network`] sums the rows of its weights for them. The way of summing rows
//! and of following them from one position to the next is that of efficiently updatable networks (Y. Nasu, *NNUE*, 2018). That
//! each action has a small network of its own, over features of the action, makes a policy of any action cheap.
//!
//! It knows facts and counts alone, and no belief, so that work on the belief does not move what networks learned on.

mod action_features;
mod choose;
mod evaluation;
mod features;
mod network;
mod observation;
mod packing;
mod playouts;
mod pursuit;
mod squares;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) use tests::network;

pub use action_features::{
    ACTION_FEATURES, FIRST_ACTION_FEATURES, MOST_ACTION_FEATURES, Odds, action_features,
};
pub use choose::choose;
pub use evaluation::Evaluation;
pub use features::{FIRST_POSITION_FEATURES, POSITION_FEATURES, position_features};
pub use network::{Accumulator, CONTEXT_VALUES, Network, READ_VALUES, SECOND_LAYER, Scratch, Shape, Weights};
pub use observation::{Observation, PLIES_SHOWN};
pub use playouts::Playouts;
pub use pursuit::Pursuits;
