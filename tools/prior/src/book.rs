//! Making the book of setups, and telling how predictable setups are.

use crate::deployment::Report;
use crate::deployment::features::Features;
use crate::fit::{SQUARES, square};
use anyhow::ensure;
use outflank::deployment::{candidates, heuristic_score};
use outflank::rng::Rng;
use outflank::rules::{ByRank, Cell, Rank, Ruleset, Setup};
use std::collections::HashSet;
use std::fmt;

/// Candidates drawn at a time.
const CHUNK: usize = 10_000;
/// Places that a square's shares begin with, all ranks alike.
const SMOOTHING: f64 = 1.0;

/// How a book is made.
#[derive(Copy, Clone, Debug, clap::Args)]
pub struct Plan {
    /// Setups in the book
    #[arg(long, default_value_t = 4096)]
    pub count: usize,
    /// Candidates drawn from the prior
    #[arg(long, default_value_t = 2_000_000)]
    pub pool: usize,
    /// The soundest kept, for each setup of the book
    #[arg(long, default_value_t = 5)]
    pub kept: usize,
    /// Logits that a nat a piece of variety is worth
    #[arg(long, default_value_t = 1.0)]
    pub variety: f64,
    /// The largest share of one square and its mirror image in the places of the flag, among the soundest
    #[arg(long, default_value_t = 0.25)]
    pub flag_share: f64,
    /// Seeds the candidates
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A candidate that is sound.
struct Candidate {
    setup: Setup,
    heuristic_score: f32,
    merit: f64,
}

/// The setups of a book, in the order they were taken; calls `tick` for every `CHUNK` candidates.
///
/// # Errors
/// If there are fewer candidates than setups wanted.
pub fn make(
    plan: &Plan,
    features: &Features,
    report: &Report,
    tick: impl Fn(),
) -> anyhow::Result<Vec<Setup>> {
    let mut sound = sound(plan, tick);
    ensure!(sound.len() >= plan.count, "{} candidates for {} setups", sound.len(), plan.count);
    for candidate in &mut sound {
        candidate.merit = report.merit(&features.of(&candidate.setup));
    }
    let mut taken = Vec::new();
    let mut variety = Variety::default();
    let mut rng = Rng::stream(plan.seed, 1);
    rng.shuffle(&mut sound);
    // As many for each setup of the book, so that one is taken of everyone's few rather than the few best of all.
    for share in sound.chunks(sound.len() / plan.count).take(plan.count) {
        let score =
            |candidate: &Candidate| candidate.merit + plan.variety * variety.surprise(&candidate.setup);
        let best = share.iter().max_by(|one, two| score(one).total_cmp(&score(two)));
        if let Some(best) = best {
            variety.add(&best.setup);
            taken.push(best.setup);
        }
    }
    Ok(taken)
}

/// The soundest of the candidates, each once, mirror images not at all; no square of the flag holds more than its
/// part.
fn sound(plan: &Plan, tick: impl Fn()) -> Vec<Candidate> {
    let wanted = plan.count * plan.kept;
    let part = (wanted as f64 * plan.flag_share) as usize;
    let mut rng = Rng::stream(plan.seed, 0);
    let mut seen = HashSet::new();
    let mut kept: [Vec<Candidate>; SQUARES] = std::array::from_fn(|_| Vec::new());
    for _ in 0..plan.pool.div_ceil(CHUNK) {
        for setup in candidates(&Ruleset::default(), CHUNK, &mut rng) {
            let (heuristic_score, kept) = (heuristic_score(&setup), &mut kept[flag_square(&setup)]);
            // The list is in order but for what this chunk has added behind its part.
            let floor = kept.get(part.saturating_sub(1)).map_or(f32::MIN, |last| last.heuristic_score);
            if heuristic_score > floor && seen.insert(setup.to_string().min(setup.mirrored().to_string())) {
                kept.push(Candidate { setup, heuristic_score, merit: 0.0 });
            }
        }
        for kept in &mut kept {
            kept.sort_by(|one, two| two.heuristic_score.total_cmp(&one.heuristic_score));
            kept.truncate(part);
        }
        tick();
    }
    let mut all: Vec<Candidate> = kept.into_iter().flatten().collect();
    all.sort_by(|one, two| two.heuristic_score.total_cmp(&one.heuristic_score));
    all.truncate(wanted);
    all
}

fn flag_square(setup: &Setup) -> usize {
    setup.0.iter().position(|&cell| cell == Cell::Known(Rank::Flag)).map_or(0, square)
}

/// How many times [`make`] calls `tick`.
pub const fn ticks(plan: &Plan) -> u64 {
    plan.pool.div_ceil(CHUNK) as u64
}

/// How often each rank stands on each square, mirror images taken together.
#[derive(Clone, Debug, Default)]
pub struct Variety {
    counts: [ByRank<u32>; SQUARES],
}

impl Variety {
    /// Counts a whole army.
    pub fn add(&mut self, setup: &Setup) {
        for (place, cell) in setup.0.iter().enumerate() {
            if let Cell::Known(rank) = cell {
                self.counts[square(place)][*rank] += 1;
            }
        }
    }

