//! The enemy's nodes.
//!
//! The enemy knows its ranks and we do not, so an action is open to it with the chance that its piece has a rank
//! for it. It never does worse than by letting things be, which stands for its many quiet actions elsewhere.

use super::mixture::{Mixture, OPEN, Open};
use super::order::DEEPEST;
use super::tree::{INFINITE, Line, Tree};
use crate::eval::{Shown, mass};
use crate::rules::{Action, Outcome, Rank, RankSet, battle};

/// Something the enemy may do.
#[derive(Copy, Clone, Debug)]
pub(super) struct Answer {
    pub(super) action: Action,
    /// How its strike ends; `None` for a move.
    pub(super) outcome: Option<Outcome>,
    /// Whether it is open to the enemy and the enemy sees it.
    pub(super) open: Open,
    /// How much it promises the enemy.
    pub(super) harm: i32,
}

/// Chance that the enemy sees what its moves are good for: our hidden pieces are open to us, not to it. It sees it of all that
/// it surely can do, or of none. By matches: `docs/experiments.md`.
const SEES: f32 = 0.7;
/// Below this chance an action is not looked at.
const UNLIKELY: f32 = 0.04;
/// Moves matter that end this near to a piece of the other side, or start next to one.
const NEAR: u32 = 2;
/// With this many pieces or fewer all of a side's moves matter.
const FEW: u32 = 10;

