//! Fitting the start weights of the joint model to setups that people played.
//!
//! The model takes an army in proportion to the product of its squares' weights. The weights wanted are those under
//! which its marginals, what it expects of each square, are the observed shares; each round multiplies every weight
//! by what its marginal lacks.

use crate::setups::{Group, PLACES, shares};
use anyhow::{Context, ensure};
use outflank::belief::{Belief, SquarePrior};
use outflank::event::Event;
use outflank::rules::{ByRank, PieceId, Rank, Ruleset, Setup, Side};
use outflank::view::View;
use std::fmt::Write as _;

/// Squares of half a setup, the other half being its mirror image.
pub const SQUARES: usize = 20;
/// Rounds of a fit whose result is kept.
pub const ROUNDS: usize = 8;
/// Places that every square's shares are smoothed with, filled as the army's counts say.
const SMOOTHING: f64 = 12.0;
/// Where weights are rounded, their mean over the squares.
const MEAN: f64 = 10_000.0;

/// A number for each square and rank; squares as in [`SquarePrior`].
pub type Table = [[f64; Rank::COUNT]; SQUARES];

/// The square that a place of a setup string belongs to.
pub const fn square(place: usize) -> usize {
    let (row, file) = (place / 10, place % 10);
    row * 5 + if file < 5 { file } else { 9 - file }
}

/// Smoothed share of each rank on each square, over weighted setups and their mirror images.
pub fn observed<'a>(groups: impl Iterator<Item = &'a Group>) -> Table {
    let mut table: Table = [shares().map(|share| share * SMOOTHING); SQUARES];
    for group in groups {
        for (place, &rank) in group.ranks.iter().enumerate() {
            table[square(place)][usize::from(rank)] += group.weight();
        }
    }
    for row in &mut table {
        let sum: f64 = row.iter().sum();
        for value in row {
            *value /= sum;
        }
    }
    table
}

/// What Red knows before anyone has moved.
///
/// # Errors
/// If the engine cannot see an army of hidden pieces.
pub fn opening() -> anyhow::Result<View> {
    let mut view = View::new(Side::Red, Ruleset::default());
    view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN))?;
    Ok(view)
}

/// The joint model's exact marginals under the weights of `table`.
///
/// # Errors
/// If the model finds no army, which would be a fault of the engine's.
pub fn marginals(table: &Table) -> anyhow::Result<Table> {
    let weigh = |id: PieceId| ByRank::new(table[square(id.number())].map(|weight| weight as f32));
    let belief = Belief::of_enemies_weighed(&opening()?, |id, _| weigh(id));
    let probabilities = belief.exact().context("no army fits the opening")?;
    ensure!(probabilities.len() == PLACES, "{} pieces", probabilities.len());
    Ok(std::array::from_fn(|square| {
        let (_, probabilities) = &probabilities[square / 5 * 10 + square % 5];
        *probabilities.map(f64::from).as_array()
    }))
}

/// Weights under which the model's marginals are `target`; calls `tick` after each round.
///
/// # Errors
/// As of [`marginals`].
pub fn fit(target: &Table, rounds: usize, tick: impl Fn()) -> anyhow::Result<Table> {
    let mut weights = *target;
    for _ in 0..rounds {
        let found = marginals(&weights)?;
        for ((row, target), found) in weights.iter_mut().zip(target).zip(&found) {
            for ((weight, target), found) in row.iter_mut().zip(target).zip(found) {
                *weight *= target / found;
            }
        }
        tick();
    }
    Ok(weights)
}

/// Weights in whole numbers, each rank's with a mean of 10000 over the squares; none is zero.
///
/// # Errors
/// If a rank is so much at home on one square that its weight there is too large.
pub fn rounded(weights: &Table) -> anyhow::Result<SquarePrior> {
    let mut prior = [[0; Rank::COUNT]; SQUARES];
    for rank in Rank::ALL.map(Rank::index) {
        let mean = weights.iter().map(|row| row[rank]).sum::<f64>() / SQUARES as f64;
        for (row, weights) in prior.iter_mut().zip(weights) {
            let weight = (weights[rank] / mean * MEAN).round().max(1.0);
            ensure!(weight <= f64::from(u16::MAX), "a weight of {weight} is too large");
            row[rank] = weight as u16;
        }
    }
    Ok(prior)
}

