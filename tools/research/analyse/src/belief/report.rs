//! What was found: one JSON object, and by [`std::fmt::Display`] tables for people.

use super::bands::Band;
use super::game::Scored;
use super::guess::Guess;
use super::trust::TrustReport;
use crate::calibration::{BinReport, Calibration};
use crate::figures::share;
use crate::sample::{Estimate, Sample as SampleOf};
use outflank::belief::score::{Marks, PHASES, phase_name};
use serde::Serialize;

/// Scored games with resamples.
type Sample = SampleOf<Scored>;

/// What was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The files of records.
    pub files: Vec<String>,
    /// Games in them.
    pub games: u64,
    /// Players about whose pieces the figures are; empty for everybody.
    pub about: Vec<String>,
    /// Likelihoods that the belief is measured without.
    pub without: Vec<&'static str>,
    /// Plies from one look to the next.
    pub every: u32,
    /// Resamples drawn.
    pub resamples: usize,
    /// Their seed.
    pub seed: u64,
}

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was asked.
    #[serde(flatten)]
    pub question: Question,
    /// Units that the resamples were drawn from: games, or pairs that share their setups.
    pub units: usize,
    /// Armies guessed at.
    pub armies: u64,
    /// Views looked at.
    pub views: u64,
    /// How often a true rank was held impossible.
    pub impossible: u64,
    /// Marks, band by band.
    pub bands: Vec<BandReport>,
    /// Calibration of each guess, over all plies and by phase.
    pub calibration: Vec<CalibrationReport>,
    /// How far the experts were trusted.
    pub trust: Vec<TrustReport>,
    /// What is believed of each player's pieces.
    pub players: Vec<PlayerReport>,
    /// Impossible truths, one by one.
    #[serde(skip)]
    examples: Vec<String>,
}

/// What is believed of one player's pieces.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// The player's name.
    pub name: String,
    /// Its armies.
    pub armies: u64,
    /// Marks over all plies.
    pub all: BandReport,
    /// Marks from ply 50 on.
    pub from_50: BandReport,
    /// Marks from ply 100 on.
    pub from_100: BandReport,
}

/// Marks within one band.
#[derive(Clone, Debug, Serialize)]
pub struct BandReport {
    /// What the band is a part of: `plies`, or `shown`: percent of the enemy's army whose ranks are known.
    pub by: &'static str,
    /// Which part.
    pub band: String,
    /// Hidden pieces.
    pub pieces: u64,
    /// Hidden flags.
    pub flags: u64,
    /// The belief's marks.
    pub belief: MarksReport,
    /// Those of facts and counts.
    pub counts: MarksReport,
    /// Those of squares.
    pub squares: MarksReport,
    /// By which share the belief costs fewer nats a piece than counts, and than squares.
    pub saved: [Option<Estimate>; 2],
    /// By which share it costs fewer nats of the flag.
    pub flag_saved: [Option<Estimate>; 2],
}

/// Marks of one guess.
#[derive(Clone, Debug, Serialize)]
pub struct MarksReport {
    /// Mean surprise at a hidden piece's rank.
    pub nats: Option<Estimate>,
    /// Share of pieces whose true rank was the likeliest.
    pub top1: Option<Estimate>,
    /// Mean of the squared errors over the ranks, summed: 0..2.
    pub brier: Option<Estimate>,
    /// Mean surprise at where the hidden flag stands.
    pub flag_nats: Option<Estimate>,
    /// Share of flags that stood where the flag was likeliest among the living.
    pub flag_top1: Option<Estimate>,
}

/// Calibration of one guess.
#[derive(Clone, Debug, Serialize)]
pub struct CalibrationReport {
    /// Whose.
    pub guess: &'static str,
    /// Of which plies; `all` for all.
    pub plies: String,
    /// Bin by bin; empty ones are left out.
    pub bins: Vec<BinReport>,
}

