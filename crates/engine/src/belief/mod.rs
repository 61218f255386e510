//! What the hidden pieces may be.
//!
//! Hard facts per piece (sets of ranks), the counts of the whole army respected jointly, and likelihoods that weigh
//! ranks: starting squares, what is known of the other pieces (bombs beside flags, and a net that knows how people set
//! up), when pieces first move, whom one has just come beside, behaviour features by several opponent types, and what
//! the moves were good for.

mod army_model;
mod assignment;
mod barrage;
mod case;
// Of use to fitting and measuring only, as are the other hidden parts.
#[doc(hidden)]
pub mod contact;
mod counts;
mod evidence;
mod experts;
mod explanation;
mod flag_and_bombs;
mod history;
mod likelihood;
mod move_evidence;
mod one_move;
#[doc(hidden)]
pub mod opponent_types;
mod params;
mod posterior;
#[doc(hidden)]
pub mod score;
mod setups;
mod sparing;
mod square_prior;
mod structure;
#[cfg(test)]
mod tests;
mod trust;
#[cfg(test)]
mod world_tests;
mod worlds;

pub use army_model::{RankProbabilities, parts_per_million};
#[doc(hidden)]
pub use counts::Counts;
pub use evidence::{Evidence, Known, MoveEvidence};
pub(crate) use experts::predict;
pub use explanation::{Stage, Weighing};
pub use likelihood::Likelihood;
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub use posterior::Belief;
pub use square_prior::{SquarePrior, square_weights};
pub(crate) use trust::Prediction;
pub use trust::{Exponents, NamedExponent, Trust};
pub use worlds::{WeightedWorld, World};
