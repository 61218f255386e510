//! Quiescence: past the horizon only strikes are searched, and the static evaluation stands for everything else.

use super::answers::EnemyValue;
use super::params;
use super::tree::{Line, Tree};
use super::value::{Value, Window};
use crate::rules::Action;
use std::cmp::Reverse;

impl Tree<'_> {
    /// A max node past the horizon, after so many plies of quiescence.
    pub(super) fn quiescence_max(&mut self, mut window: Window, ply: usize, length: u32) -> Value {
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if self.enter() {
            return Value::ZERO;
        }
        let mut best = self.evaluate();
        if best >= window.beta || length >= params::most_quiescence() {
            return best;
        }
        window.raise(best);
        for (_, action) in self.profitable_strikes() {
            let value = self.quiescence_strike(action, window, ply, length);
            if self.halted {
                return Value::ZERO;
            }
            best = best.max(value);
            window.raise(value);
            if window.is_closed() {
                break;
            }
        }
        best
    }

    /// An enemy node past the horizon, after so many plies of quiescence.
    pub(super) fn quiescence_enemy(&mut self, alpha: Value, ply: usize, length: u32) -> Value {
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if self.enter() {
            return Value::ZERO;
        }
        let value = self.evaluate();
        if value <= alpha || length >= params::most_quiescence() {
            return value;
        }
        let mut node = EnemyValue::new(value);
        let list = self.strikes();
        let mut answers = Vec::new();
        for &action in &list {
            self.strike_answers(action, &mut answers);
        }
        self.recycle(list);
        answers.sort_by_key(|answer| Reverse(answer.order));
        for answer in &answers {
            let Some(undo) = self.play(answer.action, answer.outcome) else { continue };
            let window = Window::new(node.low_enough(answer.availability, alpha), node.certain());
            let value = self.quiescence_max(window, ply + 1, length + 1);
            self.undo(undo);
            if self.halted {
                return Value::ZERO;
            }
            node.add(answer.availability, value);
            if node.value() <= alpha {
                break;
            }
        }
        node.value()
    }

    /// Our strike past the horizon.
    fn quiescence_strike(&mut self, action: Action, window: Window, ply: usize, length: u32) -> Value {
        self.strike_with(action, window, ply, &mut Line::new(), &mut |tree, bounds, _| {
            tree.quiescence_enemy(bounds.alpha, ply + 1, length + 1)
        })
    }

    /// Our strikes that promise something, the best first.
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
            if gain > params::quiescence_profit() {
                strikes.push((gain, action));
            }
        }
        self.recycle(list);
        strikes.sort_by(|a, b| b.0.total_cmp(&a.0));
        strikes
    }
}
