//! The tree: its state and its max nodes, where we act. A strike on an unknown piece is a chance node, and at enemy
//! nodes each action is available to the enemy only with the chance that its piece has a rank for it.
//!
//! Nothing here looks at a sampled world: every plan is one plan for all worlds that we cannot tell apart.

use super::conditions::Conditions;
use super::extent::Extent;
use super::node::Node;
use super::ordering::{MAX_PLY, MoveOrdering};
use super::params;
use super::progress::with_decay;
use super::shared::SharedSearch;
use super::standoff::{is_unguarded, plies_since, plies_since_vacated};
use super::task::{SearchTask, Step};
use super::transposition::TranspositionTable;
use super::value::{Value, Window};
use crate::eval::{InformationState, Undo};
use crate::rules::{Action, BySquare, Outcome, Played, Position, Rank, RankSet, Square, SquareSet, Verdict};
use std::cmp::Reverse;

/// The line a node expects.
pub(super) type Line = Vec<Step>;

/// The state of one thread's search.
pub(super) struct Tree<'a> {
    pub(super) task: &'a SearchTask<'a>,
    pub(super) position: Position,
    pub(super) state: Box<InformationState>,
    pub(super) table: &'a TranspositionTable,
    pub(super) ordering: MoveOrdering,
    root_evaluation: f32,
    /// Nodes that this thread has visited.
    pub(super) nodes: u64,
    /// What it has in common with other threads, if there are any.
    shared: Option<&'a SharedSearch>,
    /// The nodes that may be visited before the next look at `shared`.
    batch: u64,
    /// Whether the clock counts.
    pub(super) timed: bool,
    /// Set once a limit is reached; every value after that is void.
    pub(super) halted: bool,
    /// How far quiescence goes below each leaf.
    pub(super) quiescence: Extent,
    /// Lists of actions to be used again.
    lists: Vec<Vec<Action>>,
    /// The plies since the root; `None` for a null move.
    path: Vec<Option<Action>>,
    /// Of each square: the plies between the last one that went there and the root.
    still: BySquare<u32>,
    /// Of each square: the plies between the last one of ours that left it and the root.
    vacated: BySquare<u32>,
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

/// Nodes between two looks at the clock.
const CLOCK_EVERY: u64 = 32;
/// The order of actions that are looked at before quiet ones.
pub(super) const BEFORE_QUIET: i32 = 1 << 24;

