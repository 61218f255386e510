//! The rules of Stratego as an environment for learning: many games in step.
//!
//! [`Environment`] plays games whose actions come from outside, the engine or a random number generator; [`Imitation`]
//! shows recorded games ply by ply with what was chosen there. Both show positions as [`outflank::policy::encoding`]
//! encodes them, from what the player to move may know and from nothing else; what only a trainer may see
//! ([`Batch::hidden`]) is told apart.

pub mod adviser;
pub mod batch;
pub mod environment;
pub mod game;
pub mod imitation;
pub mod policy;
mod seat;
pub mod setups;

pub use batch::Batch;
pub use environment::{Environment, Options};
pub use imitation::Imitation;
pub use policy::Policy;
