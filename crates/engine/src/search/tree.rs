//! The tree: its state and its max nodes, where we act: alpha-beta with the transposition table, principal variation
//! search, the null move, late move reductions, and move ordering by killers and history. A strike on an unknown piece
//! is a chance node, and at enemy nodes each action is available to the enemy only with the chance that its piece has a
//! rank for it.
//!
//! Nothing here looks at a sampled world: every plan is one plan for all worlds that we cannot tell apart.

use super::limits::{Extent, NodeCounter, SharedSearch};
use super::params;
use super::standoff::Path;
use super::task::{Conditions, SearchTask, Step};
use super::transposition::TranspositionTable;
use super::value::{Node, Value, Window, with_decay};
use crate::eval::{Evaluator, Made, Strike, Walk};
use crate::rules::{Action, Outcome, Played, Position, Rank, SQUARES, Side, Square, Verdict};
use std::cmp::Reverse;

/// The line a node expects.
pub(super) type Line = Vec<Step>;

/// The search of one thread.
pub(super) struct Tree<'a, E: Evaluator> {
    pub(super) task: &'a SearchTask<'a>,
    /// Where it is, what our player knows there, and what the evaluator makes of that.
    pub(super) walk: Walk<E>,
    pub(super) table: &'a TranspositionTable,
    pub(super) ordering: MoveOrdering,
    /// Where our flag stands.
    pub(super) our_flag: Option<Square>,
    /// The static evaluation of the root, in points.
    pub(super) root_evaluation: f32,
    /// When to end.
    pub(super) counter: NodeCounter<'a>,
    /// The way from the root to where `position` is.
    pub(super) path: Path,
    /// How far quiescence goes below each leaf.
    pub(super) quiescence: Extent,
    /// Lists of actions to be used again.
    lists: Vec<Vec<Action>>,
}

