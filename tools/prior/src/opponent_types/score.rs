//! What opponent types are worth on games that they were not fitted to.

use super::cases::spacing;
use anyhow::Context;
use outflank::belief::opponent_types::{NO_TYPES, TypeMixture, TypeTable, mixture};
use outflank::belief::{Belief, RankProbabilities, square_weights};
use outflank::rules::{ByRank, Rank, Side};
use outflank::view::View;
use outflank_record::{Record, Replay};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// Plies at which the bands begin.
const BANDS: [u32; 5] = [0, 50, 100, 200, 500];
/// Chances in percent at which the bins of the calibration end.
const BINS: [f32; 10] = [5.0, 15.0, 25.0, 35.0, 45.0, 55.0, 65.0, 75.0, 85.0, 95.0];
/// Predictions that a bin must hold to be judged.
const JUDGED: u64 = 2000;
/// The ply from which flags are judged, and pieces.
const FLAGS_FROM: u32 = 100;
const PIECES_FROM: u32 = 50;

/// One way of believing.
#[derive(Clone, Debug)]
pub enum Way {
    /// Facts and counts.
    Counts,
    /// And where pieces began.
    Squares,
    /// And all else but opponent types.
    Plain,
    /// And a mixture of opponent types: their tables, and `blind`, `plain`, `trust` and `doubt` of [`TypeMixture`].
    Mixture(Rc<Vec<TypeTable>>, [f32; 4]),
}

impl Way {
    fn belief(&self, view: &View) -> Belief {
        match self {
            Way::Counts => Belief::of_enemies_weighed(view, |_, _| ByRank::filled(1.0)),
            Way::Squares => Belief::of_enemies_weighed(view, |id, piece| {
                let place = piece.start.and_then(|square| square.setup_place(id.side()));
                place.map_or(ByRank::filled(1.0), square_weights)
            }),
            Way::Plain => Belief::of_enemies_by(view, &NO_TYPES),
            Way::Mixture(tables, [blind, plain, trust, doubt]) => {
                let (blind, plain, trust, doubt) = (*blind, *plain, *trust, *doubt);
                Belief::of_enemies_by(view, &TypeMixture { tables, blind, plain, trust, doubt, ..mixture() })
            }
        }
    }
}

/// Sums over one game.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    pieces: f64,
    nats: f64,
    flags: f64,
    flag_nats: f64,
}

/// How one way did.
#[derive(Clone, Debug, Default)]
struct Marks {
    bands: [Sums; BANDS.len()],
    hits: [u64; BANDS.len()],
    bins: [(u64, f64, u64); BINS.len() + 1],
    /// By game: from [`PIECES_FROM`] on, flags from [`FLAGS_FROM`] on.
    games: BTreeMap<u64, Sums>,
}

/// Scores of several ways over the same games.
#[derive(Clone, Debug)]
pub struct Score {
    ways: Vec<(String, Way)>,
    marks: Vec<Marks>,
    games: u64,
}

impl Score {
    /// Nothing scored yet; the first way is the baseline.
    pub fn new(ways: Vec<(String, Way)>) -> Score {
        let marks = vec![Marks::default(); ways.len()];
        Score { ways, marks, games: 0 }
    }

    /// Scores what is believed of the pieces of those players that `judged` picks.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn add(&mut self, record: &Record, every: u32, judged: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let owners: Vec<Side> =
            Side::BOTH.into_iter().filter(|side| judged(&record.players[*side].name)).collect();
        if owners.is_empty() || record.ruleset()?.barrage {
            return Ok(());
        }
        self.games += 1;
        let every = spacing(record.moves.len(), every);
        let mut replay = Replay::new(record)?;
        while replay.step()?.is_some() {
            if replay.is_running() && replay.ply().is_multiple_of(every) {
                for &owner in &owners {
                    self.look(&replay, owner)?;
                }
            }
        }
        Ok(())
    }

    fn look(&mut self, replay: &Replay, owner: Side) -> anyhow::Result<()> {
        let view = replay.view(owner.enemy());
        for ((_, way), marks) in self.ways.iter().zip(&mut self.marks) {
            for (id, probabilities) in way.belief(view).pieces() {
                if view.position().piece(*id).ranks.len() > 1 {
                    marks.add(self.games, replay.ply(), probabilities, replay.truth(*id)?);
                }
            }
        }
        Ok(())
    }

    /// How much less than the baseline a way costs after the opening, in percent, and the standard error over games.
    ///
    /// # Errors
    /// If there is no such way.
    pub fn gain(&self, way: &str) -> anyhow::Result<(f64, f64)> {
        let index = self.ways.iter().position(|(name, _)| name == way).context("no such way")?;
        Ok(gain(&self.marks[0], &self.marks[index], |sums| (sums.nats, sums.pieces)))
    }
}

