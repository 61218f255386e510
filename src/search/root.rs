//! The root: iterative deepening over our actions.

use super::crew::{self, Crew};
use super::pace::{Found, Pace};
use super::rescue;
use super::score::{Score, press, slope};
use super::table::Table;
use super::tree::{INFINITE, Line, Tree};
use super::{Budget, Choice, Info, Step, Task};
use crate::dice::Dice;
use crate::eval::{Evaluator, HandMade, InformationState};
use crate::rules::Action;

/// Deepest iteration.
const MOST_DEPTH: u32 = 60;
/// Half-width of the random nudge that mixes near-equal actions, in points of evaluation.
const NUDGE: f32 = 1.0;
/// Cost of coming back to a position once, in points of evaluation; it grows with the square of the visits.
const RETURNING: f32 = 3.0;
/// The streams of the seed that a level's errors are drawn from, by ply.
const SLIPS: u64 = 1 << 32;

/// One of our actions at the root.
struct Candidate {
    action: Action,
    /// Added to what the tree says: a nudge, less the cost of going in circles.
    bias: i32,
    /// The part of the bias that tells nothing of who wins: by how much a level below full strength errs, and what a lead that
    /// stands still pays for a strike.
    aside: i32,
    value: i32,
    line: Line,
}

impl Candidate {
    /// Who wins, as the search sees it.
    fn score(&self) -> Score {
        Score::of(self.value.saturating_sub(self.aside))
    }
}

/// Searches and reports after each iteration; the best line of the last report is the choice.
///
/// It is `task.view`'s player's turn. With equal seed and node budget, one thread and no clock limit, the result is the
/// same.
pub fn search(task: &Task<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    let task = &within_level(task);
    let own;
    let table = if let Some(table) = task.table.filter(|table| !table.exceeds(task.budget.nodes)) {
        table
    } else {
        own = Table::for_nodes(task.budget.nodes);
        &own
    };
    match crew::size(task) {
        1 => lead(task, table, None, report),
        threads => crew::search(task, table, threads, report),
    }
}

/// The search of the thread that reports and decides.
pub(super) fn lead(
    task: &Task<'_>,
    table: &Table,
    crew: Option<&Crew>,
    report: &mut dyn FnMut(&Info),
) -> Choice {
    let mut tree = Tree::new(task, table, crew);
    let mut candidates = candidates(task, &tree.state);
    let mut score = None;
    let mut pace = Pace::new(task.budget.soft);
    let most = task.budget.depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    for depth in 1..=most {
        if candidates.is_empty() {
            break;
        }
        let whole = iterate(&mut tree, depth, &mut candidates, task.lines.max(1));
        if whole || candidates[0].value > -INFINITE {
            score = Some(candidates[0].score());
            tell(&tree, depth, &candidates, report);
        }
        let forced = candidates.len() == 1 && (task.budget.hard.is_some() || task.budget.nodes.is_some());
        let next = candidates.get(1).map_or(-INFINITE, |next| next.value);
        let Candidate { action: best, value, .. } = candidates[0];
        let found = Found { depth, best, value, next };
        if tree.halted || forced || !pace.goes_on(found, task.clock.elapsed()) {
            break;
        }
    }
    let best = candidates.first();
    let answer = best.and_then(|best| best.line.get(1).copied());
    Choice { action: best.map(|best| best.action), score, nodes: tree.nodes, answer }
}

/// The search of a thread that only fills the table, begun elsewhere than the leading one; returns its nodes.
pub(super) fn assist(task: &Task<'_>, table: &Table, crew: &Crew, number: usize) -> u64 {
    let mut tree = Tree::new(task, table, Some(crew));
    let mut candidates = candidates(task, &tree.state);
    let away = number % candidates.len().max(1);
    candidates.rotate_left(away);
    for depth in 1 + number as u32 % 2..=MOST_DEPTH {
        if tree.halted || candidates.is_empty() || !iterate(&mut tree, depth, &mut candidates, 1) {
            break;
        }
    }
    tree.nodes
}

