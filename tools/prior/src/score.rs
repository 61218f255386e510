//! The belief against the truth of recorded games.

use crate::replay::Replay;
use anyhow::ensure;
use outflank::belief::{Belief, Chances};
use outflank::rules::{Rank, Side};
use outflank_selfplay::record::Record;
use std::fmt;

/// Plies at which the bands begin.
const BANDS: [u32; 4] = [0, 50, 100, 200];
/// Impossible truths that are told one by one.
const TOLD: usize = 20;

/// How well one belief did.
#[derive(Clone, Debug, Default, PartialEq)]
struct Marks {
    nats: f64,
    hits: u64,
    flag_nats: f64,
}

impl Marks {
    fn add(&mut self, chances: &Chances, truth: Rank) {
        self.nats += nats(chances[truth.index()]);
        let best = Rank::ALL.into_iter().max_by(|a, b| chances[a.index()].total_cmp(&chances[b.index()]));
        self.hits += u64::from(best == Some(truth));
    }
}

/// The surprise at something believed with this chance; finite even at none.
fn nats(chance: f32) -> f64 {
    -f64::from(chance.max(f32::MIN_POSITIVE)).ln()
}

/// What was seen within a band of plies.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tally {
    /// Views scored.
    views: u64,
    /// Pieces in them, living or dead, of more than one possible rank.
    pieces: u64,
    /// Hidden flags in them.
    flags: u64,
    belief: Marks,
    counts: Marks,
}

/// Scores over many games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    games: u64,
    bands: [Tally; BANDS.len()],
    /// Times a piece's true rank was held impossible.
    impossible: u64,
    told: Vec<String>,
}

impl Score {
    /// Scores what both players may think of each other, every `every` plies of a game.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn add(&mut self, record: &Record, every: u32) -> anyhow::Result<()> {
        let mut replay = Replay::new(record)?;
        loop {
            if replay.is_running() && replay.ply().is_multiple_of(every.max(1)) {
                for side in Side::BOTH {
                    self.look(&replay, side, record.game)?;
                }
            }
            if replay.step()?.is_none() {
                break;
            }
        }
        self.games += 1;
        Ok(())
    }

    fn look(&mut self, replay: &Replay, viewer: Side, game: u64) -> anyhow::Result<()> {
        let view = replay.view(viewer);
        let belief = Belief::of_enemies(view);
        // Nothing but facts and counts.
        let counts = Belief::of_enemies_weighed(view, |_, _| [1.0; Rank::COUNT]);
        for ((id, chances), (_, by_counts)) in belief.pieces().iter().zip(counts.pieces()) {
            let truth = replay.truth(*id)?;
            if !self.holds_possible(chances, truth) {
                self.tell(format!("game {game}, ply {}: {id:?} is {truth}, held impossible", replay.ply()));
            }
            if view.position().piece(*id).ranks.len() > 1 {
                self.tally(replay.ply()).add(truth, chances, by_counts);
            }
        }
        self.tally(replay.ply()).views += 1;
        Ok(())
    }

    /// Whether the belief leaves the truth any chance; counts it if not.
    fn holds_possible(&mut self, chances: &Chances, truth: Rank) -> bool {
        let possible = chances[truth.index()] > 0.0;
        self.impossible += u64::from(!possible);
        possible
    }

    fn tell(&mut self, line: String) {
        if self.told.len() < TOLD {
            self.told.push(line);
        }
    }

    fn tally(&mut self, ply: u32) -> &mut Tally {
        &mut self.bands[BANDS.partition_point(|&begin| begin <= ply).saturating_sub(1)]
    }

    /// Whether every true rank was always held possible.
    ///
    /// # Errors
    /// Tells where it was not.
    pub fn verify(&self) -> anyhow::Result<()> {
        let times = self.impossible;
        ensure!(times == 0, "a true rank was held impossible {times} times\n{}", self.told.join("\n"));
        Ok(())
    }

    fn total(&self) -> Tally {
        self.bands.iter().fold(Tally::default(), |mut sum, band| {
            sum.merge(band);
            sum
        })
    }
}

impl Tally {
    fn add(&mut self, truth: Rank, belief: &Chances, counts: &Chances) {
        self.pieces += 1;
        self.belief.add(belief, truth);
        self.counts.add(counts, truth);
        if truth == Rank::Flag {
            self.flags += 1;
            self.belief.flag_nats += nats(belief[truth.index()]);
            self.counts.flag_nats += nats(counts[truth.index()]);
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.views += other.views;
        self.pieces += other.pieces;
        self.flags += other.flags;
        for (sum, marks) in [(&mut self.belief, &other.belief), (&mut self.counts, &other.counts)] {
            sum.nats += marks.nats;
            sum.hits += marks.hits;
            sum.flag_nats += marks.flag_nats;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (pieces, flags) = (self.pieces.max(1) as f64, self.flags.max(1) as f64);
        write!(f, "{:8} {:9}", self.views, self.pieces)?;
        write!(f, "  {:8.4} {:8.4}", self.belief.nats / pieces, self.counts.nats / pieces)?;
        let percent = |hits: u64| 100.0 * hits as f64 / pieces;
        write!(f, "  {:7.2} {:7.2}", percent(self.belief.hits), percent(self.counts.hits))?;
        write!(f, "  {:8.4} {:8.4}", self.belief.flag_nats / flags, self.counts.flag_nats / flags)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games; a hidden piece is one, living or dead, of more than one possible rank",
            self.games
        )?;
        writeln!(f, "{:27}  {:>17}  {:>15}  {:>17}", "", "nats a piece", "top-1, %", "nats of the flag")?;
        let kinds = "  belief   counts   belief  counts    belief   counts";
        writeln!(f, "{:8} {:>8} {:>9}{kinds}", "plies", "views", "pieces")?;
        for (index, band) in self.bands.iter().enumerate() {
            let plies = match BANDS.get(index + 1) {
                Some(end) => format!("{}-{}", BANDS[index], end - 1),
                None => format!("{}+", BANDS[index]),
            };
            writeln!(f, "{plies:8} {band}")?;
        }
        writeln!(f, "{:8} {}", "all", self.total())?;
        writeln!(f, "true ranks held impossible: {}", self.impossible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_truth_is_told() {
        let mut score = Score::default();
        let mut chances = [1.0 / 11.0; Rank::COUNT];
        chances[Rank::Bomb.index()] = 0.0;
        assert!(score.holds_possible(&chances, Rank::Miner) && score.verify().is_ok());
        assert!(!score.holds_possible(&chances, Rank::Bomb) && score.verify().is_err());
    }

    #[test]
    fn bands_hold_their_plies() {
        let mut score = Score::default();
        for ply in [0, 49, 50, 99, 100, 199, 200, 5000] {
            score.tally(ply).views += 1;
        }
        assert_eq!(score.bands.map(|band| band.views), [2; 4]);
    }

    #[test]
    fn marks_are_nats_and_hits() {
        let mut marks = Marks::default();
        let mut chances = [0.05; Rank::COUNT];
        chances[Rank::Scout.index()] = 0.45;
        marks.add(&chances, Rank::Scout);
        marks.add(&chances, Rank::Flag);
        assert_eq!(marks.hits, 1);
        assert!((marks.nats + f64::ln(0.45 * 0.05)).abs() < 1e-6);
    }
}
