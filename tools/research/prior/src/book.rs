//! Packing a list of setups as the book, and telling how predictable setups are.

use crate::fit::{SQUARES, square};
use anyhow::{Context, ensure};
use outflank::belief::{Belief, RankProbabilities};
use outflank::deployment::heuristic_score;
use outflank::event::Event;
use outflank::rules::{Army, ByRank, Cell, Rank, Ruleset, Setup, Side};
use outflank::view::View;
use std::collections::HashSet;
use std::fmt;

/// Places that a square's shares begin with, all ranks alike.
const SMOOTHING: f64 = 1.0;

/// Reads a list: a setup a line, as `outflank-prior setups` writes it; what follows a `#` is passed over. Returns the
/// rules that have the army of the first, whole or barrage's, too.
///
/// # Errors
/// If there is none, a line is no setup of that army, or it or its mirror image is there already.
pub fn read_list(text: &str) -> anyhow::Result<(Ruleset, Vec<Setup>)> {
    let mut seen = HashSet::new();
    let mut setups: Vec<Setup> = Vec::new();
    let mut rules = Ruleset::default();
    for (line, number) in text.lines().zip(1..) {
        let setup = line.split('#').next().unwrap_or_default().trim();
        if !setup.is_empty() {
            let setup: Setup = setup.parse().with_context(|| format!("line {number}"))?;
            rules.barrage |= setups.is_empty() && setup.is_complete(&Army::BARRAGE);
            ensure!(setup.is_complete(&rules.army()), "line {number}: {setup} is not the whole army");
            let fresh = seen.insert(setup.to_string().min(setup.mirrored().to_string()));
            ensure!(fresh, "line {number}: the setup, or its mirror image, is there already");
            setups.push(setup);
        }
    }
    ensure!(!setups.is_empty(), "there is no setup");
    Ok((rules, setups))
}

/// How surprised rank probabilities are by a setup, in nats a piece: one for each of its pieces, in order.
pub(crate) fn surprise_at<'a>(setup: &Setup, chances: impl Iterator<Item = &'a RankProbabilities>) -> f64 {
    let ranks = setup.0.iter().filter_map(|cell| match cell {
        Cell::Known(rank) => Some(*rank),
        Cell::Hidden | Cell::Empty => None,
    });
    let nats: Vec<f64> = chances.zip(ranks).map(|(chances, rank)| -f64::from(chances[rank]).ln()).collect();
    nats.iter().sum::<f64>() / nats.len() as f64
}

/// How badly the engine's belief guesses the setup before anyone has moved, in nats a piece.
fn surprise(rules: &Ruleset, setup: &Setup) -> anyhow::Result<f64> {
    let owner = Side::Blue;
    let mut view = View::new(owner.enemy(), *rules);
    view.observe(&Event::Deployed(owner, setup.hidden()))?;
    Ok(surprise_at(setup, Belief::of_enemies(&view).pieces().iter().map(|(_, chances)| chances)))
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
}

impl Figures {
    /// Looks at some setups.
    ///
    /// # Errors
    /// If the engine cannot see one of them as hidden pieces.
    pub fn of(rules: &Ruleset, setups: &[Setup]) -> anyhow::Result<Figures> {
        let mut variety = Variety::default();
        for setup in setups {
            variety.add(setup);
        }
        let count = setups.len().max(1) as f64;
        let beliefs: Vec<f64> =
            setups.iter().map(|setup| surprise(rules, setup)).collect::<Result<_, _>>()?;
        let scores = setups.iter().map(|setup| f64::from(heuristic_score(rules, setup)));
        let squares = (0..SQUARES).flat_map(|square| Rank::ALL.map(|rank| (square, rank)));
        Ok(Figures {
            entropy: variety.entropy(),
            belief: beliefs.iter().sum::<f64>() / count,
            places: [Rank::Flag, Rank::Spy, Rank::Marshal, Rank::General]
                .map(|rank| variety.likeliest_place(rank)),
            likeliest: squares.map(|(square, rank)| variety.share(square, rank)).fold(0.0, f64::max),
            heuristic_score: scores.sum::<f64>() / count,
        })
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [flag, spy, marshal, general] = self.places.map(|share| share * 100.0);
        write!(
            f,
            "entropy {:.4} nats a piece; the belief lacks {:.4}; likeliest place of the flag {flag:.1}%, spy {spy:.1}%, \
             Marshal {marshal:.1}%, general {general:.1}%; likeliest rank of a square {:.1}%; faults by the rules of \
             the trade {:.2}",
            self.entropy,
            self.belief,
            self.likeliest * 100.0,
            -self.heuristic_score
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "32B637F353B4534268622BBS5226B4528972M74B";
    const EIGHT: &str = "FB2..3......9..........M..S............2";

    #[test]
    fn a_list_is_read_and_faults_are_named() {
        let one: Setup = ONE.parse().unwrap();
        let read = read_list(&format!("# round 3\n\n{ONE} # merit 0.2\n")).unwrap();
        assert_eq!(read, (Ruleset::default(), vec![one]));
        let (rules, setups) = read_list(EIGHT).unwrap();
        assert!(rules.barrage && setups.len() == 1 && surprise(&rules, &setups[0]).unwrap() > 0.5);
        let fault = |text: &str| format!("{:#}", read_list(text).unwrap_err());
        assert_eq!(fault("# nothing\n"), "there is no setup");
        assert!(
            fault(&format!("{ONE}\n{}\n", one.mirrored())).starts_with("line 2: the setup, or its mirror")
        );
        assert!(fault(&format!("\n{}", ONE.replace('M', "9"))).starts_with("line 2: "));
        assert!(fault("FB").starts_with("line 1: "));
        assert!(fault(&format!("{ONE}\n{EIGHT}")).starts_with("line 2: "));
    }

    #[test]
    fn what_always_stands_there_surprises_least() {
        let setup: Setup = ONE.parse().unwrap();
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
