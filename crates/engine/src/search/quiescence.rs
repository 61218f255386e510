//! Quiescence: past the horizon only strikes are searched, and the static evaluation stands for everything else (C. E.
//! Shannon, *Programming a computer for playing chess*, 1950).
//!
//! How far it goes is bounded twice: by plies, and by an effort that each node shares out among its strikes. So a
//! crowd of pieces in contact costs no more than a few exchanges do, and no strike has less than its share because
//! of those before it.

use super::enemy_node::EnemyValue;
use super::limits::Extent;
use super::params;
use super::tree::{Line, Tree};
use super::value::{Node, Value, Window};
use crate::eval::{Evaluator, Strike};
use crate::rules::Action;
use std::cmp::Reverse;

/// A strike of ours and what we can expect to gain by it, in points.
struct ProfitableStrike {
    gain: f32,
    action: Action,
}

impl<E: Evaluator> Tree<'_, E> {
    /// A max node past the horizon.
    pub(super) fn quiescence_max(&mut self, mut node: Node, extent: Extent) -> Value {
        if let Some(value) = self.ended(node.ply) {
            return value;
        }
        if self.counter.enter() {
            return Value::ZERO;
        }
        let mut best = self.evaluate();
        if best >= node.window.beta || extent.is_spent() {
            return best;
        }
        node.window.raise(best);
        let strikes = self.profitable_strikes();
        let share = extent.share(strikes.len());
        for ProfitableStrike { action, .. } in strikes.into_iter().take(extent.strikes()) {
            let value = self.quiescence_strike(action, node, share);
            if self.counter.halted {
                return Value::ZERO;
            }
            best = best.max(value);
            node.window.raise(value);
            if node.window.is_closed() {
                break;
            }
        }
        best
    }

    /// An enemy node past the horizon.
    pub(super) fn quiescence_enemy(&mut self, node: Node, extent: Extent) -> Value {
        let alpha = node.window.alpha;
        if let Some(value) = self.ended(node.ply) {
            return value;
        }
        if self.counter.enter() {
            return Value::ZERO;
        }
        let value = self.evaluate();
        if value <= alpha || extent.is_spent() {
            return value;
        }
        let mut enemy_value = EnemyValue::new(value);
        let list = self.strikes();
        let mut answers = Vec::new();
        for &action in &list {
            self.strike_answers(action, &mut answers);
        }
        self.recycle(list);
        answers.sort_by_key(|answer| Reverse(answer.order));
        let share = extent.share(answers.len());
        for answer in answers.iter().take(extent.strikes()) {
            let Some(undo) = self.play(answer.action, answer.outcome) else { continue };
            let window =
                Window::new(enemy_value.low_enough(answer.availability, alpha), enemy_value.certain());
            let value = self.quiescence_max(node.child().within(window), share);
            self.undo(undo);
            if self.counter.halted {
                return Value::ZERO;
            }
            enemy_value.add(answer.availability, value);
            if enemy_value.value() <= alpha {
                break;
            }
        }
        enemy_value.value()
    }

    /// Our strike past the horizon, with this share of what quiescence may do.
    fn quiescence_strike(&mut self, action: Action, node: Node, share: Extent) -> Value {
        self.strike_with(action, node, &mut Line::new(), &mut |tree, child, _| {
            tree.quiescence_enemy(child, share)
        })
    }

    /// Our strikes that promise something, the best first.
    fn profitable_strikes(&mut self) -> Vec<ProfitableStrike> {
        let list = self.strikes();
        let mut strikes = Vec::new();
        for &action in &list {
            let (Some(own), Some(victim)) =
                (self.walk.position.piece_at(action.from), self.walk.position.piece_at(action.to))
            else {
                continue;
            };
            let gain = self.walk.gain(Strike { striker: own, target: victim });
            if gain > params::quiescence_profit() {
                strikes.push(ProfitableStrike { gain, action });
            }
        }
        self.recycle(list);
        strikes.sort_by(|one, other| other.gain.total_cmp(&one.gain));
        strikes
    }
}

#[cfg(test)]
mod tests {
    use crate::belief::Belief;
    use crate::rules::{Ruleset, Side, Spn};
    use crate::search::search;
    use crate::search::test_support::task;
    use crate::view::View;

    /// Known and half-known pieces of both sides in contact everywhere: from a game against a stranger.
    const CROWDED: &str = "??????????/??4????/n6???/5?+?+?h+?/2__2__1I+/2__2__1G+/u+4v+2?+E+/2DBE+E+FEFF/GC+JJ2GHBD/H1BDDBFBMB r r M2327679522,2453M65272422 1 192 preset=evaluator plies=4000";

    #[test]
    fn a_crowd_in_contact_does_not_explode() {
        let view = View::from_spn(&Spn::parse(CROWDED, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let mut depths = Vec::new();
        search(&task(&view, &belief, Some(5_000), &[]), &mut |info| depths.push((info.depth, info.nodes)));
        // All five plies of strikes came to more than 30,000 nodes at depth 1.
        assert!(depths.first().is_some_and(|&(depth, nodes)| depth == 1 && nodes < 2_500), "{depths:?}");
    }
}
