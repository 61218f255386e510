//! What opponent types are worth on games that they were not fitted to.

use super::cases::spacing;
use anyhow::Context;
use outflank::belief::opponent_types::{NO_TYPES, TypeMixture, TypeTable, mixture};
use outflank::belief::score::{PHASES, nats, phase};
use outflank::belief::{Belief, RankProbabilities, square_weights};
use outflank::rules::{ByRank, Rank, Side};
use outflank::view::View;
use outflank_analyse::calibration::Calibration;
use outflank_analyse::figures::percent;
use outflank_record::{Record, Replay};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

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
    phases: [Sums; PHASES.len()],
    hits: [u64; PHASES.len()],
    calibration: Calibration,
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
        let nats = nats(probabilities[truth]);
        let flag = if truth == Rank::Flag { 1.0 } else { 0.0 };
        let one = Sums { pieces: 1.0, nats, flags: flag, flag_nats: flag * nats };
        let phase = phase(ply);
        self.phases[phase].merge(&one);
        let best = Rank::ALL.into_iter().max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
        self.hits[phase] += u64::from(best == Some(truth));
        let sums = self.games.entry(game).or_default();
        if ply >= PIECES_FROM {
            sums.pieces += 1.0;
            sums.nats += nats;
        }
        if ply >= FLAGS_FROM {
            sums.flags += flag;
            sums.flag_nats += flag * nats;
        }
        self.calibration.add(probabilities, truth);
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
        writeln!(
            f,
            " {PHASES:?}; less than the first from {PIECES_FROM} on; flag nats from {FLAGS_FROM} on"
        )?;
        for ((name, _), marks) in self.ways.iter().zip(&self.marks) {
            write!(f, "{name:16}")?;
            for (sums, hits) in marks.phases.iter().zip(marks.hits) {
                let pieces = sums.pieces.max(1.0);
                write!(f, " {:6.4} {:4.1}%", sums.nats / pieces, 100.0 * hits as f64 / pieces)?;
            }
            let (less, error) = gain(&self.marks[0], marks, |sums| (sums.nats, sums.pieces));
            writeln!(f, "  {less:5.2}% +-{error:.2}  flag {:.4}", marks.flag_nats())?;
        }
        for ((name, way), marks) in self.ways.iter().zip(&self.marks) {
            if matches!(way, Way::Mixture(..) | Way::Plain) {
                write!(f, "{name:16} says, happens, of")?;
                for bin in marks.calibration.0.iter().filter(|bin| bin.predictions >= JUDGED) {
                    let percent = |share| percent(share, 1);
                    write!(f, " | {} {} {}", percent(bin.mean()), percent(bin.share()), bin.predictions)?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}