impl<'a> Tree<'a> {
    pub(super) fn new(
        task: &'a SearchTask<'a>,
        table: &'a TranspositionTable,
        shared: Option<&'a SharedSearch>,
    ) -> Tree<'a> {
        Tree::measuring(task, Box::new(InformationState::new(task.view, task.belief)), table, shared)
    }

    /// The same, with a state for the task's view and belief.
    pub(super) fn measuring(
        task: &'a SearchTask<'a>,
        state: Box<InformationState>,
        table: &'a TranspositionTable,
        shared: Option<&'a SharedSearch>,
    ) -> Tree<'a> {
        let root_evaluation = task.evaluator.evaluate(task.view.position(), &state);
        Tree {
            task,
            position: task.view.position().clone(),
            root_evaluation,
            vacated: plies_since_vacated(task.view.position(), state.us()),
            state,
            table,
            ordering: MoveOrdering::new(),
            nodes: 0,
            shared,
            batch: 0,
            timed: true,
            halted: false,
            quiescence: Extent::whole(),
            lists: Vec::new(),
            path: Vec::new(),
            still: plies_since(task.view.position()),
        }
    }

    /// Counts a node and looks whether a limit is reached. Once it is, no further one counts.
    pub(super) fn enter(&mut self) -> bool {
        if self.halted {
            return true;
        }
        self.nodes += 1;
        let Conditions { budget, control, .. } = &self.task.conditions;
        match self.shared {
            None => self.halted |= budget.nodes.is_some_and(|nodes| self.nodes >= nodes),
            Some(shared) => self.halted |= !self.may_visit(shared),
        }
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            let late = self.timed && budget.hard.is_some_and(|hard| control.elapsed() >= hard);
            self.halted |= late || control.is_stopped();
        }
        self.halted
    }

    /// Takes a node out of this thread's batch, or a new batch; false once the main thread has ended the search.
    fn may_visit(&mut self, shared: &SharedSearch) -> bool {
        if self.batch == 0 {
            self.batch = shared.take(self.task.conditions.budget.nodes);
        }
        if self.batch == 0 {
            self.nodes -= 1;
            return false;
        }
        self.batch -= 1;
        !shared.is_done()
    }

    /// Nodes that all threads have visited, or soon will have.
    pub(super) fn visited(&self) -> u64 {
        let most = self.task.conditions.budget.nodes.unwrap_or(u64::MAX);
        self.shared.map_or(self.nodes, |shared| shared.taken().min(most))
    }

    /// The value of a position whose game is over.
    pub(super) fn ended(&self, ply: usize) -> Option<Value> {
        let ending = self.position.ending()?;
        Some(match ending.winner {
            None => Value::ZERO,
            Some(side) if side == self.state.us() => Value::won(ply),
            Some(_) => -Value::won(ply),
        })
    }

    /// The static evaluation.
    pub(super) fn evaluate(&self) -> Value {
        let value = Value::of_evaluation(self.task.evaluator.evaluate(&self.position, &self.state));
        with_decay(value, self.position.quiet(), self.root_evaluation)
    }

    /// A list of the possible actions; hand it back with [`Tree::recycle`].
    pub(super) fn actions(&mut self) -> Vec<Action> {
        let mut list = self.lists.pop().unwrap_or_default();
        self.position.plain_actions_into(&mut list);
        self.add_rescues(&mut list);
        list
    }

    /// The strikes among [`Tree::actions`]; to be handed back as well.
    pub(super) fn strikes(&mut self) -> Vec<Action> {
        let mut list = self.lists.pop().unwrap_or_default();
        self.position.strikes_into(&mut list);
        self.add_rescues(&mut list);
        list
    }

    pub(super) fn recycle(&mut self, list: Vec<Action>) {
        self.lists.push(list);
    }

    /// Makes a ply and keeps the state in step; `None` if it cannot be made.
    pub(super) fn play(&mut self, action: Action, outcome: Option<Outcome>) -> Option<Undo> {
        let verdict = outcome.map(|outcome| Verdict { outcome, striker: None, defender: None });
        self.suppose(Played { action, verdict })
    }

    /// The same, with what is supposed of a strike.
    pub(super) fn suppose(&mut self, Played { action, verdict }: Played) -> Option<Undo> {
        let touched = [action.from, action.to].map(|square| {
            let id = self.position.piece_at(square)?;
            Some((id, *self.position.piece(id)))
        });
        let strike = verdict.is_some() && self.shows_enemy(action);
        self.position.suppose(Played { action, verdict }).ok()?;
        let mut before = match touched {
            [Some(mover), Some(victim)] => self.state.make(&self.position, &[mover, victim], strike),
            [Some(mover), None] => self.state.make(&self.position, &[mover], strike),
            [None, _] => self.state.make(&self.position, &[], strike),
        };
        self.state.make_rescue(&self.position, &mut before);
        self.path.push(Some(action));
        Some(before)
    }

    /// Whether a strike shows us the enemy's rank: under `silent` it does not where we strike, but with a scout.
    fn shows_enemy(&self, action: Action) -> bool {
        let striker = self.position.piece_at(action.from).filter(|id| id.side() == self.state.us());
        let untold = |id| self.position.piece(id).ranks != RankSet::only(Rank::Scout);
        !self.position.rules().silent || !striker.is_some_and(untold)
    }

    pub(super) fn undo(&mut self, before: Undo) {
        self.path.pop();
        self.position.undo();
        self.state.unmake(before);
    }

    /// Enters a node that is searched: its key and the action to try first, or its value where that is settled.
    pub(super) fn open(&mut self, node: Node) -> Result<(u64, Option<Action>), Value> {
        if let Some(value) = self.ended(node.ply) {
            return Err(value);
        }
        if self.enter() {
            return Err(Value::ZERO);
        }
        let key = self.position.hash() ^ limit_key(&self.position);
        let entry = self.table.probe(key);
        match entry.and_then(|entry| entry.settles(node)) {
            Some(value) => Err(value),
            None => Ok((key, entry.and_then(|entry| entry.action))),
        }
    }

    /// A max node: we are to act. Alpha-beta, with the transposition table, the null move and
    /// principal variation search.
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
        if self.position.standing(self.state.us()) > 1 && self.keep_near(&mut list) {
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
        if !self.halted {
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
            if self.halted {
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
                if !self.position.is_strike(action) {
                    self.ordering.update(self.state.us(), action, node.ply, node.depth);
                }
                break;
            }
        }
        best
    }

    /// The null move: what a node is worth if whoever is to act acts elsewhere. It stands for quiet actions far from
    /// the other side, so its value is one of the node's; in chess it is a bound to prune by.
    pub(super) fn null_move(&mut self, node: Node, line: &mut Line) -> Value {
        let below = Node { depth: node.depth - params::null_move(), ..node.child() };
        let ours = self.position.to_move() == self.state.us();
        self.pass();
        let value = if ours { self.enemy_node(below, line) } else { self.max_node(below, line) };
        self.undo_pass();
        value
    }

    /// Makes a null move; [`Tree::undo_pass`] takes it back.
    pub(super) fn pass(&mut self) {
        self.position.pass();
        self.path.push(None);
    }

    pub(super) fn undo_pass(&mut self) {
        self.path.pop();
        self.position.pass();
    }

    /// How often the enemy could have made this strike in its turn and did not, as [`super::declined`] counts. The
    /// transposition table does not tell such ways to a position apart.
    pub(super) fn declined(&self, strike: Action) -> u32 {
        let came = |action: Action| [strike.from, strike.to].contains(&action.to);
        let mut since = self.plies_since(|action, _| came(action), &self.still, [strike.from, strike.to]);
        if is_unguarded(&self.position, strike.to) {
            let beside = SquareSet::only(strike.to).neighbours();
            let vacates = |action: Action, ours| ours && beside.contains(action.from);
            since = since.min(self.plies_since(vacates, &self.vacated, beside));
        }
        // The last ply was ours.
        since / 2
    }

    /// The plies since the last action that `is_one`, which is told whether the action was ours; the enemy is to act.
    /// If there is none in the tree: since the latest before the root at one of these squares, as `before` has it.
    fn plies_since(
        &self,
        is_one: impl Fn(Action, bool) -> bool,
        before: &BySquare<u32>,
        squares: impl IntoIterator<Item = Square>,
    ) -> u32 {
        let mut path = self.path.iter().rev().zip([true, false].into_iter().cycle());
        let within = path.position(|(&ply, ours)| ply.is_some_and(|action| is_one(action, ours)));
        let whole =
            || self.path.len() as u32 + squares.into_iter().map(|square| before[square]).min().unwrap_or(0);
        within.map_or_else(whole, |plies| plies as u32)
    }

    /// One of our actions, at this place in their order. Principal variation search: all but the first are asked in a
    /// null window whether they are better at all, late ones less deeply, and searched again if they may be.
    fn try_action(&mut self, action: Action, index: usize, node: Node, line: &mut Line) -> Value {
        if self.position.is_strike(action) {
            return self.strike(action, node, line);
        }
        let reduction = if action.rescue.is_some() { 0 } else { self.reduction(action, index, node) };
        let Some(undo) = self.play(action, None) else { return -Value::INFINITE };
        let Window { alpha, beta } = node.window;
        let first_beta = if index == 0 { beta } else { alpha.above().min(beta) };
        let below = node.child();
        let narrow = below.within(Window::new(alpha, first_beta));
        let mut value = self.enemy_node(narrow.reduced(reduction), line);
        if (reduction > 0 || first_beta < beta) && value > alpha && !self.halted {
            value = self.enemy_node(below, line);
        }
        self.undo(undo);
        value
    }

    /// Late move reduction: by how many plies less a quiet action is searched at first.
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
            match (self.position.piece_at(action.from), self.position.piece_at(action.to)) {
                (Some(own), Some(victim)) => {
                    let gain = self.state.piece(victim).attack[own];
                    if gain > 0.0 { BEFORE_QUIET.saturating_add(gain as i32) } else { gain as i32 }
                }
                _ if action.rescue.is_some() => BEFORE_QUIET,
                _ => self.ordering.score(self.state.us(), action, ply),
            }
        };
        list.sort_by_cached_key(|&action| Reverse(order(action)));
    }

    /// Makes `line` the action and what follows it.
    pub(super) fn extend(&self, line: &mut Line, action: Action, below: &Line) {
        line.clear();
        line.push(Step { action, strike: self.position.is_strike(action) });
        line.extend_from_slice(below);
    }
}
