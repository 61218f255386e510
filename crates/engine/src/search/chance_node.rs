//! Chance nodes: our strikes on pieces whose rank we do not know, averaged over their outcomes, with the cutoffs of
//! Star1: what is still open is bounded by the best and the worst that a game can be worth (B. W. Ballard, *The \*-minimax
//! search procedure for trees containing chance nodes*, 1983).

use super::params;
use super::tree::{Line, Tree};
use super::value::{Node, Value};
use crate::eval::{Evaluator, Odds};
use crate::rules::{Action, Outcome, PieceId, Played, Rank, Verdict};

/// What an outcome of a strike is worth, once played: tree, the node it leads to and the expected line.
pub(super) type AfterStrike<'t, 'f, E> = dyn FnMut(&mut Tree<'t, E>, Node, &mut Line) -> Value + 'f;

/// A branch of a chance node: how a strike of ours may end, the flag apart.
#[derive(Copy, Clone)]
struct Branch {
    verdict: Verdict,
    chance: f32,
}

/// All branches of a chance node, the likeliest first.
struct Branches {
    all: [Branch; 4],
    /// The chances of the flag and of all that are not negligible.
    total: f32,
}

impl Branches {
    /// Where a defender that wins may `advance`, a loss to a bomb is a branch of its own: the bomb stays.
    fn of(odds: Odds, advance: bool) -> Branches {
        let bomb = if advance { odds.bomb } else { 0.0 };
        let branch = |outcome, defender, chance| Branch {
            verdict: Verdict { outcome, striker: None, defender },
            chance,
        };
        let mut all = [
            branch(Outcome::Win, None, odds.win),
            branch(Outcome::Loss, None, odds.loss - bomb),
            branch(Outcome::Tie, None, odds.tie),
            branch(Outcome::Loss, Some(Rank::Bomb), bomb),
        ];
        all.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        let counts = all.iter().map(|branch| branch.chance).filter(|&chance| chance >= params::negligible());
        let total = odds.flag + counts.sum::<f32>();
        Branches { all, total }
    }

    /// The branches that are not negligible, with their shares of the total.
    fn likely(&self) -> impl Iterator<Item = Branch> + use<> {
        let total = self.total;
        let counts = self.all.into_iter().filter(|branch| branch.chance >= params::negligible());
        counts.map(move |branch| Branch { chance: branch.chance / total, ..branch })
    }
}

impl<'a, E: Evaluator> Tree<'a, E> {
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
        after: &mut AfterStrike<'a, '_, E>,
    ) -> Value {
        line.clear();
        let Some((rank, victim)) = self.strike_pieces(action) else { return -Value::INFINITE };
        let odds = self.walk.known.odds(&self.walk.position, rank, victim);
        let branches = Branches::of(odds, self.walk.position.rules().advance);
        let mut sum = odds.flag / branches.total * Value::won(node.ply + 1).as_f32();
        let mut rest = 1.0 - odds.flag / branches.total;
        let mut below = Line::new();
        for (nth, Branch { verdict, chance }) in branches.likely().enumerate() {
            rest = (rest - chance).max(0.0);
            let bounds = node.window.of_outcome(sum, rest, chance);
            let played = Played { action, verdict: Some(verdict) };
            let Some(undo) = self.suppose(played) else { continue };
            let value = after(self, node.child().within(bounds), &mut below);
            self.undo(undo);
            if nth == 0 {
                line.clone_from(&below);
            }
            if self.counter.halted {
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
        let striker = self.walk.position.piece_at(action.from)?;
        let victim = self.walk.position.piece_at(action.to)?;
        Some((self.walk.position.piece(striker).ranks.single()?, victim))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::rules::{Ruleset, Side, Spn};
    use crate::search::search;
    use crate::search::test_support::task;
    use crate::view::View;

    /// The chances to win with a weak piece's strike at what may be a bomb or stronger, in permille.
    fn win(preset: &str) -> u16 {
        let text = format!(
            "??????????/??????????/?9/?9/H1__2__2/2__2__2/10/10/10/MB3K3H r r -,- 0 0 preset={preset}"
        );
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        let strike = Action::new("a6".parse().unwrap(), "a7".parse().unwrap());
        let choice = search(&task(&view, &Belief::of_enemies(&view), Some(2_000), &[strike]), &mut |_| {});
        choice.score.unwrap().win
    }

    #[test]
    fn a_lost_strike_counts_where_the_winner_advances() {
        // A third of the chance was left out once: it counted as an even game.
        assert!(win("1961").abs_diff(win("gameboard")) < 40, "{} {}", win("1961"), win("gameboard"));
    }

    #[test]
    fn a_bomb_that_stays_is_a_branch_of_its_own() {
        let odds = Odds { flag: 0.1, win: 0.3, tie: 0.1, loss: 0.5, bomb: 0.2 };
        let branches = |advance| Branches::of(odds, advance).likely().collect::<Vec<_>>();
        let sum = |advance| branches(advance).iter().map(|branch| branch.chance).sum::<f32>();
        assert_eq!((branches(false).len(), branches(true).len()), (3, 4));
        assert!((sum(false) - 0.9).abs() < 1e-6 && (sum(true) - 0.9).abs() < 1e-6);
        assert!(branches(true).iter().any(|branch| branch.verdict.defender == Some(Rank::Bomb)));
    }
}
