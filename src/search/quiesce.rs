//! Past the horizon: strikes are played out, everything else is weighed as it stands.

use super::mixture::Mixture;
use super::tree::{Line, Tree};
use crate::nudge::{Part, nudged};
use crate::rules::Action;

/// Plies of strikes looked at past the horizon.
const LONGEST: u32 = 5;
/// A strike must promise this much to be looked at.
const PROFIT: f32 = 4.0;

impl Tree<'_> {
    /// We are to act past the horizon.
    pub(super) fn quiet_ours(&mut self, (mut alpha, beta): (i32, i32), ply: usize, length: u32) -> i32 {
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if self.enter() {
            return 0;
        }
        let mut best = self.evaluate();
        if best >= beta || length >= LONGEST {
            return best;
        }
        alpha = alpha.max(best);
        for (_, action) in self.profitable_strikes() {
            let value = self.quiet_strike(action, (alpha, beta), ply, length);
            if self.halted {
                return 0;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The enemy is to act past the horizon.
    pub(super) fn quiet_theirs(&mut self, alpha: i32, ply: usize, length: u32) -> i32 {
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if self.enter() {
            return 0;
        }
        let value = self.evaluate();
        if value <= alpha || length >= LONGEST {
            return value;
        }
        let mut mixture = Mixture::new(value);
        let list = self.strikes();
        let mut options = Vec::new();
        for &action in &list {
            self.strike_options(action, &mut options);
        }
        self.recycle(list);
        options.sort_by_key(|option| std::cmp::Reverse(option.harm));
        for option in &options {
            let Some(undo) = self.play(option.action, option.outcome) else { continue };
            let window = (mixture.enough(option.open, alpha), mixture.sure());
            let answer = self.quiet_ours(window, ply + 1, length + 1);
            self.undo(undo);
            if self.halted {
                return 0;
            }
            mixture.add(option.open, answer);
            if mixture.value() <= alpha {
                break;
            }
        }
        mixture.value()
    }

    fn quiet_strike(&mut self, action: Action, window: (i32, i32), ply: usize, length: u32) -> i32 {
        self.strike_with(action, window, ply, &mut Line::new(), &mut |tree, bounds, _| {
            tree.quiet_theirs(bounds.0, ply + 1, length + 1)
        })
    }

    /// Our strikes worth a look, the best first.
    fn profitable_strikes(&mut self) -> Vec<(f32, Action)> {
        let list = self.strikes();
        let mut strikes = Vec::new();
        for &action in &list {
            let (Some(own), Some(victim)) =
                (self.position.piece_at(action.from), self.position.piece_at(action.to))
            else {
                continue;
            };
            let gain = self.state.piece(victim).attack[own.number()];
            if gain > nudged(Part::Search, PROFIT) {
                strikes.push((gain, action));
            }
        }
        self.recycle(list);
        strikes.sort_by(|a, b| b.0.total_cmp(&a.0));
        strikes
    }
}