    fn share(&self, square: usize, rank: Rank) -> f64 {
        let row = &self.counts[square];
        let all = row.values().map(|&count| f64::from(count)).sum::<f64>();
        (f64::from(row[rank]) + SMOOTHING) / (all + SMOOTHING * Rank::COUNT as f64)
    }

    /// What the setup costs who knows these shares, in nats a piece.
    pub fn surprise(&self, setup: &Setup) -> f64 {
        let ranks = setup.0.iter().enumerate().filter_map(|(place, cell)| match cell {
            Cell::Known(rank) => Some(-self.share(square(place), *rank).ln()),
            Cell::Hidden | Cell::Empty => None,
        });
        ranks.sum::<f64>() / 40.0
    }

    /// Nats a piece that who knows these shares still lacks on average.
    pub fn entropy(&self) -> f64 {
        let square = |square: usize| -> f64 {
            Rank::ALL.iter().map(|rank| self.share(square, *rank)).map(|share| -share * share.ln()).sum()
        };
        (0..SQUARES).map(square).sum::<f64>() / SQUARES as f64
    }

    /// The largest share that one place has of the rank.
    fn likeliest_place(&self, rank: Rank) -> f64 {
        let counts = self.counts.iter().map(|row| f64::from(row[rank]));
        // Each square stands for two places.
        counts.clone().fold(0.0, f64::max) / counts.sum::<f64>().max(1.0) / 2.0
    }
}

/// How predictable some setups are, and what results promise of them.
#[derive(Clone, Debug)]
pub struct Figures {
    entropy: f64,
    belief: f64,
    places: [f64; 4],
    likeliest: f64,
    heuristic_score: f64,
    merit: f64,
    merit_spread: f64,
}

impl Figures {
    /// Looks at some setups.
    pub fn of(setups: &[Setup], features: &Features, report: &Report) -> Figures {
        let mut variety = Variety::default();
        for setup in setups {
            variety.add(setup);
        }
        let count = setups.len().max(1) as f64;
        let mean = |value: &dyn Fn(&Setup) -> f64| setups.iter().map(value).sum::<f64>() / count;
        let merit = |setup: &Setup| report.merit(&features.of(setup));
        let middle = mean(&merit);
        let squares = (0..SQUARES).flat_map(|square| Rank::ALL.map(|rank| (square, rank)));
        Figures {
            entropy: variety.entropy(),
            belief: mean(&|setup| features.surprise(setup)),
            places: [Rank::Flag, Rank::Spy, Rank::Marshal, Rank::General]
                .map(|rank| variety.likeliest_place(rank)),
            likeliest: squares.map(|(square, rank)| variety.share(square, rank)).fold(0.0, f64::max),
            heuristic_score: mean(&|setup| f64::from(heuristic_score(setup))),
            merit: middle,
            merit_spread: mean(&|setup| (merit(setup) - middle).powi(2)).sqrt(),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [flag, spy, marshal, general] = self.places.map(|share| share * 100.0);
        write!(
            f,
            "entropy {:.4} nats a piece; the belief lacks {:.4}; likeliest place of the flag {flag:.1}%, spy {spy:.1}%, \
             Marshal {marshal:.1}%, general {general:.1}%; likeliest rank of a square {:.1}%; heuristic_score {:.2}; merit \
             {:.3} ± {:.3} logits",
            self.entropy,
            self.belief,
            self.likeliest * 100.0,
            self.heuristic_score,
            self.merit,
            self.merit_spread
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_always_stands_there_surprises_least() {
        let setup: Setup = "32B637F353B4534268622BBS5226B4528972M74B".parse().unwrap();
        let mut variety = Variety::default();
        let before = variety.entropy();
        assert!((before - (Rank::COUNT as f64).ln()).abs() < 1e-9);
        for _ in 0..500 {
            variety.add(&setup);
            variety.add(&setup.mirrored());
        }
        // Its own mirror image stands on the same squares, so two ranks share most of them.
        assert!(variety.entropy() < 0.75 && variety.surprise(&setup) < 0.75);
        assert!((variety.likeliest_place(Rank::Flag) - 0.5).abs() < 1e-9);
    }
}
