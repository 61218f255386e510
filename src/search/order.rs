//! Which actions to look at first.

use crate::rules::{Action, SQUARES, Side};

/// Deepest ply that keeps killers and lines.
pub(super) const DEEPEST: usize = 64;

/// What earlier parts of the tree taught about quiet actions.
pub(super) struct Memory {
    killers: [[Option<Action>; 2]; DEEPEST],
    history: Vec<i32>,
}

/// Above this, all of history is halved.
const MOST: i32 = 1 << 20;

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { killers: [[None; 2]; DEEPEST], history: vec![0; 2 * SQUARES * SQUARES] }
    }

    const fn slot(side: Side, action: Action) -> usize {
        (side.index() * SQUARES + action.from.index()) * SQUARES + action.to.index()
    }

    /// How promising a quiet action is.
    pub(super) fn promise(&self, side: Side, action: Action, ply: usize) -> i32 {
        let killer = self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(action)));
        self.history[Memory::slot(side, action)] + if killer { MOST } else { 0 }
    }

    /// Whether it is a killer here.
    pub(super) fn is_killer(&self, action: Action, ply: usize) -> bool {
        self.killers.get(ply).is_some_and(|killers| killers.contains(&Some(action)))
    }

    /// Notes that a quiet action decided a node.
    pub(super) fn reward(&mut self, side: Side, action: Action, ply: usize, depth: i32) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != Some(action)
        {
            killers[1] = killers[0];
            killers[0] = Some(action);
        }
        let slot = Memory::slot(side, action);
        self.history[slot] += depth * depth;
        if self.history[slot] > MOST {
            for value in &mut self.history {
                *value /= 2;
            }
        }
    }
}