/// Rounded weights as a table.
pub fn unrounded(prior: &SquarePrior) -> Table {
    let shares = shares();
    prior.map(|row| std::array::from_fn(|rank| f64::from(row[rank]) / MEAN * shares[rank]))
}

/// The largest difference of two tables.
pub fn gap(one: &Table, other: &Table) -> f64 {
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// The Rust source that holds the fitted weights; `source` says what the setups are.
pub fn source_text(prior: &SquarePrior, groups: &[Group], source: &str) -> String {
    let lines: u64 = groups.iter().map(|group| u64::from(group.lines)).sum();
    let (lines, distinct) = (thousands(lines), thousands(groups.len() as u64));
    let mut text =
        HEAD.replace("{lines}", &lines).replace("{distinct}", &distinct).replace("{source}", source);
    for row in prior {
        let _ = writeln!(text, "    {row:?},");
    }
    text + "];\n"
}

/// A number with commas, as in `58,560`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

const HEAD: &str = "//! Where humans put their pieces: start weights of the ranks by square.
//!
//! Source: derived figures from {lines} {source} ({distinct}
//! distinct up to mirror image), each taken with its mirror image and counted by the
//! square root of how often it was played, which predicts unseen setups best. The
//! setups themselves are not part of the project.
//!
//! These are weights of the joint model, not probabilities: an assignment of the army
//! to the forty squares is taken in proportion to the product of its squares' weights,
//! and the weights are fitted so that the model's exact marginals are the observed
//! shares. Per rank the mean over the squares is 10000, so 10000 means \"as if placed
//! blindly\", and mixing a weight with 10000 weakens the prior evenly for all ranks.

/// Weights by `row_from_back * 5 + min(column, 9 - column)` and by rank in the order
/// F, S, 2, 3, 4, 5, 6, 7, 8, 9, M, B; never zero.
pub(super) const SQUARE_PRIOR: [[u16; 12]; 20] = [
";

#[cfg(test)]
mod tests {
    use super::*;

    fn group(seed: u64) -> Group {
        let mut rng = outflank::rng::Rng::new(seed);
        let mut ranks: Vec<u8> = Vec::new();
        for (rank, share) in (0..).zip(shares()) {
            let count = (share * PLACES as f64).round() as usize;
            ranks.extend(std::iter::repeat_n(rank, count));
        }
        // Ordered but for a few exchanges, so that there is something to fit.
        for _ in 0..60 {
            ranks.swap(rng.below(PLACES), rng.below(PLACES));
        }
        Group { ranks: ranks.try_into().unwrap(), lines: 1 + (seed % 3) as u32 }
    }

    #[test]
    fn fitted_marginals_are_the_observed_shares() {
        let groups: Vec<Group> = (0..20).map(group).collect();
        let target = observed(groups.iter());
        assert!(target.iter().all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9));
        let before = gap(&marginals(&target).unwrap(), &target);
        let fitted = fit(&target, 4, || ()).unwrap();
        let after = gap(&marginals(&unrounded(&rounded(&fitted).unwrap())).unwrap(), &target);
        assert!(before > 1e-3 && after < before / 50.0, "{before} {after}");
    }

    #[test]
    fn rounding_keeps_a_mean_of_ten_thousand_and_refuses_what_does_not_fit() {
        let table = observed((0..9).map(group).collect::<Vec<_>>().iter());
        let prior = rounded(&table).unwrap();
        for rank in 0..Rank::COUNT {
            let mean = prior.iter().map(|row| f64::from(row[rank])).sum::<f64>() / SQUARES as f64;
            assert!((mean - MEAN).abs() < 1.0, "{mean}");
        }
        let mut steep = table;
        steep[3][4] = 1e6;
        assert!(rounded(&steep).is_err());
    }

    #[test]
    fn the_printed_table_is_the_source_it_stands_for() {
        let text = source_text(&[[7; 12]; 20], &[group(1), group(2)], "made-up setups");
        assert!(text.contains("from 5 made-up setups (2\n") && text.ends_with("7, 7],\n];\n"));
        assert_eq!(text.matches("    [7, ").count(), 20);
        assert_eq!(
            [5, 999, 1000, 58_560, 1_234_567].map(thousands),
            ["5", "999", "1,000", "58,560", "1,234,567"]
        );
    }
}
