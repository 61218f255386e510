//! Choosing an action: iterative deepening over a tree of max nodes (we act), enemy nodes and chance nodes (strikes
//! on unknown pieces). A search is a function of its arguments: it prints nothing and knows no clock but the one it
//! is given.
//!
//! The techniques, where they are and where they come from:
//!
//! - iterative deepening (`root`): D. J. Slate and L. R. Atkin, *Chess 4.5, the Northwestern University chess program*
//!   (1977)
//! - alpha-beta (`tree`, `enemy_node`): D. E. Knuth and R. W. Moore, *An analysis of alpha-beta pruning* (1975)
//! - principal variation search (`root`, `tree`): T. A. Marsland and M. Campbell, *Parallel search of strongly ordered
//!   game trees* (1982)
//! - Star1 (`chance_node`, `value`): B. W. Ballard, *The \*-minimax search procedure for trees containing chance nodes*
//!   (1983)
//! - null move (`tree`): D. F. Beal, *Experiments with the null move* (1989)
//! - late move reductions (`tree`): T. Romstad, *An introduction to late move reductions* (about 2006)
//! - killers (`ordering`): S. G. Akl and M. M. Newborn, *The principal continuation and the killer heuristic* (1977)
//! - history (`ordering`): J. Schaeffer, *The history heuristic* (1983)
//! - quiescence (`quiescence`): C. E. Shannon, *Programming a computer for playing chess* (1950)
//! - a transposition table without locks (`transposition`): R. M. Hyatt and T. Mann, *A lock-less transposition table
//!   implementation for parallel search* (2002)
//! - lazy SMP (`threads`): E. F. Østensen, *A complete chess engine parallelized using lazy SMP* (2016)

mod answers;
mod chance_node;
mod clock_params;
mod conditions;
mod enemy_node;
mod extent;
mod inference;
mod level;
mod limits;
mod node;
mod opening_noise;
mod ordering;
mod params;
mod progress;
mod quiescence;
mod rescue;
mod root;
mod root_bonus;
mod score;
mod shared;
mod standoff;
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
pub use conditions::{Clock, Conditions, Control};
pub use inference::infer_from_move;
pub use level::Level;
pub use limits::{Budget, Limits, Overhead};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::PARAMETERS;
pub use score::Score;
pub use standoff::{declined, expected_win};
pub use task::{ActionProbability, Candidate, Choice, Info, SearchTask, Step};
pub use threads::search;
pub use transposition::{OutOfMemory, TranspositionTable};
