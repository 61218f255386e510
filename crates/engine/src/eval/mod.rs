//! Static evaluation of what a player knows: material, information, attacks, threats and path distances.
//!
//! [`InformationState`] follows the tree and knows what our player knows at each node; an [`Evaluator`] gives a leaf
//! its value. [`HandMade`] is the evaluator in use; [`EvaluatorKind`] names those that a host
//! may choose from.

mod attack_probability;
mod attacker_kind;
mod beliefs;
mod enumeration;
mod evaluator;
mod flag_attack;
mod flag_defence;
mod hand_made;
mod kind;
mod material;
mod odds;
mod params;
mod paths;
mod piece;
mod piece_value;
mod pieces;
mod race;
mod rescue;
mod root;
mod state;
mod terms;
#[cfg(test)]
mod tests;
mod threat_map;

pub(crate) use beliefs::Beliefs;
pub use evaluator::Evaluator;
pub use hand_made::HandMade;
pub use kind::EvaluatorKind;
pub use material::Material;
pub(crate) use odds::Odds;
pub(crate) use odds::mass;
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub(crate) use params::steepness;
pub use state::InformationState;
pub(crate) use state::{Like, Undo};
pub use terms::Terms;
