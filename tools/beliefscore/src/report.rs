//! What was found, as tables for people and as one JSON object.

use crate::Guess;
use crate::bands::Band;
use crate::calibration::{BINS, Bin, bounds};
use crate::game::Scored;
use crate::sample::{Estimate, Sample};
use outflank::belief::score::{Marks, PHASES, phase_name};
use serde::Serialize;
use std::fmt;

/// Fewer predictions than this say nothing about calibration.
const FEW: u64 = 2_000;
/// The most impossible truths that are told one by one.
const TOLD: usize = 20;

/// What was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The files of records.
    pub files: Vec<String>,
    /// Games in them.
    pub games: u64,
    /// Players about whose pieces the figures are; empty for everybody.
    pub about: Vec<String>,
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
    pub impossible: usize,
    /// Marks, band by band.
    pub bands: Vec<BandReport>,
    /// Calibration of each guess, over all plies and by phase.
    pub calibration: Vec<CalibrationReport>,
    /// Impossible truths, one by one.
    #[serde(skip)]
    told: Vec<String>,
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

/// One bin of predicted chances.
#[derive(Clone, Debug, Serialize)]
pub struct BinReport {
    /// Its bounds in percent.
    pub percent: (usize, usize),
    /// Predictions in it.
    pub predictions: u64,
    /// Their mean.
    pub predicted: f64,
    /// The share that came true.
    pub came_true: Option<Estimate>,
}

impl Report {
    /// Works everything out.
    pub fn new(question: Question, sample: &Sample) -> Report {
        let whole = &sample.whole;
        Report {
            question,
            units: sample.units,
            armies: whole.armies,
            views: whole.views,
            impossible: whole.impossible.len(),
            bands: Band::all().map(|band| BandReport::new(band, sample)).collect(),
            calibration: Guess::ALL.into_iter().flat_map(|guess| calibration(guess, sample)).collect(),
            told: whole.impossible.iter().take(TOLD).cloned().collect(),
        }
    }

    /// Whether every true rank was always held possible.
    ///
    /// # Errors
    /// Tells where it was not.
    pub fn verify(&self) -> anyhow::Result<()> {
        let (times, told) = (self.impossible, self.told.join("\n"));
        anyhow::ensure!(times == 0, "a true rank was held impossible {times} times\n{told}");
        Ok(())
    }
}

/// A mean over `count`; none over nothing.
fn mean(sum: f64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum / count as f64)
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
            saved: saved(|marks| mean(marks.nats, marks.pieces)),
            flag_saved: saved(|marks| mean(marks.flag_nats, marks.flags)),
        }
    }

    const fn marks(&self, guess: Guess) -> &MarksReport {
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
            nats: estimate(|marks| mean(marks.nats, marks.pieces)),
            top1: estimate(|marks| mean(marks.hits, marks.pieces)),
            brier: estimate(|marks| mean(marks.brier, marks.pieces)),
            flag_nats: estimate(|marks| mean(marks.flag_nats, marks.flags)),
            flag_top1: estimate(|marks| mean(marks.flag_hits, marks.flags)),
        }
    }
}

fn calibration(guess: Guess, sample: &Sample) -> impl Iterator<Item = CalibrationReport> {
    let parts = [(0..PHASES.len(), "all".to_owned())].into_iter();
    let parts = parts.chain((0..PHASES.len()).map(|phase| (phase..phase + 1, phase_name(phase))));
    parts.map(move |(phases, plies)| {
        let bin = |scored: &Scored, bin: usize| {
            let mut sum = Bin::default();
            let calibration = &scored.guesses[guess as usize].calibration[phases.clone()];
            for calibration in calibration {
                sum.merge(&calibration.0[bin]);
            }
            sum
        };
        let report = |number: usize| {
            let all = bin(&sample.whole, number);
            Some(BinReport {
                percent: bounds(number),
                predictions: all.predictions,
                predicted: all.mean()?,
                came_true: sample.estimate(|scored| bin(scored, number).share()),
            })
        };
        CalibrationReport { guess: guess.name(), plies, bins: (0..BINS).filter_map(report).collect() }
    })
}

/// An estimate in some unit, with that many decimals.
fn cell(estimate: Option<Estimate>, unit: f64, decimals: usize) -> String {
    let Some(Estimate { value, low, high }) = estimate else { return "-".to_owned() };
    let text = |value: f64| format!("{:.decimals$}", value * unit);
    match (low, high) {
        (Some(low), Some(high)) => format!("{} [{}, {}]", text(value), text(low), text(high)),
        _ => text(value),
    }
}

/// What is saved on each of the other guesses.
type Saved = fn(&BandReport) -> [Option<Estimate>; 2];

