//! Searches for the tests of this module's parts.

use super::conditions::{Clock, Conditions, Control};
use super::level::Level;
use super::limits::Budget;
use super::task::SearchTask;
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
