//! The report as tables for people.

use super::guess::Guess;
use super::report::{BandReport, CalibrationReport, MarksReport, Question, Report};
use super::trust::TrustReport;
use crate::calibration::BinReport;
use crate::figures::{cell, percent};
use crate::sample::Estimate;
use outflank_record::console::printable;
use std::fmt;

/// Fewer predictions than this say nothing about calibration.
const FEW: u64 = 2_000;

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
            let predicted = percent(bin.predicted, 2);
            write!(f, "{:>8} {:>11} {predicted:>9}", format!("{from}-{to}"), bin.predictions)?;
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

impl Report {
    /// By how much the belief is better, player by player.
    fn write_players(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\nBy whose pieces they are: nats a hidden piece from ply 50 on, nats of the flag from ply 100 on"
        )?;
        write!(f, "{:<16} {:>7} {:>9}", "", "armies", "pieces")?;
        for title in ["belief", "under counts, %", "under squares, %", "flag", "under squares, %"] {
            write!(f, "  {title:<24}")?;
        }
        writeln!(f)?;
        for player in &self.players {
            let (pieces, flags) = (&player.from_50, &player.from_100);
            write!(f, "{:<16} {:>7} {:>9}", printable(&player.name), player.armies, pieces.pieces)?;
            let nats =
                [(pieces.belief.nats, 1.0, 4), (pieces.saved[0], 100.0, 1), (pieces.saved[1], 100.0, 1)];
            let flag = [(flags.belief.flag_nats, 1.0, 4), (flags.flag_saved[1], 100.0, 1)];
            for (estimate, unit, decimals) in nats.into_iter().chain(flag) {
                write!(f, "  {:<24}", cell(estimate, unit, decimals))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// What came true beyond what was predicted, in points.
fn gap(bin: &BinReport) -> Option<String> {
    let share = bin.came_true.filter(|_| bin.predictions >= FEW)?;
    Some(format!("{:+.2}", 100.0 * (share.value - bin.predicted?)))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { games, every, resamples, seed, about, without, files: _ } = &self.question;
        let about = if about.is_empty() { String::new() } else { format!(" of {}", about.join(", ")) };
        writeln!(
            f,
            "{games} games, {} armies{about}, {} views, every {every} plies",
            self.armies, self.views
        )?;
        if !without.is_empty() {
            writeln!(f, "the belief is measured without {}", without.join(", "))?;
        }
        writeln!(f, "a hidden piece is one, living or dead, of more than one possible rank")?;
        writeln!(
            f,
            "95% intervals: {resamples} resamples of {} units (games, or pairs that share their setups), seed {seed}",
            self.units
        )?;
        TABLES.iter().try_for_each(|table| table.write(f, &self.bands))?;
        self.write_calibration(f)?;
        f.write_str(&TrustReport::table(&self.trust))?;
        self.write_players(f)?;
        writeln!(f, "\ntrue ranks held impossible: {}", self.impossible)
    }
}
