//! Enemy nodes: the value of the enemy's answers, weighted by their availability.
//!
//! The enemy knows its ranks and we do not, so an action is available to it with the chance that its piece has a rank
//! for it. It takes the available answer that is worst for us; where that fails, the next worst: a piece that is not the
//! spy that could take our Marshal still runs away from it. The enemy never does worse than by the null move, which
//! stands for its many quiet actions elsewhere.

use super::params;
use super::standoff::strike_chances;
use super::tree::{BEFORE_QUIET, Line, MAX_PLY, Tree};
use super::value::{Node, Value, Window};
use crate::eval::{Evaluator, Strike, mass};
use crate::rules::{Action, Direction, Outcome, Rank, RankSet, Square, SquareSet};
use std::cmp::Reverse;

/// How likely the enemy has an answer at its disposal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Availability {
    /// The chance that it is available.
    pub(super) chance: f32,
    /// Whether that depends on one event, the same for all answers with this mark: where one is available, they all
    /// are.
    pub(super) shared: bool,
}

/// An answer that is not certainly available.
#[derive(Copy, Clone, Debug)]
struct Uncertain {
    value: Value,
    availability: Availability,
}

/// What several uncertain answers come to.
#[derive(Copy, Clone)]
struct Expected {
    /// What they add to the value of the node.
    sum: f32,
    /// The chance that none of them is available.
    rest: f32,
}

/// The worst certain answer, and the uncertain ones that are worse for us.
pub(super) struct EnemyValue {
    /// The value of the worst for us of the certainly available answers.
    certain: Value,
    /// The answers below that, the worst for us first; of those that share their chance only the worst.
    uncertain: Vec<Uncertain>,
}

impl EnemyValue {
    /// A node with nothing but a null move of this value.
    pub(super) const fn new(certain: Value) -> EnemyValue {
        EnemyValue { certain, uncertain: Vec::new() }
    }

    /// The value of the worst for us of the certainly available answers.
    pub(super) const fn certain(&self) -> Value {
        self.certain
    }

    /// An answer of this availability and of this value, or more, changes nothing.
    pub(super) fn ceiling(&self, availability: Availability) -> Value {
        let shared = self.uncertain.iter().find(|other| availability.shared && other.availability.shared);
        shared.map_or(self.certain, |other| other.value)
    }

    /// Adds an answer; its chance must be more than 0.
    pub(super) fn add(&mut self, availability: Availability, value: Value) {
        if value >= self.ceiling(availability) {
            return;
        }
        self.uncertain.retain(|other| !(availability.shared && other.availability.shared));
        let place = self.uncertain.partition_point(|other| other.value < value);
        if availability.chance >= params::certain() {
            self.certain = value;
            self.uncertain.truncate(place);
        } else {
            self.uncertain.insert(place, Uncertain { value, availability });
        }
    }

    /// The value of the node with the answers added so far; more answers make it less.
    pub(super) fn value(&self) -> Value {
        if self.uncertain.is_empty() {
            return self.certain;
        }
        let Expected { sum, rest } = self.expected(|_| true);
        Value::from_sum(sum + rest * self.certain.as_f32())
    }

    /// What is expected of those of the uncertain answers, the worst first.
    fn expected(&self, of: impl Fn(&Uncertain) -> bool) -> Expected {
        let none = Expected { sum: 0.0, rest: 1.0 };
        self.uncertain.iter().filter(|other| of(other)).fold(none, |Expected { sum, rest }, other| Expected {
            sum: sum + rest * other.availability.chance * other.value.as_f32(),
            rest: rest * (1.0 - other.availability.chance),
        })
    }

