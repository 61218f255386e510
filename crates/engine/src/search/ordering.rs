//! Move ordering of quiet actions by the killer heuristic, two actions a ply that caused cutoffs there of late, and by
//! the history heuristic, how often and how deep an action has caused cutoffs anywhere in this search.

use crate::rules::{Action, SQUARES, Side};

/// Deepest ply that is searched; killers are kept for each.
pub(super) const MAX_PLY: usize = 64;

/// Killers and history of one thread.
pub(super) struct MoveOrdering {
    killers: [[Option<Action>; 2]; MAX_PLY],
    /// Empty before the first cutoff: many trees are too small for one.
    history: Vec<i32>,
}

/// Above this, all of history is halved; a killer counts as much.
const MOST: i32 = 1 << 20;

impl MoveOrdering {
    pub(super) fn new() -> MoveOrdering {
        MoveOrdering { killers: [[None; 2]; MAX_PLY], history: Vec::new() }
    }

    const fn slot(side: Side, action: Action) -> usize {
        (side.index() * SQUARES + action.from.index()) * SQUARES + action.to.index()
    }

    /// The place of a quiet action in the order: the higher, the sooner.
    pub(super) fn score(&self, side: Side, action: Action, ply: usize) -> i32 {
        let killer = self.is_killer(action, ply);
        let history = self.history.get(MoveOrdering::slot(side, action)).copied().unwrap_or(0);
        history + if killer { MOST } else { 0 }
    }

    /// Whether it caused a cutoff at this ply of late.
    pub(super) fn is_killer(&self, action: Action, ply: usize) -> bool {
        self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(action)))
    }

    /// Notes that a quiet action caused a cutoff.
    pub(super) fn update(&mut self, side: Side, action: Action, ply: usize, depth: i32) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(action)
        {
            killers[1] = killers[0];
            killers[0] = Some(action);
        }
        self.history.resize(2 * SQUARES * SQUARES, 0);
        let slot = MoveOrdering::slot(side, action);
        self.history[slot] += depth * depth;
        if self.history[slot] > MOST {
            for value in &mut self.history {
                *value /= 2;
            }
        }
    }
}
