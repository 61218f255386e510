//! The tree: our nodes maximise, a strike on an unknown piece is a chance node, and at enemy nodes each action is
//! open to the enemy only with the chance that its piece has a rank for it.
//!
//! Nothing here looks at a sampled world: every plan is one plan for all worlds that we cannot tell apart.

use super::crew::Crew;
use super::order::{DEEPEST, Memory};
use super::score::{impatient, squash, won};
use super::table::Table;
use super::{Step, Task};
use crate::eval::{Before, Gauge};
use crate::rules::{Action, Outcome, PieceId, Played, Position, Rank, RankSet, Verdict};
use std::sync::atomic::Ordering;

/// Beyond any value.
pub(super) const INFINITE: i32 = 2_000_000;

/// The line a node expects.
pub(super) type Line = Vec<Step>;

/// One search's state.
pub(super) struct Tree<'a> {
    pub(super) task: &'a Task<'a>,
    pub(super) position: Position,
    pub(super) gauge: Gauge,
    pub(super) table: &'a Table,
    pub(super) memory: Memory,
    /// The evaluation of the root.
    ahead: f32,
    /// Nodes that this thread has visited.
    pub(super) nodes: u64,
    /// The other threads, if there are any, and the nodes that may be visited before the next look at them.
    crew: Option<&'a Crew>,
    share: u64,
    /// Set once a limit is reached; every value after that is void.
    pub(super) halted: bool,
    lists: Vec<Vec<Action>>,
}

/// Nodes between two looks at the clock.
const CLOCK_EVERY: u64 = 32;
/// Outcomes less likely than this are not looked at.
const NEGLIGIBLE: f32 = 0.01;

