//! What the belief is worth on setups as their ranks are revealed one by one.

use crate::fit::opening;
use crate::setups::{Group, PLACES};
use anyhow::{Context, ensure};
use outflank::belief::{Belief, Likelihood};
use outflank::rng::Rng;
use outflank::rules::{PieceId, Rank, RankSet, Side};
use std::fmt;

/// Ways of guessing: each with its name and the likelihoods that it weighs.
const GUESSES: [(&str, &[Likelihood]); 3] = [
    ("counts only", &[]),
    ("places by themselves", &[Likelihood::Place]),
    ("places by all that is known", &[Likelihood::Place, Likelihood::Neighbours]),
];

/// Surprise, by lines and by setups.
type Nats = [f64; 2];

/// Mean surprise at setups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// How many lines, and how many setups.
    held: Nats,
    /// Nats a setup before anything is known, by guess: nats a piece times forty.
    start: [Nats; GUESSES.len()],
    /// Nats a setup as its ranks are revealed one by one in random order, by guess.
    revealed: [Nats; GUESSES.len()],
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<32} {:>19} {:>22}", "", "start, nats a piece", "revealed, nats a setup")?;
        writeln!(f, "{:<32} {:>9} {:>9} {:>12} {:>9}", "nats by", "lines", "setups", "lines", "setups")?;
        for (index, (name, _)) in GUESSES.iter().enumerate() {
            let mean = |nats: &Nats, by: usize| nats[by] / self.held[by];
            let (start, revealed) = (&self.start[index], &self.revealed[index]);
            let pieces = PLACES as f64;
            writeln!(
                f,
                "{name:<32} {:9.4} {:9.4} {:12.3} {:9.3}",
                mean(start, 0) / pieces,
                mean(start, 1) / pieces,
                mean(revealed, 0),
                mean(revealed, 1)
            )?;
        }
        write!(f, "{} setups, {} lines", self.held[1], self.held[0])
    }
}

/// Reveals each of the setups, straight or mirrored, in random order.
///
/// # Errors
/// If a setup does not fit the game.
pub fn reveal(groups: &[&Group], seed: u64, tick: impl Fn()) -> anyhow::Result<Figures> {
    let mut figures = Figures::default();
    let mut rng = Rng::new(seed);
    for group in groups {
        let by = [f64::from(group.lines), 1.0];
        add(&mut figures.held, by, 1.0);
        let nats = one_by_one(group, &mut rng)?;
        for (guess, [start, revealed]) in nats.into_iter().enumerate() {
            add(&mut figures.start[guess], by, start);
            add(&mut figures.revealed[guess], by, revealed);
        }
        tick();
    }
    Ok(figures)
}

fn add(sum: &mut Nats, by: Nats, nats: f64) {
    for (sum, by) in sum.iter_mut().zip(by) {
        *sum += by * nats;
    }
}

/// The nats by which each way of guessing is surprised: at all places before any is revealed, and as they are revealed.
fn one_by_one(group: &Group, rng: &mut Rng) -> anyhow::Result<[[f64; 2]; GUESSES.len()]> {
    let mut order: [usize; PLACES] = std::array::from_fn(|place| place);
    rng.shuffle(&mut order);
    let mirrored = rng.bits() & 1 == 1;
    let mut view = opening()?;
    let mut nats = [[0.0; 2]; GUESSES.len()];
    for (turn, place) in order.into_iter().enumerate() {
        for (nats, (_, likelihoods)) in nats.iter_mut().zip(GUESSES) {
            let belief = Belief::of_enemies_weighing(&view, likelihoods);
            if turn == 0 {
                for place in 0..PLACES {
                    nats[0] += surprise(&belief, place, rank(group, place, mirrored))?;
                }
            }
            nats[1] += surprise(&belief, place, rank(group, place, mirrored))?;
        }
        let only = RankSet::only(rank(group, place, mirrored));
        ensure!(view.tell(PieceId::new(Side::Blue, place), only), "a rank that cannot be");
    }
    Ok(nats)
}

fn rank(group: &Group, place: usize, mirrored: bool) -> Rank {
    let place = if mirrored { place / 10 * 10 + 9 - place % 10 } else { place };
    Rank::ALL[usize::from(group.ranks[place])]
}

fn surprise(belief: &Belief, place: usize, rank: Rank) -> anyhow::Result<f64> {
    let probabilities = belief.probabilities(PieceId::new(Side::Blue, place)).context("no such piece")?;
    Ok(outflank::belief::score::nats(probabilities[rank]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setups::read;

    /// By counts alone, every setup costs the logarithm of the number of armies.
    #[test]
    fn counts_cost_the_logarithm_of_all_armies() {
        let line = "32B637F353B4534268622BBS5226B4528972M74B";
        let groups = read(line.as_bytes()).unwrap();
        let figures = reveal(&[&groups[0]], 1, || ()).unwrap();
        let log = |count: u8| (1..=count).map(|factor| f64::from(factor).ln()).sum::<f64>();
        let armies =
            log(40) - outflank::rules::Army::CLASSIC.counts().values().copied().map(log).sum::<f64>();
        assert!((figures.revealed[0][1] - armies).abs() < 1e-3, "{figures}");
        assert!(figures.revealed[2][1] < figures.revealed[1][1] && figures.start[1][1] < figures.start[0][1]);
    }
}