impl Tree<'_> {
    /// A node where the enemy is to act.
    pub(super) fn theirs(
        &mut self,
        depth: i32,
        (alpha, beta): (i32, i32),
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        if depth <= 0 || ply >= DEEPEST {
            return self.quiet_theirs(alpha, ply, 0);
        }
        let (key, first) = match self.open(depth, (alpha, beta), ply) {
            Ok(open) => open,
            Err(value) => return value,
        };
        let node = (depth, alpha, ply);
        let let_be = self.let_be(depth, (alpha, beta), ply, &mut Line::new());
        let (mut mixture, mut best) = self.mix(let_be, first, node, line);
        // From `beta` on, `let_be` is only the least that it may be, and a share of too little may look like too little: so
        // what it is in truth must be known before the node counts as worth less.
        let doubted = let_be >= beta && mixture.sure() == let_be && mixture.value() < beta;
        if doubted && !self.halted {
            let truly = self.let_be(depth, (let_be - 1, INFINITE), ply, &mut Line::new());
            if truly > let_be && !self.halted {
                (mixture, best) = self.mix(truly, best.or(first), node, line);
            }
        }
        if !self.halted {
            self.table.put(key, depth, mixture.value(), (alpha, beta), best);
        }
        mixture.value()
    }

    /// The mixture of the enemy's options and of letting things be, which is worth so much; and the option that [`Tree::weigh`]
    /// ends with, its line in `line`.
    fn mix(
        &mut self,
        let_be: i32,
        first: Option<Action>,
        (depth, alpha, ply): (i32, i32, usize),
        line: &mut Line,
    ) -> (Mixture, Option<Action>) {
        line.clear();
        let mut mixture = Mixture::new(let_be);
        let mut best = None;
        if let_be > alpha && !self.halted {
            let options = self.options(first, ply);
            best = self.weigh(&options, &mut mixture, (depth, alpha, ply), line);
        }
        (mixture, best)
    }

    /// Adds the enemy's options to the mixture, until it is worth no more than `alpha`. The last that made it worth less, its
    /// line in `line`.
    fn weigh(
        &mut self,
        options: &[Answer],
        mixture: &mut Mixture,
        (depth, alpha, ply): (i32, i32, usize),
        line: &mut Line,
    ) -> Option<Action> {
        let (mut value, mut best) = (mixture.value(), None);
        let mut below = Line::new();
        for (index, option) in options.iter().enumerate() {
            let quiet = option.outcome.is_none();
            let late = quiet && depth >= 3 && !self.memory.is_killer(option.action, ply);
            let reduction = if late { i32::from(index >= 3) + i32::from(index >= 10) } else { 0 };
            let answer = self.answer(option, (depth, reduction), mixture, alpha, ply, &mut below);
            if self.halted {
                break;
            }
            mixture.add(option.open, answer);
            if mixture.value() < value {
                value = mixture.value();
                best = Some(option.action);
                self.extend(line, option.action, &below);
            }
            if value <= alpha {
                if quiet {
                    self.memory.reward(self.gauge.us().enemy(), option.action, ply, depth);
                }
                break;
            }
        }
        best
    }

    /// What the node is worth if the enemy takes this option, searched less deeply first where there is a reduction; as much as
    /// what is open for sure, or more, if it would rather not.
    fn answer(
        &mut self,
        option: &Answer,
        (depth, reduction): (i32, i32),
        mixture: &Mixture,
        alpha: i32,
        ply: usize,
        line: &mut Line,
    ) -> i32 {
        let ceiling = mixture.ceiling(option.open);
        let window = (mixture.enough(option.open, alpha), ceiling);
        let Some(undo) = self.play(option.action, option.outcome) else { return ceiling };
        let mut value = self.ours(depth - 1 - reduction, window, ply + 1, line);
        if reduction > 0 && value < ceiling && !self.halted {
            value = self.ours(depth - 1, window, ply + 1, line);
        }
        self.undo(undo);
        value
    }

    /// What the enemy may do here, the most harmful first.
    fn options(&mut self, first: Option<Action>, ply: usize) -> Vec<Answer> {
        let mut list = self.actions();
        self.keep_near(&mut list);
        let mut options = Vec::with_capacity(16);
        for &action in &list {
            if self.position.is_strike(action) {
                self.strike_options(action, &mut options);
            } else if let Some(mut option) = self.move_option(action) {
                let promise = self.memory.promise(self.gauge.us().enemy(), action, ply);
                option.harm = if action.rescue.is_some() { 1 << 24 } else { promise };
                options.push(option);
            }
        }
        self.recycle(list);
        for option in &mut options {
            if Some(option.action) == first {
                option.harm = i32::MAX;
            }
        }
        options.sort_by_key(|option| std::cmp::Reverse(option.harm));
        options
    }

    /// Leaves out the moves of the side to act that come near no piece of the other side; letting things be stands
    /// for them all.
    pub(super) fn keep_near(&self, list: &mut Vec<Action>) {
        let side = self.position.to_move();
        if self.position.standing(side) <= FEW {
            return;
        }
        let others = self.position.occupied(side.enemy());
        let (near, next) = (others.within_steps(NEAR), others.within_steps(1));
        list.retain(|action| {
            action.rescue.is_some() || near.contains(action.to) || next.contains(action.from)
        });
    }

    fn move_option(&self, action: Action) -> Option<Answer> {
        let id = self.position.piece_at(action.from)?;
        let far = action.distance() > 1;
        let chance = if far {
            mass(&self.gauge.conditioned(&self.position, id), RankSet::only(Rank::Scout))
        } else {
            self.gauge.row_of(id).mobile
        };
        let open = Open { chance: chance * SEES, shared: chance >= OPEN };
        (chance >= if far { 0.5 } else { 0.15 }).then_some(Answer { action, outcome: None, open, harm: 0 })
    }

    /// The ways in which an enemy strike could profit it.
    pub(super) fn strike_options(&self, action: Action, options: &mut Vec<Answer>) {
        let (Some(id), Some(ours)) = (self.position.piece_at(action.from), self.position.piece_at(action.to))
        else {
            return;
        };
        let piece = self.position.piece(ours);
        let Some(rank) = piece.ranks.single() else { return };
        let able = if action.distance() > 1 { RankSet::only(Rank::Scout) } else { RankSet::MOBILE };
        let chances = self.gauge.conditioned(&self.position, id);
        let aggressor = self.position.rules().aggressor;
        let mut open = [0.0f32; 3];
        for striker in able.iter().filter(|&striker| self.gauge.profits(striker, rank, aggressor)) {
            open[battle(striker, rank, aggressor) as usize] +=
                chances[striker.index()] * self.gauge.dares(&self.position, striker, ours);
        }
        for outcome in [Outcome::Win, Outcome::Tie] {
            let chance = open[outcome as usize];
            if chance >= UNLIKELY {
                let threat = self.gauge.row_of(id).threat[ours.number()][Shown::Known as usize];
                options.push(Answer {
                    action,
                    outcome: Some(outcome),
                    open: Open { chance, shared: false },
                    harm: (1 << 24) + threat as i32,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::dice::Dice;
    use crate::rules::{Position, Ruleset, Setup, Side, Spn, Viewer};
    use crate::search::Table;
    use crate::search::trial::task;
    use crate::view::View;

    const ARMIES: [&str; 2] =
        ["B3FB3262452B3B6B5S7325B48269474M62225873", "3BFB22S5B32B63B475B46342826597M542862723"];

    /// What the mover knows after so many plies of random play.
    fn after(plies: u32, dice: &mut Dice) -> View {
        let mut position = Position::new(Ruleset::default());
        for (side, army) in Side::BOTH.into_iter().zip(ARMIES) {
            position.deploy(side, &army.parse::<Setup>().unwrap());
        }
        while position.ply() < plies {
            let actions = position.actions();
            position.play(actions[dice.below(actions.len())].into()).unwrap();
            if position.ending().is_some() {
                position.undo();
            }
        }
        let mover = position.to_move();
        View::from_spn(&Spn { position, viewer: Viewer::Both }, mover)
    }

    /// Deeper, late actions are looked at less deeply first, and which of them are seen in full depends on the window.
    const DEPTH: i32 = 2;

    /// What a fresh search finds, we or the enemy to act.
    fn value(view: &View, us: bool, window: (i32, i32)) -> i32 {
        let (belief, table) = (Belief::of_enemies(view), Table::of_megabytes(1).unwrap());
        let task = task(view, &belief, None, &[]);
        let mut tree = Tree::new(&task, &table, None);
        if us {
            return tree.ours(DEPTH, window, 0, &mut Line::new());
        }
        tree.position.pass();
        tree.theirs(DEPTH, window, 1, &mut Line::new())
    }

    #[test]
    fn a_narrow_window_is_answered_as_the_widest_is() {
        let mut dice = Dice::new(5);
        for plies in [40, 61, 90, 121, 160, 201, 240, 300, 360, 420] {
            let view = after(plies, &mut dice);
            for us in [false, true] {
                let whole = value(&view, us, (-INFINITE, INFINITE));
                for off in [-200_000, -50_000, -10_000, -1_000, 1_000, 10_000, 50_000] {
                    let alpha = whole + off;
                    let narrow = value(&view, us, (alpha, alpha + 1));
                    assert_eq!(
                        narrow > alpha,
                        whole > alpha,
                        "{plies} {us}: {whole}, {narrow} beside {alpha}"
                    );
                }
            }
        }
    }
}