    /// A value so low that an answer of this availability that is worth no more makes the node worth no more than
    /// `alpha`.
    pub(super) fn low_enough(&self, availability: Availability, alpha: Value) -> Value {
        let Availability { chance, shared } = availability;
        // It takes the place of those that it shares its chance with.
        let stays = |other: &Uncertain| !(shared && other.availability.shared);
        let Expected { sum, rest } = self.expected(stays);
        let enough = if chance >= params::certain() {
            (alpha.as_f32() - sum) / rest
        } else {
            (alpha.as_f32() - (1.0 - chance) * (sum + rest * self.certain.as_f32())) / chance
        };
        // Only the worst answer counts with all of its chance.
        let worst =
            self.uncertain.iter().find(|other| stays(other)).map_or(Value::INFINITE, |other| other.value);
        let ceiling = self.ceiling(availability);
        let most = if chance >= params::certain() { ceiling } else { ceiling.min(worst) };
        Value::from_sum(enough.max(-Value::INFINITE.as_f32())).min(alpha).min(most.below()).below()
    }
}

/// Something the enemy may do.
#[derive(Copy, Clone, Debug)]
pub(super) struct Answer {
    pub(super) action: Action,
    /// How its strike ends; `None` for a move.
    pub(super) outcome: Option<Outcome>,
    /// Whether the enemy can play it and sees that it should.
    pub(super) availability: Availability,
    /// The answer's place in the move order: the highest first.
    pub(super) order: i32,
}

