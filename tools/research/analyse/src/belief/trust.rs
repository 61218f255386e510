//! How far the belief trusts its experts, phase by phase.

use crate::figures::{number, share};
use outflank::belief::score::{PHASES, phase_name};
use outflank::belief::{NamedExponent, Trust};
use serde::Serialize;

/// Sums of the exponents of [`Trust::all`] over the looks of a phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrustSums {
    looks: u64,
    sums: Vec<f64>,
}

impl TrustSums {
    /// Adds a look.
    pub fn add(&mut self, trust: &Trust) {
        self.looks += 1;
        self.add_up(trust.all().map(|named| f64::from(named.exponent)));
    }

    /// Adds other looks.
    pub fn merge(&mut self, other: &TrustSums) {
        self.looks += other.looks;
        self.add_up(other.sums.iter().copied());
    }

    fn add_up(&mut self, more: impl Iterator<Item = f64>) {
        for (index, more) in more.enumerate() {
            match self.sums.get_mut(index) {
                Some(sum) => *sum += more,
                None => self.sums.push(more),
            }
        }
    }

    fn mean(&self, index: usize) -> Option<f64> {
        share(*self.sums.get(index)?, self.looks as usize)
    }
}

/// How far one expert was trusted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrustReport {
    /// The expert, and for which kind of ranks if it has an exponent for each.
    pub expert: String,
    /// The mean exponent in each phase; none where there was no look.
    pub phases: Vec<Option<f64>>,
}

impl TrustReport {
    /// One for each exponent, from the sums of the phases.
    pub fn all(phases: &[TrustSums; PHASES.len()]) -> Vec<TrustReport> {
        let nobody = Trust::default();
        let names = nobody.all().map(|NamedExponent { expert, kind, .. }| match kind {
            Some(kind) => format!("{expert} {}", kind.name()),
            None => expert.to_owned(),
        });
        let report = |(index, expert)| TrustReport {
            expert,
            phases: phases.iter().map(|phase| phase.mean(index)).collect(),
        };
        names.collect::<Vec<_>>().into_iter().enumerate().map(report).collect()
    }

    /// The table for people.
    pub fn table(reports: &[TrustReport]) -> String {
        let line = |name: &str, cells: Vec<String>| {
            let cells: Vec<String> = cells.into_iter().map(|cell| format!("{cell:>9}")).collect();
            format!("{name:<16}{}\n", cells.concat())
        };
        let cell = |mean: &Option<f64>| number(*mean, 2);
        let rows =
            reports.iter().map(|report| line(&report.expert, report.phases.iter().map(cell).collect()));
        let head = line("", (0..PHASES.len()).map(phase_name).collect());
        let title = "\nTrust: the exponents of the experts (1: trusted in full), by plies\n";
        title.to_owned() + &head + &rows.collect::<Vec<String>>().concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_alone(moves: f32) -> Trust {
        let mut trust = Trust::default();
        trust.moves = moves;
        trust
    }

    #[test]
    fn means_are_over_the_looks_of_a_phase() {
        let mut phases: [TrustSums; PHASES.len()] = Default::default();
        for moves in [0.2, 0.6] {
            phases[1].add(&moves_alone(moves));
        }
        let mut other = TrustSums::default();
        other.add(&moves_alone(1.0));
        phases[1].merge(&other);
        let reports = TrustReport::all(&phases);
        let moves = reports.iter().find(|report| report.expert == "moves").unwrap();
        assert_eq!(moves.phases[0], None);
        assert!((moves.phases[1].unwrap() - 0.6).abs() < 1e-6);
        assert!(TrustReport::table(&reports).contains("setup bomb"));
    }
}