/// The task with the nodes that its level visits at most.
fn within_level<'a>(task: &Task<'a>) -> Task<'a> {
    let most = task.level.most_nodes();
    let nodes = task.budget.nodes.map_or(most, |nodes| Some(most.map_or(nodes, |most| most.min(nodes))));
    Task { budget: Budget { nodes, ..task.budget }, ..*task }
}

/// The actions at the root.
fn candidates(task: &Task<'_>, state: &InformationState) -> Vec<Candidate> {
    let position = task.view.position();
    // Turns points of evaluation into values of the tree.
    let value = HandMade.evaluate(position, state);
    let (slope, press) = (slope(value), press(value, position.quiet()));
    let ply = u64::from(position.ply());
    let (mut dice, mut slips) = (Dice::stream(task.seed, ply), Dice::stream(task.seed, SLIPS | ply));
    let mut actions = position.actions();
    if task.only.is_empty() {
        rescue::prune(position, state, &mut actions);
    } else {
        actions.retain(|action| task.only.contains(action));
    }
    let candidate = |action| {
        let visits = position.times_reached(action) as f32;
        let points = NUDGE * (2.0 * dice.unit() - 1.0) - RETURNING * visits * visits;
        let press = if position.is_strike(action) { press } else { 0.0 };
        let aside = ((task.level.slip(&mut slips) + press) * slope) as i32;
        let bias = (points * slope) as i32 + aside;
        Candidate { action, bias, aside, value: -INFINITE, line: vec![] }
    };
    actions.into_iter().map(candidate).collect()
}

/// Searches every candidate to `depth` and sorts them, best first; false if a limit broke it off. What was broken
/// off keeps its place behind what was searched and found better.
fn iterate(tree: &mut Tree<'_>, depth: u32, candidates: &mut [Candidate], lines: usize) -> bool {
    for index in 0..candidates.len() {
        let alpha = if index >= lines { candidates[lines - 1].value } else { -INFINITE };
        let Candidate { action, bias, .. } = candidates[index];
        let least = alpha - bias;
        let (mut value, mut line) = (INFINITE, Line::new());
        if index >= lines {
            // Whether it is better at all is cheaper to ask than by how much.
            (value, line) = probe(tree, action, depth as i32, (least, least + 1));
        }
        if value > least && !tree.halted {
            (value, line) = probe(tree, action, depth as i32, (least, INFINITE));
        }
        if tree.halted {
            return false;
        }
        candidates[index].value = value.saturating_add(bias);
        candidates[index].line = line;
        let place = candidates[..index].partition_point(|other| other.value >= candidates[index].value);
        candidates[place..=index].rotate_right(1);
    }
    true
}

/// What each action at the root is worth, so many plies looked ahead.
pub(super) fn values(tree: &mut Tree<'_>, depth: i32) -> Vec<(Action, i32)> {
    let actions = tree.position.actions();
    let value = |action: Action| (action, probe(tree, action, depth, (-INFINITE, INFINITE)).0);
    actions.into_iter().map(value).collect()
}

fn probe(tree: &mut Tree<'_>, action: Action, depth: i32, window: (i32, i32)) -> (i32, Line) {
    let mut below = Line::new();
    let strike = tree.position.is_strike(action);
    let value = if strike {
        tree.strike(action, depth - 1, window, 0, &mut below)
    } else {
        let Some(undo) = tree.play(action, None) else { return (-INFINITE, below) };
        let value = tree.theirs(depth - 1, window, 1, &mut below);
        tree.undo(undo);
        value
    };
    let mut line = vec![Step { action, strike }];
    line.append(&mut below);
    (value, line)
}

fn tell(tree: &Tree<'_>, depth: u32, candidates: &[Candidate], report: &mut dyn FnMut(&Info)) {
    for (index, candidate) in candidates.iter().take(tree.task.lines.max(1)).enumerate() {
        report(&Info {
            depth,
            line: index + 1,
            time: tree.task.clock.elapsed(),
            nodes: tree.visited(),
            score: candidate.score(),
            worlds: tree.state.worlds(),
            line_of_play: candidate.line.clone(),
        });
    }
}
