//! Chance nodes: our strikes on pieces whose rank we do not know, averaged over their outcomes, with the cutoffs of
//! Star1: what is still open is bounded by the best and the worst that a game can be worth.

use super::node::Node;
use super::params;
use super::tree::{Line, Tree};
use super::value::Value;
use crate::rules::{Action, Outcome, PieceId, Rank};

/// What an outcome of a strike is worth, once played: tree, the node it leads to and the expected line.
pub(super) type AfterStrike<'t, 'f> = dyn FnMut(&mut Tree<'t>, Node, &mut Line) -> Value + 'f;

impl<'a> Tree<'a> {
    /// Our strike at a node.
    pub(super) fn strike(&mut self, action: Action, node: Node, line: &mut Line) -> Value {
        self.strike_with(action, node, line, &mut |tree, child, below| tree.enemy_node(child, below))
    }

    /// Our strike: the average over its outcomes, by the belief, of what `after` finds each worth.
    pub(super) fn strike_with(
        &mut self,
        action: Action,
        node: Node,
        line: &mut Line,
        after: &mut AfterStrike<'a, '_>,
    ) -> Value {
        line.clear();
        let Some((rank, victim)) = self.strike_pieces(action) else { return -Value::INFINITE };
        let odds = self.state.odds(&self.position, rank, victim);
        let mut outcomes = [(Outcome::Win, odds.win), (Outcome::Loss, odds.loss), (Outcome::Tie, odds.tie)];
        outcomes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f32 = odds.flag
            + outcomes.iter().map(|&(_, chance)| chance).filter(|&c| c >= params::negligible()).sum::<f32>();
        let mut sum = odds.flag / total * Value::won(node.ply + 1).as_f32();
        let mut rest = 1.0 - odds.flag / total;
        let mut likeliest = true;
        for (outcome, chance) in outcomes.into_iter().filter(|&(_, chance)| chance >= params::negligible()) {
            let chance = chance / total;
            rest = (rest - chance).max(0.0);
            let bounds = node.window.of_outcome(sum, rest, chance);
            let Some(undo) = self.play(action, Some(outcome)) else { continue };
            let mut below = Line::new();
            let value = after(self, node.child().within(bounds), &mut below);
            self.undo(undo);
            if std::mem::take(&mut likeliest) {
                *line = below;
            }
            if self.halted {
                return Value::ZERO;
            }
            sum += chance * value.as_f32();
            let most = Value::from_sum(sum + rest * Value::won(0).as_f32());
            if value <= bounds.alpha && most <= node.window.alpha {
                return most;
            }
            let least = Value::from_sum(sum - rest * Value::won(0).as_f32());
            if value >= bounds.beta && least >= node.window.beta {
                return least;
            }
        }
        Value::from_sum(sum)
    }

    /// The rank of our striker and the piece it strikes.
    pub(super) fn strike_pieces(&self, action: Action) -> Option<(Rank, PieceId)> {
        let striker = self.position.piece_at(action.from)?;
        let victim = self.position.piece_at(action.to)?;
        Some((self.position.piece(striker).ranks.single()?, victim))
    }
}
