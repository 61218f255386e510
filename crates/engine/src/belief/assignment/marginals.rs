//! Marginal probabilities of every hidden piece's rank.

use super::belief_propagation::BeliefPropagation;
use super::core::Core;
use super::exact_dp::ExactDp;
use super::problem::Problem;
use crate::rules::{ByRank, RankSet};

/// States times ranks up to which marginals are computed exactly.
///
/// A unit costs about 2.5 ns, so that the largest exact problem takes about 0.15 ms,
/// longer than the propagation for a whole army. It is worth it: the propagation's
/// error grows as the army shrinks, from 0.1 points at forty pieces to some at fifteen.
pub(crate) const EXACT_WORK: usize = 60_000;

/// Fills `out` with the marginal rank probabilities of every piece.
///
/// A probability is zero exactly if the rank is impossible for the piece and one if
/// it is the only possible one. Returns false, with `out` empty, if the problem has
/// no consistent assignment.
pub(crate) fn marginals(problem: &Problem, out: &mut Vec<ByRank<f32>>) -> bool {
    out.clear();
    let Some(core) = Core::new(problem) else {
        return false;
    };
    solve(&core, out);
    true
}

/// Like [`marginals`], with the logarithm of all assignments' weight: of two problems that differ in what is allowed
/// it tells which is how much likelier. `None`, with `out` empty, if there is no consistent assignment.
pub(crate) fn weighed_marginals(problem: &Problem, out: &mut Vec<ByRank<f32>>) -> Option<f64> {
    out.clear();
    let core = Core::new(problem)?;
    Some(match solve(&core, out) {
        Solved::Exactly(log) => log + core.log_scale,
        Solved::Nearly(mut run) => run.log_weight() + core.log_scale,
    })
}

/// Like [`weighed_marginals`], exact at any size: the whole army takes about 0.2 s and 150 MB.
pub(crate) fn exact_marginals(problem: &Problem, out: &mut Vec<ByRank<f32>>) -> Option<f64> {
    out.clear();
    let core = Core::new(problem)?;
    let (found, log) = ExactDp::new(&core.counts).marginals(&core);
    publish(&core, &found, out);
    Some(log + core.log_scale)
}

/// How marginals were found.
enum Solved<'a> {
    /// By dynamic programming: the logarithm of the weight of the core's assignments.
    Exactly(f64),
    /// By this propagation.
    Nearly(BeliefPropagation<'a>),
}

fn solve<'a>(core: &'a Core, out: &mut Vec<ByRank<f32>>) -> Solved<'a> {
    let dp = ExactDp::new(&core.counts);
    if dp.work() <= EXACT_WORK {
        let (found, log) = dp.marginals(core);
        publish(core, &found, out);
        Solved::Exactly(log)
    } else {
        // No warm start: four sweeps leave little to save, and an answer must not depend
        // on what was asked before.
        let mut run = BeliefPropagation::new(core);
        run.settle();
        publish(core, &run.beliefs(), out);
        Solved::Nearly(run)
    }
}

/// Spreads the free pieces' probabilities over the original pieces.
fn publish(core: &Core, free: &[ByRank<f64>], out: &mut Vec<ByRank<f32>>) {
    let possible = |ranks: &RankSet| ByRank::from_fn(|rank| f32::from(u8::from(ranks.contains(rank))));
    out.extend(core.allowed.iter().map(possible));
    for (p, &i) in free.iter().zip(&core.free) {
        for (share, &value) in out[i].values_mut().zip(p.values()) {
            // Ones mark the possible ranks so far; none of them may round to zero.
            if *share > 0.0 {
                *share = narrow(value).max(f32::MIN_POSITIVE);
            }
        }
    }
}

/// Rounds a probability to single precision.
#[allow(clippy::cast_possible_truncation)]
fn narrow(value: f64) -> f32 {
    value as f32
}