impl Report {
    /// Works everything out, of all games and of each player's armies.
    pub fn new(question: Question, sample: &Sample, players: &[(String, Sample)]) -> Report {
        let whole = &sample.whole;
        Report {
            question,
            units: sample.units,
            armies: whole.armies,
            views: whole.views,
            impossible: whole.impossible,
            bands: Band::all().map(|band| BandReport::new(band, sample)).collect(),
            calibration: Guess::ALL.into_iter().flat_map(|guess| calibration(guess, sample)).collect(),
            trust: TrustReport::all(&whole.trust),
            players: players.iter().map(|(name, sample)| PlayerReport::new(name, sample)).collect(),
            examples: whole.examples.clone(),
        }
    }

    /// Whether every true rank was always held possible.
    ///
    /// # Errors
    /// Tells where it was not.
    pub fn verify(&self) -> anyhow::Result<()> {
        let (times, examples) = (self.impossible, self.examples.join("\n"));
        anyhow::ensure!(times == 0, "a true rank was held impossible {times} times\n{examples}");
        Ok(())
    }
}

impl PlayerReport {
    fn new(name: &str, sample: &Sample) -> PlayerReport {
        let [all, from_50, from_100] = [0, 1, 2].map(|phase| BandReport::new(Band::From(phase), sample));
        PlayerReport { name: name.to_owned(), armies: sample.whole.armies, all, from_50, from_100 }
    }
}

impl BandReport {
    fn new(band: Band, sample: &Sample) -> BandReport {
        let marks = |scored: &Scored, guess: Guess| band.marks(&scored.guesses[guess as usize].cells);
        let all = marks(&sample.whole, Guess::Belief);
        let report = |guess: Guess| MarksReport::new(sample, &|scored| marks(scored, guess));
        let saved = |cost: fn(&Marks) -> Option<f64>| {
            [Guess::Counts, Guess::Squares].map(|other| {
                sample.estimate(|scored| {
                    let other = cost(&marks(scored, other)).filter(|&nats| nats > 0.0)?;
                    Some(1.0 - cost(&marks(scored, Guess::Belief))? / other)
                })
            })
        };
        BandReport {
            by: band.of(),
            band: band.name(),
            pieces: all.pieces,
            flags: all.flags,
            belief: report(Guess::Belief),
            counts: report(Guess::Counts),
            squares: report(Guess::Squares),
            saved: saved(|marks| share(marks.nats, marks.pieces as usize)),
            flag_saved: saved(|marks| share(marks.flag_nats, marks.flags as usize)),
        }
    }

    /// The marks of one guess.
    pub const fn marks(&self, guess: Guess) -> &MarksReport {
        match guess {
            Guess::Belief => &self.belief,
            Guess::Counts => &self.counts,
            Guess::Squares => &self.squares,
        }
    }
}

impl MarksReport {
    fn new(sample: &Sample, marks: &dyn Fn(&Scored) -> Marks) -> MarksReport {
        let estimate = |figure: fn(&Marks) -> Option<f64>| sample.estimate(|scored| figure(&marks(scored)));
        MarksReport {
            nats: estimate(|marks| share(marks.nats, marks.pieces as usize)),
            top1: estimate(|marks| share(marks.hits, marks.pieces as usize)),
            brier: estimate(|marks| share(marks.brier, marks.pieces as usize)),
            flag_nats: estimate(|marks| share(marks.flag_nats, marks.flags as usize)),
            flag_top1: estimate(|marks| share(marks.flag_hits, marks.flags as usize)),
        }
    }
}

fn calibration(guess: Guess, sample: &Sample) -> impl Iterator<Item = CalibrationReport> {
    let parts = [(0..PHASES.len(), "all".to_owned())].into_iter();
    let parts = parts.chain((0..PHASES.len()).map(|phase| (phase..phase + 1, phase_name(phase))));
    parts.map(move |(phases, plies)| {
        let of = |scored: &Scored| {
            let mut sum = Calibration::default();
            scored.guesses[guess as usize].calibration[phases.clone()]
                .iter()
                .for_each(|part| sum.merge(part));
            sum
        };
        CalibrationReport { guess: guess.name(), plies, bins: BinReport::all(sample, of) }
    })
}
