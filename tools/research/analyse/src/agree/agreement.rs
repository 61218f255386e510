//! How well the engine's scores foretell what players decided.

use crate::figures::percent;
use outflank::rules::Rank;
use outflank_record::Visibility;
use serde::Serialize;
use std::fmt;

/// A turn in which a player could strike or not.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Decision {
    /// The rank of what strikes in the strike that the engine likes best.
    pub striker: Rank,
    /// What is known of what it strikes.
    pub target: Visibility,
    /// What the engine expects to score with it, in thousandths.
    pub strike: f64,
    /// What it expects of its best move that is no strike.
    pub quiet: f64,
    /// Whether the player struck.
    pub struck: bool,
    /// How many turns it stands for.
    pub weight: f64,
}

impl Decision {
    /// Whether the engine would have struck.
    fn would_strike(&self) -> bool {
        self.strike > self.quiet
    }

    /// The logarithm of the chance of what was decided, if a difference of `spread` thousandths makes a strike e times
    /// as likely, as odds, and `even` are the odds where there is no difference, as a logarithm.
    fn log_chance(&self, spread: f64, even: f64) -> f64 {
        let odds = (self.strike - self.quiet) / spread + even;
        -(if self.struck { -odds } else { odds }).exp().ln_1p()
    }
}

/// Spreads that are tried; the last makes scores mean nothing.
const SPREADS: [f64; 9] = [5.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 160.0, 1e9];

/// The weighted share of the decisions of which something holds.
fn share(decisions: &[Decision], holds: impl Fn(&Decision) -> bool) -> f64 {
    let whole: f64 = decisions.iter().map(|decision| decision.weight).sum();
    let part: f64 = decisions.iter().filter(|decision| holds(decision)).map(|decision| decision.weight).sum();
    // A sum of nothing would be -0.
    if part > 0.0 { part / whole } else { 0.0 }
}

/// By how many thousandths of a nat a decision the scores foretell better than the share of strikes alone, with the
/// spread that does best; and that spread.
pub fn gain(decisions: &[Decision]) -> (f64, f64) {
    let whole: f64 = decisions.iter().map(|decision| decision.weight).sum();
    let log_chance = |spread: f64, even: f64| {
        decisions.iter().map(|decision| decision.weight * decision.log_chance(spread, even)).sum::<f64>()
            / whole
    };
    let struck = share(decisions, |decision| decision.struck);
    let constant = (struck / (1.0 - struck)).ln();
    let best = |spread| {
        let evens = (-24..=24).map(|step| log_chance(spread, constant + f64::from(step) / 8.0));
        (evens.fold(f64::NEG_INFINITY, f64::max), spread)
    };
    let (log, spread) = SPREADS.into_iter().map(best).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or_default();
    (1000.0 * (log - log_chance(1e9, constant)), spread)
}

/// The gain, and by striker and target how often players struck and how often the engine would have.
#[derive(Clone, Debug, Serialize)]
pub struct Agreement {
    /// Turns that were looked at.
    pub decisions: usize,
    /// What the scores gain, in thousandths of a nat a decision; see [`gain`].
    pub gain: f64,
    /// The spread with which they do.
    pub spread: f64,
    /// The share of the turns in which players struck.
    pub struck: f64,
    /// The share in which the engine would have.
    pub engine: f64,
    /// Agreement by what strikes what.
    pub pairs: Vec<PairReport>,
}

/// Decisions of one kind.
#[derive(Clone, Debug, Serialize)]
pub struct PairReport {
    /// The rank of what strikes.
    pub striker: char,
    /// What is known of what it strikes.
    pub target: &'static str,
    /// How many.
    pub decisions: usize,
    /// The share of the turns in which players struck.
    pub struck: f64,
    /// The share in which the engine would have.
    pub engine: f64,
}

impl Agreement {
    /// What these decisions say.
    pub fn of(decisions: &[Decision]) -> Agreement {
        let (gain, spread) = gain(decisions);
        let mobile = Rank::ALL.into_iter().filter(|rank| rank.is_mobile());
        let pairs = mobile.flat_map(|rank| Visibility::ALL.map(|target| (rank, target)));
        Agreement {
            decisions: decisions.len(),
            gain,
            spread,
            struck: share(decisions, |decision| decision.struck),
            engine: share(decisions, Decision::would_strike),
            pairs: pairs.filter_map(|(rank, target)| PairReport::of(decisions, rank, target)).collect(),
        }
    }
}

impl PairReport {
    fn of(decisions: &[Decision], striker: Rank, target: Visibility) -> Option<PairReport> {
        let is_such = |decision: &&Decision| (decision.striker, decision.target) == (striker, target);
        let some: Vec<Decision> = decisions.iter().filter(is_such).copied().collect();
        (!some.is_empty()).then(|| PairReport {
            striker: striker.letter(),
            target: target.name(),
            decisions: some.len(),
            struck: share(&some, |decision| decision.struck),
            engine: share(&some, Decision::would_strike),
        })
    }
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Agreement { decisions, gain, spread, struck, engine, pairs } = self;
        let share = |share: &f64| percent(Some(*share), 1);
        writeln!(
            f,
            "{decisions} decisions; the scores gain {gain:.2} thousandths of a nat (spread {spread:.0}); struck {}%, the \
             engine {}%",
            share(struck),
            share(engine)
        )?;
        writeln!(f, "\nbest strike with         decisions  struck, %  engine, %")?;
        for PairReport { striker, target, decisions, struck, engine } in pairs {
            let line = format!("{striker} at {target}");
            writeln!(f, "{line:<24} {decisions:>9} {:>10} {:>10}", share(struck), share(engine))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(strike: f64, struck: bool) -> Decision {
        Decision {
            striker: Rank::Miner,
            target: Visibility::Moved,
            strike,
            quiet: 500.0,
            struck,
            weight: 1.0,
        }
    }

    #[test]
    fn scores_gain_where_they_foretell() {
        let foretold = [(600.0, true), (590.0, true), (400.0, false), (380.0, false), (450.0, false)];
        let (good, spread) = gain(&foretold.map(|(strike, struck)| decision(strike, struck)));
        assert!(good > 300.0 && spread < 30.0, "{good} {spread}");
        // The same scores the wrong way round say nothing that helps.
        let (none, _) = gain(&foretold.map(|(strike, struck)| decision(1000.0 - strike, struck)));
        assert!(none.abs() < 1.0, "{none}");
    }

    #[test]
    fn a_decision_counts_as_often_as_it_stands_for() {
        let mut rare = decision(600.0, false);
        rare.weight = 3.0;
        let decisions = [decision(600.0, true), rare, decision(400.0, true)];
        let table = Agreement::of(&decisions).to_string();
        assert!(table.contains("struck 40.0%, the engine 80.0%"), "{table}");
        assert!(table.contains("3 at moved") && !table.contains("4 at"), "{table}");
    }
}
