//! How well the engine predicts what a player does next, and what its weights for that should be.
//!
//! Each turn that is looked at is one draw from a softmax over the actions there were. What an action is about is told
//! as the other player sees it ([`outflank::replies`]): the ranks of the player's own pieces are as likely as the other
//! believes.

mod accuracy;
pub mod command;
mod expected;
mod fit;
mod turns;

pub use accuracy::Accuracy;
pub use expected::{Expected, expected};
pub use fit::fit;
pub use turns::{Turn, turns};
