//! How much one move may tell.

use super::params;
use crate::math;
use crate::rules::{Army, ByRank, RankSet};

/// The weights of the ranks that a piece may have, each as often as the army has it.
pub(super) fn counted(weights: &ByRank<f32>, ranks: RankSet, army: &Army) -> ByRank<f32> {
    let counts = army.counts();
    ByRank::from_fn(|rank| if ranks.contains(rank) { weights[rank] * f32::from(counts[rank]) } else { 0.0 })
}

/// What one move tells, limited so that it carries no rank beyond [`params::proven`]. `plain` are the weights of the
/// ranks without it, counts included; `logs` is what it says, in nats.
pub(super) fn limited(plain: &ByRank<f32>, logs: ByRank<f32>) -> ByRank<f32> {
    let likeliest = |power: f32| -> f32 {
        let weights = ByRank::from_fn(|rank| plain[rank] * math::exp(power * logs[rank]));
        let most = weights.values().copied().fold(0.0, f32::max);
        most / weights.values().sum::<f32>().max(f32::MIN_POSITIVE)
    };
    let bound = likeliest(0.0).max(params::proven());
    if likeliest(1.0) <= bound {
        return logs;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..10 {
        let middle = 0.5 * (low + high);
        if likeliest(middle) <= bound { low = middle } else { high = middle }
    }
    logs.map(|log| low * log)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rank;

    #[test]
    fn one_move_carries_no_rank_beyond_what_is_proven() {
        let (mut plain, mut logs) = (ByRank::filled(1.0), ByRank::filled(0.0));
        let share = |plain: &ByRank<f32>, logs: &ByRank<f32>| {
            let weights = ByRank::from_fn(|rank| plain[rank] * math::exp(logs[rank]));
            weights[Rank::General] / weights.values().sum::<f32>()
        };
        logs[Rank::General] = 5.0;
        let held = share(&plain, &limited(&plain, logs));
        assert!((params::proven() - 0.01..=params::proven() + 1e-4).contains(&held), "{held}");
        logs[Rank::General] = 1.0;
        assert!((limited(&plain, logs)[Rank::General] - 1.0).abs() < 1e-6, "little is not held back");
        // What others say is not taken away.
        plain[Rank::General] = 40.0;
        logs[Rank::General] = 5.0;
        let before = share(&plain, &ByRank::filled(0.0));
        assert!(before > params::proven() && (share(&plain, &limited(&plain, logs)) - before).abs() < 0.01);
    }
}
