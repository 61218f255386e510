//! The root: iterative deepening over our actions (D. J. Slate and L. R. Atkin, *Chess 4.5, the Northwestern University
//! chess program*, 1977), each iteration a principal variation search with as many lines as
//! were asked for.

use super::bias::{OpeningNoise, policy_bonus, strike_bonus, surely_loses};
use super::limits::{Extent, Iteration, SharedSearch, TimeManager};
use super::params;
use super::rescue;
use super::task::{Candidate, Choice, Info, Moment, Score, SearchTask, Step};
use super::transposition::TranspositionTable;
use super::tree::{Line, Tree};
use super::value::{Node, Value, Window, strike_incentive};
use crate::eval::{Evaluator, Walk};
use crate::rng::Rng;
use crate::rules::{Action, Position, Rank};

/// Deepest iteration.
const MOST_DEPTH: u32 = 60;
/// The streams of the seed that a level's noise is drawn from, by ply.
const NOISE_STREAM: u64 = 1 << 32;

/// One of our actions at the root.
struct RootAction {
    action: Action,
    /// Added to what the tree says: a random tie break, less the cost of going in circles, and what `unscored` is.
    bias: Value,
    /// The part of the bias that says nothing of who wins: a level's noise, that of the opening, the progress
    /// incentive, what the policy and the bonus for strikes add.
    unscored: Value,
    value: Value,
    /// The depth at which `value` was found exactly; `None` while it is only known to be no better than others.
    exact: Option<u32>,
    line: Line,
    /// Whether the game is drawn with it.
    drawn: bool,
}

impl RootAction {
    /// Who wins, as the search sees it.
    fn score(&self, root: Moment) -> Score {
        if self.drawn {
            return Score::DRAWN;
        }
        Score::of(self.value.saturating_sub(self.unscored), root)
    }

    /// What is reported of it after the search; `None` if it has no exact value. `slope` turns points into values.
    fn candidate(&self, root: Moment, slope: f32) -> Option<Candidate> {
        let depth = self.exact?;
        let points = (self.value - self.bias).as_evaluation();
        let added = self.bias.as_f32() / slope;
        Some(Candidate { action: self.action, points, added, score: self.score(root), depth })
    }
}

/// When and by whom something is expected at the root.
fn moment(position: &Position) -> Moment {
    Moment { ply: position.ply(), side: position.to_move() }
}

/// The main thread's search: it reports after each iteration and decides.
pub(super) fn main_thread<E: Evaluator>(
    (task, evaluator): (&SearchTask<'_>, E),
    table: &TranspositionTable,
    shared: Option<&SharedSearch>,
    report: &mut dyn FnMut(&Info),
) -> Choice {
    let mut tree = Tree::new(task, Walk::new(evaluator, task.view, task.belief), table, shared);
    let mut candidates = candidates(&tree);
    let (mut score, mut comparable) = (None, Vec::new());
    let mut time = TimeManager::new(task.conditions.budget.soft);
    let most = task.conditions.budget.depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    for depth in 1..=most {
        if candidates.is_empty() {
            break;
        }
        // However late it is, every action is looked at once: 36 nodes in the median of 2,362 positions, 634 at most.
        tree.counter.timed = depth > 1;
        let whole = iterate(&mut tree, depth, &mut candidates, task.lines.max(1));
        if whole || comparable.is_empty() {
            comparable = with_values(&tree, &candidates);
        }
        if whole || candidates[0].value > -Value::INFINITE {
            score = Some(candidates[0].score(moment(&tree.walk.position)));
            report_lines(&tree, depth, &candidates, report);
        }
        let forced = candidates.len() == 1
            && (task.conditions.budget.hard.is_some() || task.conditions.budget.nodes.is_some());
        let next = candidates.get(1).map_or(-Value::INFINITE, |next| next.value);
        let RootAction { action: best, value, .. } = candidates[0];
        let iteration = Iteration { depth, best, value, next };
        if tree.counter.halted || forced || !time.goes_on(iteration, task.conditions.control.elapsed()) {
            break;
        }
    }
    let best = chosen(&tree.walk.position, &candidates);
    let answer = best.and_then(|best| best.line.get(1).copied());
    let action = best.map(|best| best.action);
    Choice { action, score, nodes: tree.counter.nodes, answer, candidates: comparable }
}

/// The first of the candidates, as many as lines were asked for, with their values.
fn with_values<E: Evaluator>(tree: &Tree<'_, E>, candidates: &[RootAction]) -> Vec<Candidate> {
    let slope = Value::slope(tree.root_evaluation);
    let first = candidates.iter().take(tree.task.lines.max(1));
    first.filter_map(|candidate| candidate.candidate(moment(&tree.walk.position), slope)).collect()
}

/// The best candidate of those searched; where the limits let none be searched to its end, what the bias favours, and a
/// move rather than a strike, as nobody has looked at what would come of it.
fn chosen<'a>(position: &Position, candidates: &'a [RootAction]) -> Option<&'a RootAction> {
    let first = candidates.first()?;
    let by_bias = |candidate: &&RootAction| (!position.is_strike(candidate.action), candidate.bias);
    let is_searched = first.value > -Value::INFINITE;
    if is_searched { Some(first) } else { candidates.iter().max_by_key(by_bias) }
}

