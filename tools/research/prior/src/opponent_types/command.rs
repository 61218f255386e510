//! The command that fits opponent types and measures their worth.

use super::cases::{Case, Cases, full_name, is_meant};
use super::fit::{Plan, fit};
use super::score::{Score, Way};
use crate::moments::EachRecord;
use anyhow::{Context, ensure};
use outflank::belief::opponent_types::file::packed;
use outflank::belief::opponent_types::{TypeTable, mixture};
use outflank_record::bounds;
use outflank_record::console::{complain, print};
use outflank_record::{Record, ensure_free, write_out};
use std::path::PathBuf;
use std::rc::Rc;

/// What to fit to, and what to do with it.
#[derive(clap::Args)]
pub struct Options {
    /// Records of games, one a line
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Players of one type, NAME,NAME…; once for each type, all players by default. A name is that in the records,
    /// the name of their file without what follows a dot, or FILE/NAME
    #[arg(long, value_name = "NAMES")]
    players: Vec<String>,
    /// Where the packed tables go, as the engine's `belief/opponent_types/opponent.types`; `types` shows what is in such a file
    #[arg(long, required_unless_present = "check", conflicts_with = "check", value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there
    #[arg(long, conflicts_with = "check")]
    force: bool,
    /// Plies from one moment to the next, at least
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Fit without the games of these players
    #[arg(long, value_name = "NAME")]
    leave_out: Vec<String>,
    /// Write nothing, but print what opponent types are worth on the pieces of the players left out; of each in its
    /// turn, if none is named
    #[arg(long)]
    check: bool,
    /// Score on all pieces of these records instead; none of them is fitted
    #[arg(long, requires = "check", value_name = "FILE")]
    on: Vec<PathBuf>,
    /// How often every moment is looked at
    #[arg(long, default_value_t = Plan::default().rounds, value_parser = |text: &str| bounds::within(text, 1, 10_000).map(|count| count as usize))]
    rounds: usize,
    /// How strongly weights are drawn to nothing
    #[arg(long, default_value_t = Plan::default().shrinkage, value_parser = bounds::share32)]
    shrinkage: f32,
    /// Also try this mix: the chances of blind and of plain players, trust and doubt, as in `0.1,0.5,0.7,0.04`
    #[arg(long, requires = "check", value_name = "MIX")]
    mix: Vec<String>,
}

impl Options {
    /// Fits, and writes the tables or prints what they are worth.
    ///
    /// # Errors
    /// If a record cannot be replayed, a mix not be read or the file not be written.
    pub fn run(&self, each_record: EachRecord) -> anyhow::Result<()> {
        self.out.as_ref().map_or(Ok(()), |path| ensure_free(path, self.force))?;
        let mut cases = Cases::default();
        each(&self.files, each_record, &mut |source, record| cases.add(record, source, self.every))?;
        complain(format_args!("{} moments of {:?}", cases.cases.len(), cases.names));
        if let Some(path) = &self.out {
            let tables = self.tables(&cases, &self.leave_out)?;
            let bytes = packed(&tables).context("too many types for one file")?;
            return write_out(path, bytes, self.force);
        }
        let turns: Vec<Vec<String>> = if self.leave_out.is_empty() && self.on.is_empty() {
            let mut names: Vec<&str> = cases.names.iter().filter_map(|name| name.split('/').nth(1)).collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().map(|name| vec![name.to_owned()]).collect()
        } else {
            vec![self.leave_out.clone()]
        };
        for left_out in &turns {
            let score = self.measure(&cases, left_out, each_record)?;
            print(format_args!("without {left_out:?}: {score}\n"))?;
        }
        Ok(())
    }

    /// A table for each type of which someone is left.
    fn tables(&self, cases: &Cases, left_out: &[String]) -> anyhow::Result<Vec<TypeTable>> {
        let meant = |asked: &[&str]| -> Vec<usize> {
            let any = |name: &str| asked.iter().any(|asked| is_meant(name, asked));
            (0..cases.names.len()).filter(|&name| any(&cases.names[name])).collect()
        };
        let out = meant(&left_out.iter().map(String::as_str).collect::<Vec<_>>());
        let types: Vec<Vec<usize>> = if self.players.is_empty() {
            vec![(0..cases.names.len()).collect()]
        } else {
            self.players.iter().map(|names| meant(&names.split(',').collect::<Vec<_>>())).collect()
        };
        let plan = Plan { rounds: self.rounds, shrinkage: self.shrinkage };
        let mut tables = Vec::new();
        for members in &types {
            let fits = |case: &&Case| {
                members.contains(&case.names[0]) && !case.names.iter().any(|name| out.contains(name))
            };
            if cases.cases.iter().any(|case| fits(&case)) {
                tables.push(fit(cases.cases.iter().filter(fits), plan).rounded());
            }
        }
        ensure!(!tables.is_empty(), "nobody is left to learn from");
        Ok(tables)
    }

    fn measure(&self, cases: &Cases, left_out: &[String], each_record: EachRecord) -> anyhow::Result<Score> {
        let tables = Rc::new(self.tables(cases, left_out)?);
        let mut ways = vec![
            ("counts".to_owned(), Way::Counts),
            ("squares".to_owned(), Way::Squares),
            ("no types".to_owned(), Way::Plain),
        ];
        let mixture = mixture();
        let used = [mixture.blind, mixture.plain, mixture.trust, mixture.doubt];
        ways.push(("types".to_owned(), Way::Mixture(Rc::clone(&tables), used)));
        for text in &self.mix {
            ways.push((text.clone(), Way::Mixture(Rc::clone(&tables), mix(text)?)));
        }
        let mut score = Score::new(ways);
        let files = if self.on.is_empty() { &self.files } else { &self.on };
        let all = !self.on.is_empty();
        each(files, each_record, &mut |source, record| {
            let judged = |name: &str| left_out.iter().any(|out| is_meant(&full_name(source, name), out));
            score.add(record, self.every, |name| all || judged(name))
        })?;
        Ok(score)
    }
}

/// Hands every record of `files` to `look`, with the name of its file up to the first dot.
fn each(
    files: &[PathBuf],
    each_record: EachRecord,
    look: &mut dyn FnMut(&str, &Record) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let source = name.split('.').next().unwrap_or_default();
        each_record(std::slice::from_ref(file), &mut |record| look(source, record))?;
    }
    Ok(())
}

/// Reads four numbers.
fn mix(text: &str) -> anyhow::Result<[f32; 4]> {
    let numbers: Vec<f32> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
    numbers.try_into().ok().with_context(|| format!("{text} is no mix of four numbers"))
}