impl<'a> Tree<'a> {
    pub(super) fn new(task: &'a Task<'a>, table: &'a Table, crew: Option<&'a Crew>) -> Tree<'a> {
        Tree::measuring(task, Gauge::new(task.view, task.belief), table, crew)
    }

    /// The same, with a gauge for the task's view and belief.
    pub(super) fn measuring(
        task: &'a Task<'a>,
        gauge: Gauge,
        table: &'a Table,
        crew: Option<&'a Crew>,
    ) -> Tree<'a> {
        Tree {
            task,
            position: task.view.position().clone(),
            ahead: gauge.value(task.view.position()),
            gauge,
            table,
            memory: Memory::new(),
            nodes: 0,
            crew,
            share: 0,
            halted: false,
            lists: Vec::new(),
        }
    }

    /// Counts a node and looks whether a limit is reached.
    pub(super) fn enter(&mut self) -> bool {
        self.nodes += 1;
        let budget = &self.task.budget;
        match self.crew {
            None => self.halted |= budget.nodes.is_some_and(|nodes| self.nodes >= nodes),
            Some(crew) => self.halted |= !self.may_visit(crew),
        }
        if self.nodes.is_multiple_of(CLOCK_EVERY) {
            let late = budget.hard.is_some_and(|hard| self.task.clock.elapsed() >= hard);
            self.halted |= late || self.task.stop.load(Ordering::Relaxed);
        }
        self.halted
    }

    /// Takes a node out of this thread's share, or a new share; false once the other threads have ended the search.
    fn may_visit(&mut self, crew: &Crew) -> bool {
        if self.share == 0 {
            self.share = crew.take(self.task.budget.nodes);
        }
        if self.share == 0 {
            self.nodes -= 1;
            return false;
        }
        self.share -= 1;
        !crew.is_done()
    }

    /// Nodes that all threads have visited, or soon will have.
    pub(super) fn visited(&self) -> u64 {
        let most = self.task.budget.nodes.unwrap_or(u64::MAX);
        self.crew.map_or(self.nodes, |crew| crew.taken().min(most))
    }

    /// The value of a position whose game is over.
    pub(super) fn ended(&self, ply: usize) -> Option<i32> {
        let ending = self.position.ending()?;
        Some(match ending.winner {
            None => 0,
            Some(side) if side == self.gauge.us() => won(ply),
            Some(_) => -won(ply),
        })
    }

    pub(super) fn evaluate(&self) -> i32 {
        impatient(squash(self.gauge.value(&self.position)), self.position.quiet(), self.ahead)
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

    /// Makes a ply and keeps the gauge in step; `None` if it cannot be made.
    pub(super) fn play(&mut self, action: Action, outcome: Option<Outcome>) -> Option<Before> {
        let touched = [action.from, action.to].map(|square| {
            let id = self.position.piece_at(square)?;
            Some((id, *self.position.piece(id)))
        });
        let verdict = outcome.map(|outcome| Verdict { outcome, striker: None, defender: None });
        let strike = outcome.is_some() && self.shows_enemy(action);
        self.position.play(Played { action, verdict }).ok()?;
        let mut before = match touched {
            [Some(mover), Some(victim)] => self.gauge.follow(&self.position, &[mover, victim], strike),
            [Some(mover), None] => self.gauge.follow(&self.position, &[mover], strike),
            [None, _] => self.gauge.follow(&self.position, &[], strike),
        };
        self.gauge.follow_rescue(&self.position, &mut before);
        Some(before)
    }

    /// Whether a strike shows us the enemy's rank: under `silent` it does not where we strike, but with a scout.
    fn shows_enemy(&self, action: Action) -> bool {
        let striker = self.position.piece_at(action.from).filter(|id| id.side() == self.gauge.us());
        let untold = |id| self.position.piece(id).ranks != RankSet::only(Rank::Scout);
        !self.position.rules().silent || !striker.is_some_and(untold)
    }

    pub(super) fn undo(&mut self, before: Before) {
        self.position.undo();
        self.gauge.go_back(before);
    }

    /// Enters a node that is searched: its key and the action to try first, or its value where that is settled.
    pub(super) fn open(
        &mut self,
        depth: i32,
        window: (i32, i32),
        ply: usize,
    ) -> Result<(u64, Option<Action>), i32> {
        if let Some(value) = self.ended(ply) {
            return Err(value);
        }
        if self.enter() {
            return Err(0);
        }
        let key = self.position.hash();
        let entry = self.table.get(key);
        match entry.and_then(|entry| entry.settles(depth, window)) {
            Some(value) => Err(value),
            None => Ok((key, entry.and_then(|entry| entry.action))),
        }
    }

    /// A node where we are to act.
    pub(super) fn ours(
        &mut self,
        depth: i32,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        if depth <= 0 || ply >= DEEPEST {
            return self.quiet_ours((alpha, beta), ply, 0);
        }
        let window = (alpha, beta);
        let (key, first) = match self.open(depth, window, ply) {
            Ok(open) => open,
            Err(value) => return value,
        };
        let mut list = self.actions();
        let none = list.is_empty();
        let mut best = (-INFINITE, None);
        let mut below = Line::new();
        if self.position.standing(self.gauge.us()) > 1 && !none {
            let all = list.len();
            self.keep_near(&mut list);
            if list.len() < all {
                best.0 = self.let_be(depth, (alpha, beta), ply, &mut below);
                alpha = alpha.max(best.0);
            }
        }
        if alpha >= beta {
            list.clear();
        }
        self.sort_ours(&mut list, first, ply);
        for (index, &action) in list.iter().enumerate() {
            let value = self.try_ours(action, index, depth, (alpha, beta), ply, &mut below);
            if self.halted {
                break;
            }
            if value > best.0 {
                best = (value, Some(action));
                if value > alpha {
                    alpha = value;
                    self.extend(line, action, &below);
                }
            }
            if alpha >= beta {
                if !self.position.is_strike(action) {
                    self.memory.reward(self.gauge.us(), action, ply, depth);
                }
                break;
            }
        }
        self.recycle(list);
        if none {
            return self.evaluate();
        }
        if !self.halted {
            self.table.put(key, depth, best.0, window, best.1);
        }
        best.0
    }

    /// What a node is worth if whoever is to act acts elsewhere.
    pub(super) fn let_be(&mut self, depth: i32, window: (i32, i32), ply: usize, line: &mut Line) -> i32 {
        let ours = self.position.to_move() == self.gauge.us();
        self.position.pass();
        let value = if ours {
            self.theirs(depth - 2, window, ply + 1, line)
        } else {
            self.ours(depth - 2, window, ply + 1, line)
        };
        self.position.pass();
        value
    }

    /// One of our actions; late quiet ones are looked at less deeply first.
    fn try_ours(
        &mut self,
        action: Action,
        index: usize,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        if self.position.is_strike(action) {
            return self.strike(action, depth - 1, (alpha, beta), ply, line);
        }
        let late = depth >= 3 && action.rescue.is_none() && !self.memory.is_killer(action, ply);
        let reduction = if late { i32::from(index >= 3) + i32::from(index >= 10) } else { 0 };
        let Some(undo) = self.play(action, None) else { return -INFINITE };
        let probe = if index == 0 { beta } else { (alpha + 1).min(beta) };
        let mut value = self.theirs(depth - 1 - reduction, (alpha, probe), ply + 1, line);
        if (reduction > 0 || probe < beta) && value > alpha && !self.halted {
            value = self.theirs(depth - 1, (alpha, beta), ply + 1, line);
        }
        self.undo(undo);
        value
    }

    /// Our strike, with `depth` plies left after it.
    pub(super) fn strike(
        &mut self,
        action: Action,
        depth: i32,
        window: (i32, i32),
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        self.strike_with(action, window, ply, line, &mut |tree, bounds, below| {
            tree.theirs(depth, bounds, ply + 1, below)
        })
    }

    /// Our strike: the average over its outcomes, by the belief, of what `after` finds each worth.
    pub(super) fn strike_with(
        &mut self,
        action: Action,
        window: (i32, i32),
        ply: usize,
        line: &mut Line,
        after: &mut After<'a, '_>,
    ) -> i32 {
        line.clear();
        let Some((rank, victim)) = self.strike_pieces(action) else { return -INFINITE };
        let odds = self.gauge.odds(&self.position, rank, victim);
        let mut outcomes = [(Outcome::Win, odds.win), (Outcome::Loss, odds.loss), (Outcome::Tie, odds.tie)];
        outcomes.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f32 =
            odds.flag + outcomes.iter().map(|&(_, chance)| chance).filter(|&c| c >= NEGLIGIBLE).sum::<f32>();
        let mut sum = odds.flag / total * won(ply + 1) as f32;
        let mut rest = 1.0 - odds.flag / total;
        let mut likeliest = true;
        for (outcome, chance) in outcomes.into_iter().filter(|&(_, chance)| chance >= NEGLIGIBLE) {
            let chance = chance / total;
            rest = (rest - chance).max(0.0);
            let bounds = star_window(window, sum, rest, chance);
            let Some(undo) = self.play(action, Some(outcome)) else { continue };
            let mut below = Line::new();
            let value = after(self, bounds, &mut below);
            self.undo(undo);
            if std::mem::take(&mut likeliest) {
                *line = below;
            }
            if self.halted {
                return 0;
            }
            sum += chance * value as f32;
            if value <= bounds.0 && (sum + rest * won(0) as f32) as i32 <= window.0 {
                return (sum + rest * won(0) as f32) as i32;
            }
            if value >= bounds.1 && (sum - rest * won(0) as f32) as i32 >= window.1 {
                return (sum - rest * won(0) as f32) as i32;
            }
        }
        sum as i32
    }

    /// The rank of our striker and the piece it strikes.
    pub(super) fn strike_pieces(&self, action: Action) -> Option<(Rank, PieceId)> {
        let striker = self.position.piece_at(action.from)?;
        let victim = self.position.piece_at(action.to)?;
        Some((self.position.piece(striker).ranks.single()?, victim))
    }

    fn sort_ours(&self, list: &mut [Action], first: Option<Action>, ply: usize) {
        let promise = |action: Action| {
            if Some(action) == first {
                return i32::MAX;
            }
            match (self.position.piece_at(action.from), self.position.piece_at(action.to)) {
                (Some(own), Some(victim)) => {
                    let gain = self.gauge.row_of(victim).gain[own.number()];
                    if gain > 0.0 { (1 << 24) + gain as i32 } else { gain as i32 }
                }
                _ if action.rescue.is_some() => 1 << 24,
                _ => self.memory.promise(self.gauge.us(), action, ply),
            }
        };
        list.sort_by_cached_key(|&action| std::cmp::Reverse(promise(action)));
    }

    pub(super) fn extend(&self, line: &mut Line, action: Action, below: &Line) {
        line.clear();
        line.push(Step { action, strike: self.position.is_strike(action) });
        line.extend_from_slice(below);
    }
}

/// What an outcome of a strike is worth, once played: tree, window and expected line.
pub(super) type After<'t, 'f> = dyn FnMut(&mut Tree<'t>, (i32, i32), &mut Line) -> i32 + 'f;

/// Star1 (Ballard 1983): the window in which one outcome of a chance node still matters, when `sum` is settled and
/// outcomes of chance `rest` are open.
fn star_window((alpha, beta): (i32, i32), sum: f32, rest: f32, chance: f32) -> (i32, i32) {
    let open = rest * won(0) as f32;
    let low = (alpha as f32 - sum - open) / chance;
    let high = (beta as f32 - sum + open) / chance;
    let bound = |value: f32| value.clamp(-INFINITE as f32, INFINITE as f32) as i32;
    (bound(low) - 1, bound(high) + 1)
}