/// A helper's search, which only fills the table and begins elsewhere than the main thread. Returns its nodes.
pub(super) fn helper_thread<E: Evaluator>(
    (task, evaluator): (&SearchTask<'_>, E),
    table: &TranspositionTable,
    shared: &SharedSearch,
    number: usize,
) -> u64 {
    let mut tree = Tree::new(task, Walk::new(evaluator, task.view, task.belief), table, Some(shared));
    let mut candidates = candidates(&tree);
    let away = number % candidates.len().max(1);
    candidates.rotate_left(away);
    // No deeper than was asked for: what it finds there would decide.
    let most = task.conditions.budget.depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    for depth in 1 + number as u32 % 2..=most {
        if tree.counter.halted || candidates.is_empty() || !iterate(&mut tree, depth, &mut candidates, 1) {
            break;
        }
    }
    tree.counter.nodes
}

/// The actions at the root.
fn candidates<E: Evaluator>(tree: &Tree<'_, E>) -> Vec<RootAction> {
    let (task, position, evaluation) = (tree.task, &tree.walk.position, tree.root_evaluation);
    let incentive = strike_incentive(evaluation, position.quiet());
    // Turns points of evaluation into values of the tree.
    let slope = Value::slope(evaluation);
    let ply = u64::from(position.ply());
    let mut rng = Rng::stream(task.conditions.seed, ply);
    let mut noise = Rng::stream(task.conditions.seed, NOISE_STREAM | ply);
    let mut opening_noise = OpeningNoise::new(task.conditions.seed, position);
    let mut actions = position.actions();
    if task.only.is_empty() {
        rescue::prune(position, &tree.walk.known, &mut actions);
    } else {
        actions.retain(|action| task.only.contains(action));
    }
    let bonus_of = policy_bonus(task.policy, task.conditions.level, |action| position.is_strike(action));
    let bomb = |id| tree.walk.known.conditioned(position, id)[Rank::Bomb];
    let candidate = |action| {
        let visits = position.times_reached(action) as f32;
        let points = params::tie_break() * (2.0 * rng.unit() - 1.0) - params::returning() * visits * visits;
        let incentive = if position.is_strike(action) { incentive } else { 0.0 };
        let bonus = strike_bonus(position, action, bomb);
        let mut misjudged = task.conditions.level.noise(&mut noise);
        if surely_loses(position, action) {
            misjudged = misjudged.min(0.0);
        }
        let by_chance = if position.is_strike(action) { 0.0 } else { opening_noise.points() };
        let unscored =
            Value::from_sum((misjudged + incentive + bonus + bonus_of(action) + by_chance) * slope);
        let bias = Value::from_sum(points * slope) + unscored;
        let drawn = is_drawn(position, action);
        RootAction { action, bias, unscored, value: -Value::INFINITE, exact: None, line: vec![], drawn }
    };
    actions.into_iter().map(candidate).collect()
}

/// Whether the game ends as a draw with a move, which no hidden rank can change: by a limit of plies, that is. A draw is
/// worth what an even position is, so its value does not tell.
fn is_drawn(position: &Position, action: Action) -> bool {
    let rules = position.rules();
    let due = |limit: u32, made: u32| limit > 0 && made + 1 >= limit;
    if position.is_strike(action) || !(due(rules.quiet, position.quiet()) || due(rules.plies, position.ply()))
    {
        return false;
    }
    let mut after = position.clone();
    after.play(action.into()).is_ok() && after.ending().is_some_and(|ending| ending.winner.is_none())
}

/// Searches every candidate to `depth` and sorts them, best first; false if a limit broke it off. What was broken
/// off keeps its place behind what was searched and found better.
fn iterate<E: Evaluator>(
    tree: &mut Tree<'_, E>,
    depth: u32,
    candidates: &mut [RootAction],
    lines: usize,
) -> bool {
    tree.quiescence = Extent::of_search(depth);
    for index in 0..candidates.len() {
        let alpha = if index >= lines { candidates[lines - 1].value } else { -Value::INFINITE };
        let RootAction { action, bias, .. } = candidates[index];
        let least = alpha - bias;
        let (mut value, mut line) = (Value::INFINITE, Line::new());
        if index >= lines {
            // Principal variation search: whether it is better at all is asked in a null window, which is cheaper.
            (value, line) = action_value(tree, action, depth as i32, Window::null(least));
        }
        if value > least && !tree.counter.halted {
            (value, line) = action_value(tree, action, depth as i32, Window::from(least));
        }
        if tree.counter.halted {
            return false;
        }
        candidates[index].value = value + bias;
        candidates[index].exact = (value > least).then_some(depth);
        candidates[index].line = line;
        let place = candidates[..index].partition_point(|other| other.value >= candidates[index].value);
        candidates[place..=index].rotate_right(1);
    }
    true
}

/// An action at the root and what it is worth.
#[derive(Copy, Clone)]
pub(super) struct ActionValue {
    pub(super) action: Action,
    pub(super) value: Value,
}

/// The value of each action at the root, searched to this depth.
pub(super) fn values<E: Evaluator>(tree: &mut Tree<'_, E>, depth: i32) -> Vec<ActionValue> {
    let actions = tree.walk.position.actions();
    let value = |action| ActionValue { action, value: action_value(tree, action, depth, Window::FULL).0 };
    actions.into_iter().map(value).collect()
}

/// The value of an action at the root, and its line.
fn action_value<E: Evaluator>(
    tree: &mut Tree<'_, E>,
    action: Action,
    depth: i32,
    window: Window,
) -> (Value, Line) {
    let node = Node { depth, window, ply: 0 };
    let mut below = Line::new();
    let strike = tree.walk.position.is_strike(action);
    let value = if strike {
        tree.strike(action, node, &mut below)
    } else {
        let Some(undo) = tree.play(action, None) else { return (-Value::INFINITE, below) };
        let value = tree.enemy_node(node.child(), &mut below);
        tree.undo(undo);
        value
    };
    let mut line = vec![Step { action, strike }];
    line.append(&mut below);
    (value, line)
}

/// Reports the best lines.
fn report_lines<E: Evaluator>(
    tree: &Tree<'_, E>,
    depth: u32,
    candidates: &[RootAction],
    report: &mut dyn FnMut(&Info),
) {
    for (index, candidate) in candidates.iter().take(tree.task.lines.max(1)).enumerate() {
        report(&Info {
            // An iteration that was broken off reports what the one before it found.
            depth: candidate.exact.unwrap_or(depth),
            line: index + 1,
            time: tree.task.conditions.control.elapsed(),
            nodes: tree.counter.of_all_threads(),
            score: candidate.score(moment(&tree.walk.position)),
            worlds: tree.walk.known.worlds(),
            line_of_play: candidate.line.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::belief::Belief;
    use crate::eval::HandMade;
    use crate::rules::{Ruleset, Side, Spn};
    use crate::search::test_support::task;
    use crate::search::{ActionProbability, Clock, Level};
    use crate::view::View;
    use std::time::Duration;

    /// How often level 1 strikes with Red's major, in 100 draws of its noise, what stands in front of it.
    fn strikes(target: &str) -> usize {
        let text = format!("9?/9?/10/10/2__2__2/2__2__2/{target}9/I+9/10/MB3K3H r r -,- 0 0 preset=isf");
        let view = View::from_spn(&Spn::parse(&text, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let chosen = |seed| {
            let table = TranspositionTable::of_megabytes(1).unwrap();
            let mut task = task(&view, &belief, Some(60), &[]);
            (task.conditions.seed, task.conditions.level) = (seed, Level::new(1).unwrap());
            main_thread((&task, HandMade), &table, None, &mut |_| {}).action.unwrap()
        };
        (0..100).filter(|&seed| chosen(seed).to == "a4".parse().unwrap()).count()
    }

    #[test]
    fn noise_never_favours_a_strike_that_is_known_to_lose() {
        assert_eq!(strikes("v+"), 0);
        // It does strike weaker and unknown ones.
        let [weaker, equal, unknown] = ["t+", "u+", "?"].map(strikes);
        assert!(weaker > 5 && equal > 5 && unknown > 0, "{weaker} {equal} {unknown}");
    }

    struct Late;

    impl Clock for Late {
        fn elapsed(&self) -> Duration {
            Duration::from_secs(9)
        }
    }

    #[test]
    fn the_first_iteration_is_finished_however_late_it_is() {
        let text = "?8?/9?/10/10/2__2__2/2__2__2/D1D1D1D1D1/10/10/9M r r -,- 0 0 preset=isf";
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let visited = |limit: &dyn Fn(&mut SearchTask<'_>)| {
            let table = TranspositionTable::of_megabytes(1).unwrap();
            let mut task = task(&view, &belief, None, &[]);
            limit(&mut task);
            main_thread((&task, HandMade), &table, None, &mut |_| {}).nodes
        };
        let whole = visited(&|task| task.conditions.budget.depth = Some(1));
        let late = visited(&|task| {
            task.conditions.budget.hard = Some(Duration::from_millis(1));
            task.conditions.control.clock = &Late;
        });
        // It goes on to the next look at the clock; the first look would have ended it.
        assert!(whole > 64 && (whole..whole + 64).contains(&late), "{late} of {whole}");
    }

    #[test]
    fn without_nodes_to_search_the_bias_decides_among_moves() {
        // The general in front of a hidden piece.
        let text = "9?/9?/10/10/2__2__2/2__2__2/?9/G9/10/MB3K3H r r -,- 0 0 preset=isf";
        let view = View::from_spn(&Spn::parse(text, Ruleset::default()).unwrap(), Side::Red);
        let belief = Belief::of_enemies(&view);
        let position = view.position();
        let actions = position.actions();
        let (strikes, moves): (Vec<_>, Vec<_>) =
            actions.iter().partition(|&&action| position.is_strike(action));
        let chosen = |favourite: Action| {
            let said = |action| if action == favourite { -0.1 } else { -9.0 };
            let policy: Vec<_> =
                actions.iter().map(|&action| ActionProbability { action, logarithm: said(action) }).collect();
            let table = TranspositionTable::of_megabytes(1).unwrap();
            let task = SearchTask { policy: &policy, ..task(&view, &belief, Some(1), &[]) };
            let choice = main_thread((&task, HandMade), &table, None, &mut |_| {});
            assert_eq!(choice.score, None);
            choice.action.unwrap()
        };
        for favourite in [moves[1], moves[moves.len() - 1]] {
            assert_eq!(chosen(favourite), favourite);
        }
        assert!(moves.contains(&chosen(strikes[0])));
    }
}