/// A table of marks: its title, and for each band the cells of a line.
struct Table {
    title: &'static str,
    count: fn(&BandReport) -> u64,
    mark: fn(&MarksReport) -> Option<Estimate>,
    saved: Option<Saved>,
    unit: f64,
    decimals: usize,
}

const TABLES: [Table; 5] = [
    Table {
        title: "Nats a hidden piece",
        count: |band| band.pieces,
        mark: |marks| marks.nats,
        saved: Some(|band| band.saved),
        unit: 1.0,
        decimals: 4,
    },
    Table {
        title: "True rank the likeliest, %",
        count: |band| band.pieces,
        mark: |marks| marks.top1,
        saved: None,
        unit: 100.0,
        decimals: 2,
    },
    Table {
        title: "Brier score a hidden piece",
        count: |band| band.pieces,
        mark: |marks| marks.brier,
        saved: None,
        unit: 1.0,
        decimals: 4,
    },
    Table {
        title: "Nats of where the flag is",
        count: |band| band.flags,
        mark: |marks| marks.flag_nats,
        saved: Some(|band| band.flag_saved),
        unit: 1.0,
        decimals: 4,
    },
    Table {
        title: "The flag where it is likeliest among the living, %",
        count: |band| band.flags,
        mark: |marks| marks.flag_top1,
        saved: None,
        unit: 100.0,
        decimals: 2,
    },
];

impl Table {
    fn write(&self, f: &mut fmt::Formatter<'_>, bands: &[BandReport]) -> fmt::Result {
        writeln!(f, "\n{}", self.title)?;
        write!(f, "{:10} {:>9}", "", "seen")?;
        Guess::ALL.iter().try_for_each(|guess| write!(f, "  {:<24}", guess.name()))?;
        if self.saved.is_some() {
            write!(f, "  {:<20}  {:<20}", "under counts, %", "under squares, %")?;
        }
        writeln!(f)?;
        let mut by = "";
        for band in bands {
            if by != band.by {
                by = band.by;
                writeln!(f, "{}", if by == "plies" { "plies" } else { "of the army shown" })?;
            }
            write!(f, "  {:<8} {:>9}", band.band, (self.count)(band))?;
            for guess in Guess::ALL {
                let text = cell((self.mark)(band.marks(guess)), self.unit, self.decimals);
                write!(f, "  {text:<24}")?;
            }
            for saved in self.saved.map(|saved| saved(band)).into_iter().flatten() {
                write!(f, "  {:<20}", cell(saved, 100.0, 1))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Report {
    /// The belief's calibration: over all plies in full, and by phase what came true beyond what was predicted.
    fn write_calibration(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.calibration.iter().filter(|part| part.guess == Guess::Belief.name());
        let Some(all) = parts.next() else { return Ok(()) };
        writeln!(
            f,
            "\nCalibration of the belief, %; by plies: true less predicted, in points, from {FEW} predictions on"
        )?;
        write!(f, "{:>8} {:>11} {:>9}  {:<22}", "believed", "predictions", "predicted", "true")?;
        let phases: Vec<&CalibrationReport> = parts.collect();
        phases.iter().try_for_each(|part| write!(f, " {:>8}", part.plies))?;
        writeln!(f)?;
        for bin in &all.bins {
            let (from, to) = bin.percent;
            let predicted = 100.0 * bin.predicted;
            write!(f, "{:>8} {:>11} {predicted:>9.2}", format!("{from}-{to}"), bin.predictions)?;
            write!(f, "  {:<22}", cell(bin.came_true, 100.0, 2))?;
            for part in &phases {
                let bin = part.bins.iter().find(|other| other.percent == bin.percent);
                write!(f, " {:>8}", bin.and_then(gap).unwrap_or_else(|| "-".to_owned()))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// What came true beyond what was predicted, in points.
fn gap(bin: &BinReport) -> Option<String> {
    let share = bin.came_true.filter(|_| bin.predictions >= FEW)?;
    Some(format!("{:+.2}", 100.0 * (share.value - bin.predicted)))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { games, every, resamples, seed, about, files: _ } = &self.question;
        let about = if about.is_empty() { String::new() } else { format!(" of {}", about.join(", ")) };
        writeln!(
            f,
            "{games} games, {} armies{about}, {} views, every {every} plies",
            self.armies, self.views
        )?;
        writeln!(f, "a hidden piece is one, living or dead, of more than one possible rank")?;
        writeln!(
            f,
            "95% intervals: {resamples} resamples of {} units (games, or pairs that share their setups), seed {seed}",
            self.units
        )?;
        TABLES.iter().try_for_each(|table| table.write(f, &self.bands))?;
        self.write_calibration(f)?;
        writeln!(f, "\ntrue ranks held impossible: {}", self.impossible)
    }
}
