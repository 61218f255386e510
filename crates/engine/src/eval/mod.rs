//! Static evaluation of what a player knows: material, information, attacks, threats and path distances.
//!
//! The files, in the order in which they act:
//!
//! - `root`: what holds for a whole search; `piece_value`: what ranks are worth; `odds`: how strikes end and how likely the
//!   enemy makes them; `paths`: distances
//! - `state`: what our player knows at each node ([`InformationState`]), kept in step with the tree; `piece`: what each
//!   enemy piece means to us; `threat_map`: who is in whose reach
//! - `race`: who is first at a flag; `flag_attack` and `flag_defence`
//! - `evaluator`: what search asks ([`Evaluator`]), and the sum of all this ([`HandMade`], [`Terms`])
//! - `params`: the tuned numbers

mod evaluator;
mod flag_attack;
mod flag_defence;
mod odds;
mod params;
mod paths;
mod piece;
mod piece_value;
mod race;
mod root;
mod state;
#[cfg(test)]
mod tests;
mod threat_map;

pub use evaluator::{Evaluator, EvaluatorKind, HandMade, Material, Terms};
pub(crate) use odds::{Odds, mass};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub(crate) use params::steepness;
pub(crate) use root::Beliefs;
pub use state::InformationState;
pub(crate) use state::{Like, Undo};
