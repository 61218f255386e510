//! Choosing an action: iterative deepening over a tree of max nodes (we act), enemy nodes and chance nodes (strikes
//! on unknown pieces). A search is a function of its arguments: it prints nothing and knows no clock but the one it
//! is given.

mod answers;
mod chance_node;
mod clock_params;
mod enemy_node;
mod extent;
mod inference;
mod level;
mod limits;
mod ordering;
mod params;
mod progress;
mod quiescence;
mod rescue;
mod root;
mod score;
mod shared;
mod task;
#[cfg(test)]
mod test_support;
mod threads;
mod time;
mod transposition;
mod tree;
mod value;

#[cfg(any(test, feature = "tune"))]
pub(crate) use clock_params::PARAMETERS as CLOCK_PARAMETERS;
pub use inference::{InferenceSettings, infer_from_move};
pub use level::Level;
pub use limits::{Budget, Limits, Overhead};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub use score::Score;
pub use task::{Candidate, Choice, Clock, Info, SearchTask, Step};
pub use threads::search;
pub use transposition::{OutOfMemory, TranspositionTable};