impl<E: Evaluator> Tree<'_, E> {
    /// An enemy node: its value for us, and the expected line.
    pub(super) fn enemy_node(&mut self, node: Node, line: &mut Line) -> Value {
        line.clear();
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.quiescence_enemy(node, self.quiescence);
        }
        let (key, first) = match self.open(node) {
            Ok(open) => open,
            Err(value) => return value,
        };
        let null = self.null_move(node, &mut Line::new());
        let (mut enemy_value, mut best) = self.answers_beside(null, first, node, line);
        // From `beta` on the null move's value is a lower bound only, and averaged as if it were exact it may make
        // the node look too low. So the exact value must be known before the node counts as worth less than `beta`.
        let beta = node.window.beta;
        let unproven = null >= beta && enemy_value.certain() == null && enemy_value.value() < beta;
        if unproven && !self.counter.halted {
            let exact = self.null_move(node.within(Window::from(null.below())), &mut Line::new());
            if exact > null && !self.counter.halted {
                (enemy_value, best) = self.answers_beside(exact, best.or(first), node, line);
            }
        }
        if !self.counter.halted {
            self.table.store(key, node, enemy_value.value(), best);
        }
        enemy_value.value()
    }

    /// The node's value by a null move of this value and the enemy's answers; and the answer that
    /// [`Tree::search_answers`] ends with, its line in `line`.
    fn answers_beside(
        &mut self,
        null: Value,
        first: Option<Action>,
        node: Node,
        line: &mut Line,
    ) -> (EnemyValue, Option<Action>) {
        line.clear();
        let mut enemy_value = EnemyValue::new(null);
        let mut best = None;
        if null > node.window.alpha && !self.counter.halted {
            let answers = self.answers(first, node.ply);
            best = self.search_answers(&answers, &mut enemy_value, node, line);
        }
        (enemy_value, best)
    }

    /// Adds answers to what the node is worth until that is no more than `alpha`. The last that made it less, its line
    /// in `line`.
    fn search_answers(
        &mut self,
        answers: &[Answer],
        enemy_value: &mut EnemyValue,
        node: Node,
        line: &mut Line,
    ) -> Option<Action> {
        let (mut value, mut best) = (enemy_value.value(), None);
        let mut below = Line::new();
        for (index, answer) in answers.iter().enumerate() {
            let quiet = answer.outcome.is_none();
            let reduction = if quiet { self.reduction(answer.action, index, node) } else { 0 };
            let ceiling = enemy_value.ceiling(answer.availability);
            let least = enemy_value.low_enough(answer.availability, node.window.alpha);
            let after = node.within(Window::new(least, ceiling));
            let answered = self.answer_value(answer, reduction, after, &mut below);
            if self.counter.halted {
                break;
            }
            enemy_value.add(answer.availability, answered);
            if enemy_value.value() < value {
                value = enemy_value.value();
                best = Some(answer.action);
                self.extend(line, answer.action, &below);
            }
            if value <= node.window.alpha {
                if quiet {
                    self.ordering.update(self.walk.known.us().enemy(), answer.action, node.ply, node.depth);
                }
                break;
            }
        }
        best
    }

    /// The value of the node's position after this answer, searched less deeply first where there is a reduction. The
    /// node's window is the answer's: its `beta`, or more, if the answer does not matter.
    fn answer_value(&mut self, answer: &Answer, reduction: i32, node: Node, line: &mut Line) -> Value {
        let Some(undo) = self.play(answer.action, answer.outcome) else { return node.window.beta };
        let below = node.child();
        let mut value = self.max_node(below.reduced(reduction), line);
        if reduction > 0 && value < node.window.beta && !self.counter.halted {
            value = self.max_node(below, line);
        }
        self.undo(undo);
        value
    }

    /// The enemy's answers, in the order in which they are searched.
    fn answers(&mut self, first: Option<Action>, ply: usize) -> Vec<Answer> {
        let mut list = self.actions();
        self.keep_near(&mut list);
        let lines = self.lines_to_our_flag();
        let mut answers = Vec::with_capacity(16);
        for &action in &list {
            if self.walk.position.is_strike(action) {
                self.strike_answers(action, &mut answers);
            } else if let Some(mut answer) = self.move_answer(action, lines) {
                let score = self.ordering.score(self.walk.known.us().enemy(), action, ply);
                answer.order = if action.rescue.is_some() { BEFORE_QUIET } else { score };
                answers.push(answer);
            }
        }
        self.recycle(list);
        for answer in &mut answers {
            if Some(answer.action) == first {
                answer.order = i32::MAX;
            }
        }
        answers.sort_by_key(|answer| Reverse(answer.order));
        answers
    }

    /// Leaves out the moves of the side to act that come near no piece of the other side; whether there were any. The
    /// null move stands for them all.
    pub(super) fn keep_near(&self, list: &mut Vec<Action>) -> bool {
        let all = list.len();
        if let Some(is_near) = self.near() {
            list.retain(is_near);
        }
        list.len() < all
    }

    /// Whether an action of the side to act comes near a piece of the other side, or leaves one, or rescues. `None` if
    /// so few pieces are left that all count as near.
    fn near(&self) -> Option<impl Fn(&Action) -> bool + use<E>> {
        let side = self.walk.position.to_move();
        if self.walk.position.standing(side) <= params::few_pieces() {
            return None;
        }
        let others = self.walk.position.occupied(side.enemy());
        let (near, next) = (others.within_steps(params::near()), others.within_steps(1));
        Some(move |action: &Action| {
            action.rescue.is_some() || near.contains(action.to) || next.contains(action.from)
        })
    }

    /// The empty squares from which a scout could strike our flag: those beside it, and where the rules let a scout
    /// strike from afar, the lines to it.
    fn lines_to_our_flag(&self) -> SquareSet {
        let afar = self.walk.position.rules().scout;
        let mut lines = SquareSet::EMPTY;
        for direction in Direction::ALL {
            let mut next = self.our_flag.and_then(|flag| flag.step(direction));
            while let Some(square) = next.filter(|&square| self.walk.position.piece_at(square).is_none()) {
                lines |= SquareSet::only(square);
                next = square.step(direction).filter(|_| afar);
            }
        }
        lines
    }

    /// Whether a scout strikes our flag next if it makes this move and could not do so before; `lines` lead to the flag.
    fn turns_at_our_flag(&self, action: Action, lines: SquareSet) -> bool {
        let Some(flag) = self.our_flag.filter(|_| lines.contains(action.to)) else { return false };
        let along = |of: fn(Square) -> u8| of(action.from) == of(flag) && of(action.to) == of(flag);
        let afar = self.walk.position.rules().scout;
        !(action.from.is_next_to(flag) || afar && (along(Square::file) || along(Square::row)))
    }

    /// The answer that is a move, if it is likely enough that the piece can make it. `lines` lead to our flag.
    fn move_answer(&self, action: Action, lines: SquareSet) -> Option<Answer> {
        let id = self.walk.position.piece_at(action.from)?;
        let far = action.distance() > 1;
        let chance = if far {
            mass(&self.walk.known.conditioned(&self.walk.position, id), RankSet::only(Rank::Scout))
        } else {
            self.walk.known.piece(id).mobile
        };
        let availability =
            Availability { chance: chance * params::rationality(), shared: chance >= params::certain() };
        let least = if !far {
            params::unlikely_step()
        } else if self.turns_at_our_flag(action, lines) {
            params::unlikely_at_flag()
        } else {
            params::unlikely_scout()
        };
        (chance >= least).then_some(Answer { action, outcome: None, availability, order: 0 })
    }

    /// The outcomes with which an enemy strike could profit it, each an answer.
    pub(super) fn strike_answers(&self, action: Action, answers: &mut Vec<Answer>) {
        let (Some(id), Some(ours)) =
            (self.walk.position.piece_at(action.from), self.walk.position.piece_at(action.to))
        else {
            return;
        };
        let chances = strike_chances(
            &self.walk.known,
            &self.walk.position,
            action,
            self.path.declined(&self.walk.position, action),
        );
        let retakes = self.retakes(action);
        // It ends the game, so that even a small chance is dear.
        let is_flag = Some(action.to) == self.our_flag;
        let least = if is_flag { params::unlikely_at_flag() } else { params::unlikely_strike() };
        for outcome in [Outcome::Win, Outcome::Tie] {
            let likely = chances[outcome as usize];
            let chance = if retakes { likelier(likely, params::retake_odds()) } else { likely };
            if chance >= least {
                let danger = self.walk.danger(Strike { striker: id, target: ours });
                answers.push(Answer {
                    action,
                    outcome: Some(outcome),
                    availability: Availability { chance, shared: false },
                    order: BEFORE_QUIET.saturating_add(danger as i32),
                });
            }
        }
    }

    /// Whether an enemy strike takes back: our last ply was a strike that ended there.
    fn retakes(&self, action: Action) -> bool {
        let last = self.walk.position.history().next_back();
        last.is_some_and(|last| last.verdict.is_some() && last.action.to == action.to)
    }
}

