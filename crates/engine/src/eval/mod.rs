//! Static evaluation of what a player knows: material, information, attacks, threats and path distances.
//!
//! The files, in the order in which they act:
//!
//! - `root`: what holds for a whole search; `piece_value`: what ranks are worth; `odds`: how strikes end and how likely the
//!   enemy makes them; `paths`: distances
//! - `state`: what our player knows at each node ([`InformationState`]); `enemy_piece`: what each enemy piece may be
//! - `evaluator`: what search asks of whoever evaluates ([`Evaluator`]); `walk`: position, knowledge and evaluator in step
//! - `hand_made`: the evaluator in use ([`HandMade`], [`Terms`]); `piece`: what each enemy piece means to us; `threat_map`:
//!   who is in whose reach; `race`: who is first at a flag; `flag_attack` and `flag_defence`
//! - `learned`: a network in its place ([`Learned`])
//! - `kinds`: the evaluators that a host may choose from ([`EvaluatorKind`]); `params`: the tuned numbers

mod enemy_piece;
mod evaluator;
mod flag_attack;
mod flag_defence;
mod hand_made;
mod kinds;
mod learned;
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
mod walk;

pub use evaluator::{Evaluator, Situation, Strike};
pub use hand_made::{HandMade, Terms};
pub use kinds::{EvaluatorKind, Material};
pub use learned::Learned;
pub(crate) use odds::{Odds, mass};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub(crate) use params::steepness;
pub(crate) use root::Beliefs;
pub use state::InformationState;
pub use walk::{Made, Walk};
