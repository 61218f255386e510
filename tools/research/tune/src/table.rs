//! Where a tuning stands, for people.

use crate::log::{Plan, Played};
use crate::parameter::assignment;
use std::fmt::Write;

/// How far the numbers have come, and what sets them to their means over the last rounds.
pub fn table(plan: &Plan, played: &[Played]) -> String {
    let values = mean_values(plan, played);
    // A sum of nothing would be -0.
    let sum = |of: fn(&Played) -> f64| played.iter().map(of).fold(0.0, |sum, more| sum + more);
    let games = sum(|round| f64::from(round.points.games));
    let mut text = format!(
        "{} of {} rounds, {games} games ({:.1}% drawn, {:.0} plies on average), {:.2} hours\n\n",
        played.len(),
        plan.schedule.rounds,
        100.0 * sum(|round| f64::from(round.points.drawn)) / games.max(1.0),
        sum(|round| round.points.plies as f64) / games.max(1.0),
        sum(|round| round.seconds) / 3600.0,
    );
    let head = ["start", "now", "steps", "sigma"].map(|word| format!(" {word:>10}")).concat();
    let _ = writeln!(text, "{:<32}{head}", "number");
    for ((parameter, value), sigma) in plan.parameters.iter().zip(&values).zip(significance(plan, played)) {
        let steps = (value - parameter.start) / parameter.step;
        let _ = writeln!(
            text,
            "{:<32} {:>10.4} {value:>10.4} {steps:>+10.2} {sigma:>+10.2}",
            parameter.name, parameter.start
        );
    }
    let _ = writeln!(text, "\nOUTFLANK_PARAMS={}", assignment(plan.parameters.iter().zip(values)));
    text
}

/// By how many standard errors games were better with more of each number than with less, over all rounds.
pub fn significance(plan: &Plan, played: &[Played]) -> Vec<f64> {
    let squares: f64 = played.iter().map(|round| round.points.lead.powi(2)).sum();
    let mut sums = vec![0.0; plan.parameters.len()];
    for Played { round, points, .. } in played {
        for (sum, change) in sums.iter_mut().zip(plan.schedule.round(*round, &plan.parameters).changes) {
            *sum += points.lead * change.signum();
        }
    }
    sums.into_iter().map(|sum| if squares > 0.0 { sum / squares.sqrt() } else { 0.0 }).collect()
}

/// The means of the numbers over the last tenth of the rounds: what is left of luck evens out there.
pub fn mean_values(plan: &Plan, played: &[Played]) -> Vec<f64> {
    let last = &played[played.len() - played.len().div_ceil(10)..];
    let mean = |index: usize| {
        let parameter = &plan.parameters[index];
        if last.is_empty() {
            return parameter.start;
        }
        let mean = last.iter().map(|round| round.values[index]).sum::<f64>() / last.len() as f64;
        // What is printed is what can be set again.
        if parameter.whole { mean.round() } else { (mean * 1e4).round() / 1e4 }
    };
    (0..plan.parameters.len()).map(mean).collect()
}