/// A chance with its odds multiplied.
fn likelier(chance: f32, odds: f32) -> f32 {
    odds * chance / (1.0 - chance + odds * chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::eval::{HandMade, Walk};
    use crate::params::Variant;
    use crate::rng::Rng;
    use crate::rules::{Ruleset, Side, Spn};
    use crate::search::TranspositionTable;
    use crate::search::test_support::task;
    use crate::test_support::after_random_plies;
    use crate::view::View;

    const fn alone(chance: f32) -> Availability {
        Availability { chance, shared: false }
    }

    const fn shared(chance: f32) -> Availability {
        Availability { chance, shared: true }
    }

    #[test]
    fn who_cannot_take_still_runs() {
        // A spy, one in four, takes the Marshal; whatever it is, it can run; after a null move it would fall.
        let mut answers = EnemyValue::new(Value::new(80_000));
        answers.add(alone(0.25), Value::new(-400_000));
        assert_eq!(answers.value().units(), -40_000);
        answers.add(alone(1.0), Value::new(0));
        assert_eq!(answers.value().units(), -100_000);
    }

    #[test]
    fn the_order_of_answers_does_not_matter() {
        let list = [(0.3, -50), (1.0, 10), (0.5, -20), (0.2, 30), (0.95, 5), (0.4, -70)];
        let value = |order: &[usize]| {
            let mut answers = EnemyValue::new(Value::new(100));
            for &index in order {
                answers.add(alone(list[index].0), Value::new(list[index].1));
            }
            answers.value().units()
        };
        // 0.4 * -70 + 0.6 * (0.3 * -50 + 0.7 * (0.5 * -20 + 0.5 * 5))
        let expected = value(&[0, 1, 2, 3, 4, 5]);
        assert!((-41..=-40).contains(&expected), "{expected}");
        assert_eq!(value(&[5, 4, 3, 2, 1, 0]), expected);
        assert_eq!(value(&[2, 0, 4, 1, 5, 3]), expected);
    }

    #[test]
    fn of_answers_that_share_their_chance_the_worst_counts() {
        let mut answers = EnemyValue::new(Value::new(100_000));
        answers.add(shared(0.7), Value::new(50_000));
        assert_eq!((answers.value().units(), answers.ceiling(shared(0.7)).units()), (65_000, 50_000));
        answers.add(shared(0.7), Value::new(60_000));
        assert_eq!((answers.value().units(), answers.ceiling(alone(0.7)).units()), (65_000, 100_000));
        answers.add(shared(0.7), Value::new(0));
        assert_eq!(answers.value().units(), 30_000);
        // A spy, one in four, and where it is none, a move that the enemy finds.
        answers.add(alone(0.25), Value::new(-400_000));
        assert_eq!(answers.value().units(), -77_500);
        // One that is certainly available hides them all.
        answers.add(alone(1.0), Value::new(-500_000));
        assert_eq!((answers.value().units(), answers.ceiling(shared(0.7)).units()), (-500_000, -500_000));
    }

    #[test]
    fn an_answer_that_is_low_enough_settles_the_node() {
        for availability in [alone(0.05), alone(0.3), alone(0.7), alone(1.0), shared(0.7), shared(1.0)] {
            for alpha in [-900_000, -30_000, 0, 50_000, 99_000] {
                for uncertain in [
                    &[][..],
                    &[(alone(0.2), -60_000)],
                    &[(alone(0.6), 20_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), 40_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), -70_000), (alone(0.4), 10_000)],
                ] {
                    let mut answers = EnemyValue::new(Value::new(100_000));
                    for &(availability, value) in uncertain {
                        answers.add(availability, Value::new(value));
                    }
                    let enough = answers.low_enough(availability, Value::new(alpha)).units();
                    assert!(enough < alpha && enough < answers.ceiling(availability).units());
                    answers.add(availability, Value::new(enough));
                    assert!(answers.value().units() <= alpha, "{availability:?} {alpha} {uncertain:?}");
                }
            }
        }
    }

    /// Deeper, late actions are looked at less deeply first, and which of them are seen in full depends on the window.
    const DEPTH: i32 = 2;

    /// What a fresh search finds, we or the enemy to act.
    fn value(view: &View, us: bool, window: Window) -> Value {
        let (belief, table) = (Belief::of_enemies(view), TranspositionTable::of_megabytes(1).unwrap());
        let task = task(view, &belief, None, &[]);
        let mut tree = Tree::new(&task, Walk::new(HandMade, view, &belief), &table, None);
        if us {
            return tree.max_node(Node { depth: DEPTH, window, ply: 0 }, &mut Line::new());
        }
        tree.walk.position.pass();
        tree.enemy_node(Node { depth: DEPTH, window, ply: 1 }, &mut Line::new())
    }

    fn with<T>(numbers: &str, work: impl FnOnce() -> T) -> T {
        Variant::read(params::PARAMETERS, numbers).unwrap().while_doing(work)
    }

    #[test]
    fn a_narrow_window_is_answered_as_the_widest_is() {
        let mut rng = Rng::new(5);
        for plies in [40, 61, 90, 121, 160, 201, 240, 300, 360, 420] {
            let view = after_random_plies(Ruleset::default(), plies, &mut rng);
            for us in [false, true] {
                let whole = value(&view, us, Window::FULL);
                for off in [-200_000, -50_000, -10_000, -1_000, 1_000, 10_000, 50_000] {
                    let alpha = whole + Value::new(off);
                    let narrow = value(&view, us, Window::null(alpha));
                    assert_eq!(
                        narrow > alpha,
                        whole > alpha,
                        "{plies} {us}: {whole:?}, {narrow:?} beside {alpha:?}"
                    );
                }
            }
        }
    }

    /// The answers by long moves of a hidden piece on e10, one of nine, with Red's last two rows as given.
    fn far_from_e10(ours: &str, preset: &str) -> Vec<String> {
        let text = format!("?3?1????/????6/10/10/2__2__2/2__2__2/10/10/{ours} r r -,- 0 60 preset={preset}");
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        let (belief, table) = (Belief::of_enemies(&view), TranspositionTable::of_megabytes(1).unwrap());
        let task = task(&view, &belief, None, &[]);
        let mut tree = Tree::new(&task, Walk::new(HandMade, &view, &belief), &table, None);
        tree.pass();
        // What is less likely than a third is left out, but at the flag.
        let answers = with("search.unlikely_strike=0.33,search.unlikely_scout=0.5", || tree.answers(None, 0));
        let e10 = "e10".parse().unwrap();
        let far = answers.iter().map(|answer| answer.action).filter(|at| at.from == e10 && at.distance() > 1);
        far.map(|action| action.text(false)).collect()
    }

    #[test]
    fn at_our_flag_a_small_chance_counts() {
        let far = |ours| far_from_e10(ours, "isf");
        // It strikes from afar a flag, and not a sergeant; nor does it come nearer first.
        assert_eq!(far("10/3BMB3H"), ["e10e1"]);
        assert!(far("10/3BFB2MH").is_empty());
        assert!(far("4B5/3BMB3H").is_empty());
        // It turns into a row at the end of which the flag stands.
        assert_eq!(far("B9/M6B1H"), ["e10e1"]);
        assert!(far("B9/MB5B1H").is_empty());
    }

    #[test]
    fn where_scouts_strike_from_beside_only_that_square_counts() {
        let far = |ours| far_from_e10(ours, "1961");
        // Beside the flag it counts, and not a row farther, nor at the end of the flag's row.
        assert_eq!(far("10/3BMB3H"), ["e10e2"]);
        assert!(far("4B5/3BMB3H").is_empty());
        assert!(far("B9/M6B1H").is_empty());
    }

    #[test]
    fn a_strike_that_was_not_made_is_less_likely() {
        // In front of our lieutenants on a4 and e4: one that is hidden and has moved, and a known captain.
        let text = "9?/9?/10/10/2__2__2/?+?__u+?+__2/EG2EE4/10/10/MB3K3H r r -,- 0 60 preset=isf";
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        let (belief, table) = (Belief::of_enemies(&view), TranspositionTable::of_megabytes(1).unwrap());
        let task = task(&view, &belief, None, &[]);
        let mut tree = Tree::new(&task, Walk::new(HandMade, &view, &belief), &table, None);
        let chance = |tree: &Tree<'_, HandMade>, file: &str| {
            let strike =
                Action::new(format!("{file}5").parse().unwrap(), format!("{file}4").parse().unwrap());
            let mut answers = Vec::new();
            tree.strike_answers(strike, &mut answers);
            answers.iter().map(|answer| answer.availability.chance).sum::<f32>()
        };
        tree.pass();
        let chances = |tree: &Tree<'_, HandMade>| {
            with("search.declined=1.5", || ["a", "e"].map(|file| chance(tree, file)))
        };
        let before = chances(&tree);
        tree.pass();
        tree.pass();
        let after = chances(&tree);
        for (before, after) in before.into_iter().zip(after) {
            assert!(before > 0.1 && (after / before - 0.4).abs() < 1e-3, "{before} {after}");
        }
    }
}
