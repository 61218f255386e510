//! The root: iterative deepening over our actions.

use super::rescue;
use super::score::{Score, slope};
use super::tree::{INFINITE, Line, Tree};
use super::{Choice, Info, Step, Task};
use crate::dice::Dice;
use crate::eval::Gauge;
use crate::rules::Action;

/// Deepest iteration.
const MOST_DEPTH: u32 = 60;
/// Half-width of the random nudge that mixes near-equal actions, in points of evaluation.
const NUDGE: f32 = 1.0;
/// Cost of coming back to a position once, in points of evaluation; it grows with the square of the visits.
const RETURNING: f32 = 3.0;

/// One of our actions at the root.
struct Candidate {
    action: Action,
    /// Added to what the tree says: a nudge, less the cost of going in circles.
    bias: i32,
    value: i32,
    line: Line,
}

/// Searches and reports after each iteration; the best line of the last report is the choice.
///
/// It is `task.view`'s player's turn. With equal seed and node budget, and no clock limit, the result is the same.
pub fn search(task: &Task<'_>, report: &mut dyn FnMut(&Info)) -> Choice {
    let mut tree = Tree::new(task);
    let mut candidates = candidates(task, &tree.gauge);
    let mut score = None;
    let most = task.budget.depth.unwrap_or(MOST_DEPTH).min(MOST_DEPTH);
    for depth in 1..=most {
        if candidates.is_empty() {
            break;
        }
        let whole = iterate(&mut tree, depth, &mut candidates, task.lines.max(1));
        if whole || candidates[0].value > -INFINITE {
            score = Some(Score::of(candidates[0].value));
            tell(&tree, depth, &candidates, report);
        }
        let forced = candidates.len() == 1 && (task.budget.hard.is_some() || task.budget.nodes.is_some());
        let spent = task.budget.soft.is_some_and(|soft| task.clock.elapsed() * 2 > soft);
        if tree.halted || forced || spent {
            break;
        }
    }
    Choice { action: candidates.first().map(|best| best.action), score, nodes: tree.nodes }
}

/// The actions at the root.
fn candidates(task: &Task<'_>, gauge: &Gauge) -> Vec<Candidate> {
    let position = task.view.position();
    // Turns points of evaluation into values of the tree.
    let slope = slope(gauge.value(position));
    let mut dice = Dice::stream(task.seed, position.ply().into());
    let mut actions = position.actions();
    if task.only.is_empty() {
        rescue::prune(position, gauge, &mut actions);
    } else {
        actions.retain(|action| task.only.contains(action));
    }
    let candidate = |action| {
        let visits = position.times_reached(action) as f32;
        let points = NUDGE * (2.0 * dice.unit() - 1.0) - RETURNING * visits * visits;
        let bias = (points * slope) as i32;
        Candidate { action, bias, value: -INFINITE, line: vec![] }
    };
    actions.into_iter().map(candidate).collect()
}

/// Searches every candidate to `depth` and sorts them, best first; false if a limit broke it off. What was broken
/// off keeps its place behind what was searched and found better.
fn iterate(tree: &mut Tree<'_>, depth: u32, candidates: &mut [Candidate], lines: usize) -> bool {
    for index in 0..candidates.len() {
        let alpha = if index >= lines { candidates[lines - 1].value } else { -INFINITE };
        let Candidate { action, bias, .. } = candidates[index];
        let (value, line) = probe(tree, action, depth as i32, (alpha - bias, INFINITE));
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
            nodes: tree.nodes,
            score: Score::of(candidate.value),
            worlds: None,
            line_of_play: candidate.line.clone(),
        });
    }
}
