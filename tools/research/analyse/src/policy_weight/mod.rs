//! How much a learned policy should count beside the search at the root, by what recorded players did.
//!
//! [`mod@turns`] asks in turns of recorded games what a search expects of each action and how likely each network chooses
//! it; [`measure`] weighs both so that what was played is as likely as can be. Matches decide how the engine plays:
//! this tells which weights are worth one.

pub mod command;
pub mod measure;
pub mod turns;

pub use measure::PolicyWeights;
pub use turns::{Look, Turn, turns};
