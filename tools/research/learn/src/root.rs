//! The root of the engine, as far as the learner needs it: what a search of one ply and a network that does not learn say of
//! each action, in nats. Beside that the network that learns finds out what the search does not see.
//!
//! In nine of ten positions the engine's choice after one ply is its choice in the end, for a three-hundredth of the time.

use outflank::belief::Belief;
use outflank::rng::Rng;
use outflank::rules::Action;
use outflank::search::{
    Budget, Candidate, Clock, Conditions, Control, Level, SearchTask, TranspositionTable, search,
};
use outflank::sparse::{self, Network, Observation};
use outflank::view::View;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What counts beside the network that learns.
#[derive(Clone, Debug)]
pub struct Root {
    /// How many points of the engine's evaluation count as a nat.
    pub points: f32,
    /// A network that does not learn, if there is one.
    pub beside: Option<Network>,
}

/// What is so much worse than the best action, in nats, is as bad as any.
const MOST: f32 = 12.0;
/// How far below the sure thing the network beside it may put an action, in nats: eight, as at the engine's root.
const LEAST_LOGARITHM: f32 = -8.0;

/// Memory for one decision after the other.
pub struct Scratch {
    network: sparse::Scratch,
    table: TranspositionTable,
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch { network: sparse::Scratch::default(), table: TranspositionTable::up_to_megabytes(1) }
    }
}

/// A clock that stands: one ply is all that there is to search.
struct Stopped;

impl Clock for Stopped {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

static GO_ON: AtomicBool = AtomicBool::new(false);

impl Root {
    /// Adds to `out` what counts for each of `actions`, which are those of the player of `view`, whose turn it is.
    pub fn say(
        &self,
        (view, seen): (&View, &Observation),
        actions: &[Action],
        scratch: &mut Scratch,
        rng: &mut Rng,
        out: &mut Vec<f32>,
    ) {
        let start = out.len();
        let found = search_one_ply(view, actions.len(), scratch, rng);
        let worth = |candidate: &Candidate| (candidate.points + candidate.added) / self.points;
        let most = found.iter().map(worth).fold(f32::NEG_INFINITY, f32::max);
        out.extend(actions.iter().map(|action| {
            let candidate = found.iter().find(|candidate| candidate.action == *action);
            candidate.map_or(-MOST, |candidate| (worth(candidate) - most).max(-MOST))
        }));
        if let Some(network) = &self.beside {
            let said = network.evaluate_actions(seen, actions.to_vec(), &mut scratch.network);
            for (sum, &logarithm) in out[start..].iter_mut().zip(&said.log_probabilities) {
                *sum += logarithm.max(LEAST_LOGARITHM);
            }
        }
    }
}

/// What a search of one ply says of each action, with all that the engine adds but what its policy says.
fn search_one_ply(view: &View, actions: usize, scratch: &mut Scratch, rng: &mut Rng) -> Vec<Candidate> {
    let belief = Belief::of_enemies(view);
    let budget = Budget { depth: Some(1), ..Budget::default() };
    let control = Control::new(&Stopped, &GO_ON);
    let conditions = Conditions { budget, level: Level::FULL, seed: rng.bits(), control };
    scratch.table.clear();
    let table = Some(&scratch.table);
    let task = SearchTask { lines: actions, table, ..SearchTask::plain(view, &belief, conditions) };
    search(&task, &mut |_| {}).candidates
}

/// Adds what counts beside the network to its scores; nothing, if it plays alone.
pub fn add(scores: &mut [f32], beside: &[f32]) {
    for (score, beside) in scores.iter_mut().zip(beside) {
        *score += beside;
    }
}