fn gain(base: &Marks, other: &Marks, of: impl Fn(&Sums) -> (f64, f64)) -> (f64, f64) {
    let pairs: Vec<(f64, f64)> =
        base.games.iter().map(|(game, sums)| (of(sums).0, of(&other.games[game]).0)).collect();
    let (all, less) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    let ratio = less / all;
    let spread: f64 = pairs.iter().map(|(base, other)| (other - ratio * base).powi(2)).sum();
    (100.0 * (1.0 - ratio), 100.0 * spread.sqrt() / all)
}

impl Marks {
    fn add(&mut self, game: u64, ply: u32, probabilities: &RankProbabilities, truth: Rank) {
        let nats = -f64::from(probabilities[truth].max(f32::MIN_POSITIVE)).ln();
        let flag = if truth == Rank::Flag { 1.0 } else { 0.0 };
        let one = Sums { pieces: 1.0, nats, flags: flag, flag_nats: flag * nats };
        let band = BANDS.partition_point(|&begin| begin <= ply).saturating_sub(1);
        self.bands[band].merge(&one);
        let best = Rank::ALL.into_iter().max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
        self.hits[band] += u64::from(best == Some(truth));
        let sums = self.games.entry(game).or_default();
        if ply >= PIECES_FROM {
            sums.pieces += 1.0;
            sums.nats += nats;
        }
        if ply >= FLAGS_FROM {
            sums.flags += flag;
            sums.flag_nats += flag * nats;
        }
        for rank in Rank::ALL {
            let chance = probabilities[rank];
            if chance > 0.0 {
                let bin = &mut self.bins[BINS.partition_point(|&end| end <= 100.0 * chance)];
                bin.0 += 1;
                bin.1 += f64::from(chance);
                bin.2 += u64::from(rank == truth);
            }
        }
    }

    /// Nats of the flag, from [`FLAGS_FROM`] on.
    fn flag_nats(&self) -> f64 {
        let (sum, count) =
            self.games.values().fold((0.0, 0.0), |sum, game| (sum.0 + game.flag_nats, sum.1 + game.flags));
        sum / f64::max(count, 1.0)
    }
}

impl Sums {
    fn merge(&mut self, other: &Sums) {
        self.pieces += other.pieces;
        self.nats += other.nats;
        self.flags += other.flags;
        self.flag_nats += other.flag_nats;
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} games; nats a hidden piece by plies from", self.games)?;
        writeln!(f, " {BANDS:?}; less than the first from {PIECES_FROM} on; flag nats from {FLAGS_FROM} on")?;
        for ((name, _), marks) in self.ways.iter().zip(&self.marks) {
            write!(f, "{name:16}")?;
            for (sums, hits) in marks.bands.iter().zip(marks.hits) {
                let pieces = sums.pieces.max(1.0);
                write!(f, " {:6.4} {:4.1}%", sums.nats / pieces, 100.0 * hits as f64 / pieces)?;
            }
            let (less, error) = gain(&self.marks[0], marks, |sums| (sums.nats, sums.pieces));
            writeln!(f, "  {less:5.2}% +-{error:.2}  flag {:.4}", marks.flag_nats())?;
        }
        for ((name, way), marks) in self.ways.iter().zip(&self.marks) {
            if matches!(way, Way::Mixture(..) | Way::Plain) {
                write!(f, "{name:16} says, happens, of")?;
                for (count, chance, hits) in marks.bins.iter().filter(|bin| bin.0 >= JUDGED) {
                    let share = |sum: f64| 100.0 * sum / *count as f64;
                    write!(f, " | {:.1} {:.1} {count}", share(*chance), share(*hits as f64))?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
