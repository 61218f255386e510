//! Fitting what it tells of a piece to have just come beside an enemy.

use outflank::belief::contact::{Met, just_met};
use outflank::belief::{Belief, Likelihood};
use outflank::math;
use outflank::rules::{Army, ByRank, Rank};
use outflank::view::move_features::Kind;
use outflank::view::move_features::KindSet;
use outflank_record::{Record, Replay};
use std::fmt::Write as _;

type Row = ByRank<f32>;
/// Weights in nats, by kind and rank.
type Weights = [Row; Kind::COUNT];

/// How strongly weights are drawn towards zero, in cases.
const SHRINKAGE: f32 = 3.0;
/// Steps of the ascent, and how far each goes along the mean slope.
const STEPS: usize = 400;
const STEP: f32 = 1.0;

/// A piece that has just come beside enemies.
#[derive(Clone, Copy, Debug)]
struct Case {
    met: KindSet,
    truth: Rank,
    /// What is believed of it by everything else.
    before: Row,
}

/// All such pieces of the games read.
#[derive(Debug, Default)]
pub struct Contacts {
    cases: Vec<Case>,
    games: usize,
}

impl Contacts {
    /// Adds those of a game. Games of other armies than the classic one teach nothing here.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        if record.ruleset()?.army() != Army::CLASSIC {
            return Ok(());
        }
        let others =
            Likelihood::ALL.into_iter().filter(|factor| *factor != Likelihood::Contact).collect::<Vec<_>>();
        let mut replay = Replay::new(record)?;
        while let Some(mover) = replay.step()? {
            if !replay.is_running() {
                break;
            }
            let view = replay.view(mover.enemy());
            let pieces = view.hidden_army();
            let Some(Met { index, kinds }) = just_met(&pieces, view) else { continue };
            let id = pieces[index].0;
            if let Some(before) = Belief::of_enemies_weighing(view, &others).probabilities(id) {
                let truth = replay.truth(id)?;
                self.cases.push(Case { met: kinds, truth, before: *before });
            }
        }
        self.games += 1;
        Ok(())
    }

    /// The rows of the table, fitted to all games.
    pub fn source_text(&self) -> String {
        let mut text = format!("// Source: {} contacts in {} games.\n", self.cases.len(), self.games);
        for (kind, row) in Kind::ALL.iter().zip(fit(&self.cases.iter().collect::<Vec<_>>())) {
            let row = row.map(|weight| (weight * 100.0).round() as i16);
            let _ = writeln!(text, "    {:?}, // {kind:?}", row.as_array());
        }
        text
    }
}

/// What is believed of a piece, with these weights.
fn probabilities(case: &Case, weights: &Weights) -> Row {
    let kinds = || case.met.iter().map(|kind| kind as usize);
    let weighed: Row =
        ByRank::from_fn(|rank| case.before[rank] * math::exp(kinds().map(|kind| weights[kind][rank]).sum()));
    let sum: f32 = weighed.values().sum::<f32>().max(f32::MIN_POSITIVE);
    weighed.map(|value| value / sum)
}

/// The weights under which the true ranks are likeliest, drawn to nothing: a slope that is scaled by how many cases
/// each kind has.
fn fit(cases: &[&Case]) -> Weights {
    let mut weights = [ByRank::filled(0.0); Kind::COUNT];
    let mut counts = [0.0f32; Kind::COUNT];
    for case in cases {
        case.met.iter().map(|kind| kind as usize).for_each(|kind| counts[kind] += 1.0);
    }
    for _ in 0..STEPS {
        let mut slope = [ByRank::filled(0.0f32); Kind::COUNT];
        for case in cases {
            let mut lacks = probabilities(case, &weights).map(|chance| -chance);
            lacks[case.truth] += 1.0;
            for kind in case.met.iter().map(|kind| kind as usize) {
                slope[kind].iter_mut().for_each(|(rank, sum)| *sum += lacks[rank]);
            }
        }
        for ((weights, slope), count) in weights.iter_mut().zip(&slope).zip(counts) {
            for (rank, weight) in weights.iter_mut() {
                *weight += STEP * (slope[rank] - SHRINKAGE * *weight) / (count + SHRINKAGE);
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pieces in three that come beside a captain are majors, the others scouts; both were thought as likely.
    fn made_up() -> Contacts {
        let mut before = ByRank::filled(0.0);
        before[Rank::Scout] = 0.5;
        before[Rank::Major] = 0.5;
        let truth = |number: usize| if number.is_multiple_of(3) { Rank::Scout } else { Rank::Major };
        let met = KindSet::only(Kind::Captain);
        let case = |number| Case { met, truth: truth(number), before };
        Contacts { cases: (0..300).map(case).collect(), games: 30 }
    }

    #[test]
    fn the_table_tells_how_often_each_rank_came() {
        let contacts = made_up();
        let weights = fit(&contacts.cases.iter().collect::<Vec<_>>());
        let believed = probabilities(&contacts.cases[0], &weights);
        assert!((believed[Rank::Major] - 2.0 / 3.0).abs() < 0.01, "{believed:?}");
        // What nobody met tells nothing.
        assert!(weights[Kind::Miner as usize].values().all(|&weight| weight == 0.0));
        assert_eq!(contacts.source_text().matches("    [").count(), Kind::COUNT);
    }
}
