//! Searches for the tests of this module's parts.

use super::level::Level;
use super::limits::Budget;
use super::task::{Clock, SearchTask};
use crate::belief::Belief;
use crate::eval::HandMade;
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
    SearchTask {
        view,
        belief,
        evaluator: &HandMade,
        budget: Budget { nodes, ..Budget::default() },
        only,
        policy: &[],
        seed: 1,
        lines: 1,
        level: Level::FULL,
        threads: 1,
        table: None,
        clock: &Stopped,
        stop: &GO_ON,
    }
}
