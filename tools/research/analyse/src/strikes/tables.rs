//! The report as tables for people.

use super::blind::BlindReport;
use super::dangers::DangerReport;
use super::{PlayerReport, Report};
use crate::figures::{cell, number, percent};
use outflank_record::console::printable;
use std::fmt;

impl PlayerReport {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "\n== {}: strikes at hidden pieces that never moved, by who struck",
            printable(&self.name)
        )?;
        let titles = ["strikes", "net points", "a strike", "bombs", "bombs, %", "flags"];
        let [strikes, net, a_strike, bombs, share, flags] = titles;
        writeln!(f, "{:3} {strikes:>8} {net:>11} {a_strike:>9} {bombs:>6} {share:>9} {flags:>6}", "")?;
        self.strikes.iter().try_for_each(|strikes| write_blind(f, strikes))
    }
}

fn write_blind(f: &mut fmt::Formatter<'_>, blind: &BlindReport) -> fmt::Result {
    write!(f, "{:3} {:>8} {:>11}", blind.rank, blind.strikes, blind.net)?;
    write!(f, " {:>9} {:>6}", number(blind.net_a_strike, 1), blind.bombs)?;
    writeln!(f, " {:>9} {:>6}", percent(blind.bomb_share, 1), blind.flags)
}

fn write_danger(f: &mut fmt::Formatter<'_>, danger: &DangerReport) -> fmt::Result {
    write!(f, "{:<9} {:>7} {:>7}", danger.danger, danger.plies, danger.predictions)?;
    write!(f, "  {:>12}", percent(danger.predicted, 1))?;
    write!(f, "  {:<22}", cell(danger.came_true, 100.0, 1))?;
    writeln!(f, "  {:<26}  {:>17}", cell(danger.brier, 1.0, 4), number(danger.brier_of_constant, 4))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { games, about, without, resamples, units, seed, .. } = self;
        let about = if about.is_empty() { String::new() } else { format!(", about {}", about.join(", ")) };
        writeln!(f, "{games} games{about}")?;
        if !without.is_empty() {
            writeln!(f, "the belief is measured without {}", without.join(", "))?;
        }
        writeln!(
            f,
            "95% intervals: {resamples} resamples of {units} units (games, or pairs that share their setups), seed {seed}"
        )?;
        self.players.iter().try_for_each(|player| player.write(f))?;
        writeln!(
            f,
            "\nDangers: a hidden piece just came beside a known major or better and can take it; one of the hidden \
             pieces beside a known one that a captain or better takes can retake; a hidden piece that has moved, or \
             never moved, is struck and beats the striker; a hidden piece that has come within two steps of a bomb \
             beside the flag is a miner"
        )?;
        writeln!(
            f,
            "{:<9} {:>7} {:>7}  {:>11}  {:<22}  {:<26}  {:>17}",
            "", "plies", "seen", "predicted, %", "true, %", "Brier score", "of a constant"
        )?;
        self.dangers.iter().try_for_each(|danger| write_danger(f, danger))
    }
}