/// What sets apart in the table the ways to a position that come differently near a draw by a limit of plies; 0 where
/// the tree does not reach one.
fn limit_key(position: &Position) -> u64 {
    let rules = position.rules();
    let limits = [(rules.quiet, position.quiet()), (rules.plies, position.ply())];
    let left =
        limits.into_iter().filter(|&(limit, _)| limit > 0).map(|(limit, made)| limit.saturating_sub(made));
    let near = left.min().filter(|&left| (left as usize) < MAX_PLY);
    near.map_or(0, |left| (u64::from(left) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Where the side's flag stands, if that is known.
fn flag_of(position: &Position, side: Side) -> Option<Square> {
    position.pieces(side).find(|(_, piece)| piece.ranks.single() == Some(Rank::Flag))?.1.square
}

/// The order of actions that are looked at before quiet ones.
pub(super) const BEFORE_QUIET: i32 = 1 << 24;

impl<'a, E: Evaluator> Tree<'a, E> {
    /// `walk` is at the task's root.
    pub(super) fn new(
        task: &'a SearchTask<'a>,
        mut walk: Walk<E>,
        table: &'a TranspositionTable,
        shared: Option<&'a SharedSearch>,
    ) -> Tree<'a, E> {
        let Conditions { budget, control, .. } = task.conditions;
        Tree {
            task,
            root_evaluation: walk.evaluate(),
            our_flag: flag_of(&walk.position, walk.known.us()),
            path: Path::new(&walk.position, walk.known.us()),
            walk,
            table,
            ordering: MoveOrdering::new(),
            counter: NodeCounter::new(budget, control, shared),
            quiescence: Extent::whole(),
            lists: Vec::new(),
        }
    }

    /// The value of a position whose game is over.
    pub(super) fn ended(&self, ply: usize) -> Option<Value> {
        let ending = self.walk.position.ending()?;
        Some(match ending.winner {
            None => Value::ZERO,
            Some(side) if side == self.walk.known.us() => Value::won(ply),
            Some(_) => -Value::won(ply),
        })
    }

    /// The static evaluation.
    pub(super) fn evaluate(&mut self) -> Value {
        let value = Value::of_evaluation(self.walk.evaluate());
        with_decay(value, self.walk.position.quiet(), self.root_evaluation)
    }

    /// A list of the possible actions; hand it back with [`Tree::recycle`].
    pub(super) fn actions(&mut self) -> Vec<Action> {
        let mut list = self.lists.pop().unwrap_or_default();
        self.walk.position.plain_actions_into(&mut list);
        self.add_rescues(&mut list);
        list
    }

    /// The strikes among [`Tree::actions`]; to be handed back as well.
    pub(super) fn strikes(&mut self) -> Vec<Action> {
        let mut list = self.lists.pop().unwrap_or_default();
        self.walk.position.strikes_into(&mut list);
        self.add_rescues(&mut list);
        list
    }

    pub(super) fn recycle(&mut self, list: Vec<Action>) {
        self.lists.push(list);
    }

    /// Makes a ply and keeps the state in step; `None` if it cannot be made.
    pub(super) fn play(&mut self, action: Action, outcome: Option<Outcome>) -> Option<Made<E>> {
        let verdict = outcome.map(|outcome| Verdict { outcome, striker: None, defender: None });
        self.suppose(Played { action, verdict })
    }

    /// Makes a ply with what is supposed of a strike; `None` if it cannot be made.
    pub(super) fn suppose(&mut self, played: Played) -> Option<Made<E>> {
        self.walk.play_noting(played, |action| self.path.push(Some(action)))
    }

    pub(super) fn undo(&mut self, made: Made<E>) {
        self.path.pop();
        self.walk.undo(made);
    }

    /// Enters a node that is searched: its key and the action to try first, or its value where that is settled.
    pub(super) fn open(&mut self, node: Node) -> Result<(u64, Option<Action>), Value> {
        if let Some(value) = self.ended(node.ply) {
            return Err(value);
        }
        if self.counter.enter() {
            return Err(Value::ZERO);
        }
        let key = self.walk.position.hash() ^ limit_key(&self.walk.position);
        let entry = self.table.probe(key);
        match entry.and_then(|entry| entry.settles(node)) {
            Some(value) => Err(value),
            None => Ok((key, entry.and_then(|entry| entry.action))),
        }
    }

    /// A max node: we are to act. Alpha-beta (D. E. Knuth and R. W. Moore, *An analysis of alpha-beta pruning*, 1975), with
    /// the transposition table, the null move and principal variation search.
    pub(super) fn max_node(&mut self, node: Node, line: &mut Line) -> Value {
        line.clear();
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.quiescence_max(node, self.quiescence);
        }
        let mut open = node.window;
        let (key, first) = match self.open(node) {
            Ok(open) => open,
            Err(value) => return value,
        };
        let mut list = self.actions();
        if list.is_empty() {
            self.recycle(list);
            return self.evaluate();
        }
        let mut least = -Value::INFINITE;
        if self.walk.position.standing(self.walk.known.us()) > 1 && self.keep_near(&mut list) {
            least = self.null_move(node, &mut Line::new());
            open.raise(least);
        }
        let (value, action) = if open.is_closed() {
            (least, None)
        } else {
            self.sort_actions(&mut list, first, node.ply);
            self.best_of(&list, least, node.within(open), line)
        };
        self.recycle(list);
        if !self.counter.halted {
            self.table.store(key, node, value, action);
        }
        value
    }

    /// The value of the best of these actions, if it is more than `least`, and that action; its line in `line` if it
    /// is within the window.
    fn best_of(
        &mut self,
        list: &[Action],
        least: Value,
        mut node: Node,
        line: &mut Line,
    ) -> (Value, Option<Action>) {
        let mut best = (least, None);
        let mut below = Line::new();
        for (index, &action) in list.iter().enumerate() {
            let value = self.try_action(action, index, node, &mut below);
            if self.counter.halted {
                break;
            }
            if value > best.0 {
                best = (value, Some(action));
                if value > node.window.alpha {
                    node.window.alpha = value;
                    self.extend(line, action, &below);
                }
            }
            if node.window.is_closed() {
                if !self.walk.position.is_strike(action) {
                    self.ordering.update(self.walk.known.us(), action, node.ply, node.depth);
                }
                break;
            }
        }
        best
    }

    /// The null move: what a node is worth if whoever is to act acts elsewhere. It stands for quiet actions far from
    /// the other side, so its value is one of the node's; in chess it is a bound to prune by (D. F. Beal, *Experiments
    /// with the null move*, 1989).
    pub(super) fn null_move(&mut self, node: Node, line: &mut Line) -> Value {
        let below = Node { depth: node.depth - params::null_move(), ..node.child() };
        let ours = self.walk.position.to_move() == self.walk.known.us();
        self.pass();
        let value = if ours { self.enemy_node(below, line) } else { self.max_node(below, line) };
        self.undo_pass();
        value
    }

    /// Makes a null move; [`Tree::undo_pass`] takes it back.
    pub(super) fn pass(&mut self) {
        self.walk.position.pass();
        self.path.push(None);
    }

    pub(super) fn undo_pass(&mut self) {
        self.path.pop();
        self.walk.position.pass();
    }

    /// One of our actions, at this place in their order. Principal variation search: all but the first are asked in a
    /// null window whether they are better at all, late ones less deeply, and searched again if they may be (T. A. Marsland
    /// and M. Campbell, *Parallel search of strongly ordered game trees*, 1982).
    fn try_action(&mut self, action: Action, index: usize, node: Node, line: &mut Line) -> Value {
        if self.walk.position.is_strike(action) {
            return self.strike(action, node, line);
        }
        let reduction = if action.rescue.is_some() { 0 } else { self.reduction(action, index, node) };
        let Some(undo) = self.play(action, None) else { return -Value::INFINITE };
        let Window { alpha, beta } = node.window;
        let first_beta = if index == 0 { beta } else { alpha.above().min(beta) };
        let below = node.child();
        let narrow = below.within(Window::new(alpha, first_beta));
        let mut value = self.enemy_node(narrow.reduced(reduction), line);
        if (reduction > 0 || first_beta < beta) && value > alpha && !self.counter.halted {
            value = self.enemy_node(below, line);
        }
        self.undo(undo);
        value
    }

    /// Late move reduction: by how many plies less a quiet action is searched at first (T. Romstad, *An introduction to late
    /// move reductions*, about 2006).
    pub(super) fn reduction(&self, action: Action, index: usize, node: Node) -> i32 {
        if node.depth < params::reduce_from() || self.ordering.is_killer(action, node.ply) {
            return 0;
        }
        i32::from(index >= params::late()) + i32::from(index >= params::very_late())
    }

    /// Puts first what the transposition table says, then profitable strikes and rescues, then quiet actions by
    /// killers and history, then other strikes.
    fn sort_actions(&self, list: &mut [Action], first: Option<Action>, ply: usize) {
        let order = |action: Action| {
            if Some(action) == first {
                return i32::MAX;
            }
            match (self.walk.position.piece_at(action.from), self.walk.position.piece_at(action.to)) {
                (Some(own), Some(victim)) => {
                    let gain = self.walk.gain(Strike { striker: own, target: victim });
                    if gain > 0.0 { BEFORE_QUIET.saturating_add(gain as i32) } else { gain as i32 }
                }
                _ if action.rescue.is_some() => BEFORE_QUIET,
                _ => self.ordering.score(self.walk.known.us(), action, ply),
            }
        };
        list.sort_by_cached_key(|&action| Reverse(order(action)));
    }

    /// Makes `line` the action and what follows it.
    pub(super) fn extend(&self, line: &mut Line, action: Action, below: &Line) {
        line.clear();
        line.push(Step { action, strike: self.walk.position.is_strike(action) });
        line.extend_from_slice(below);
    }
}

/// Deepest ply that is searched; killers are kept for each.
pub(super) const MAX_PLY: usize = 64;

/// Move ordering of quiet actions, of one thread: by the killer heuristic, two actions a ply that caused cutoffs there of
/// late (S. G. Akl and M. M. Newborn, *The principal continuation and the killer heuristic*, 1977), and by the history
/// heuristic, how often and how deep an action has caused cutoffs anywhere in this search (J. Schaeffer, *The history
/// heuristic*, 1983).
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
