//! Choosing an action: iterative deepening over a tree of max nodes (we act), enemy nodes and chance nodes (strikes
//! on unknown pieces). A search is a function of its arguments: it prints nothing and knows no clock but the one it
//! is given.
//!
//! The files, in the order in which they act; each cites its techniques:
//!
//! - `inference`: which ranks would make the enemy's last move a sensible one; before the search
//! - `task`: what a search is given and what it reports; `limits`: when it has to end; `level`: how strong it plays
//! - `threads`: lazy SMP
//! - `root`: iterative deepening and principal variation search over our actions; `bias`: what the choice adds to their
//!   values; `rescue`: which rescues are looked at
//! - `tree`: max nodes, with alpha-beta, principal variation search, the null move, late move reductions, killers and
//!   history
//! - `chance_node`: our strikes at unknown pieces, with Star1
//! - `enemy_node`: the enemy's answers, with the null move; `standoff`: how likely its strikes are
//! - `quiescence`: strikes past the horizon
//! - `value`: values, windows, and the progress incentive; `transposition`: what is known of positions
//! - `params`: the tuned numbers

mod bias;
mod chance_node;
mod enemy_node;
mod inference;
mod level;
mod limits;
mod params;
mod quiescence;
mod rescue;
mod root;
mod standoff;
mod task;
mod threads;
mod transposition;
mod tree;
mod value;

pub use inference::infer_from_move;
pub use level::Level;
pub use limits::{Budget, Clock, Control, Limits, Overhead};
#[cfg(any(test, feature = "tune"))]
pub(crate) use params::{PARAMETERS, clock::PARAMETERS as CLOCK_PARAMETERS};
pub use task::{ActionProbability, Candidate, Choice, Conditions, Info, Score, SearchTask, Step};
pub use threads::{search, search_by};
pub use transposition::{OutOfMemory, TranspositionTable};

#[cfg(test)]
mod test_support {
    use super::Budget;
    use super::Level;
    use super::SearchTask;
    use super::{Clock, Conditions, Control};
    use crate::belief::Belief;
    use crate::rules::Action;
    use crate::view::View;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// A clock that stands.
    struct Stopped;

    impl Clock for Stopped {
        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// Never set: nothing stops the search.
    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// A task at full strength on one thread, with no limit but nodes, if there is one.
    pub(super) fn task<'a>(
        view: &'a View,
        belief: &'a Belief,
        nodes: Option<u64>,
        only: &'a [Action],
    ) -> SearchTask<'a> {
        let budget = Budget { nodes, ..Budget::default() };
        let control = Control::new(&Stopped, &GO_ON);
        let conditions = Conditions { budget, level: Level::FULL, seed: 1, control };
        SearchTask { only, ..SearchTask::plain(view, belief, conditions) }
    }
}
