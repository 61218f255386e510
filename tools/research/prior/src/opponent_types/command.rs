//! The command that fits opponent types.

use super::cases::{Case, Cases, is_meant};
use super::fit::{Plan, fit};
use anyhow::{Context, ensure};
use outflank::belief::opponent_types::TypeTable;
use outflank::belief::opponent_types::file::packed;
use outflank_record::bounds;
use outflank_record::console::complain;
use outflank_record::{Record, ensure_free, write_out};
use std::path::PathBuf;

/// Hands every record of some files to a function.
pub type EachRecord<'a> =
    &'a dyn Fn(&[PathBuf], &mut dyn FnMut(&Record) -> anyhow::Result<()>) -> anyhow::Result<()>;

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
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
    /// Plies from one moment to the next, at least
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Fit without the games of these players
    #[arg(long, value_name = "NAME")]
    leave_out: Vec<String>,
    /// How often every moment is looked at
    #[arg(long, default_value_t = Plan::default().rounds, value_parser = |text: &str| bounds::within(text, 1, 10_000).map(|count| count as usize))]
    rounds: usize,
    /// How strongly weights are drawn to nothing
    #[arg(long, default_value_t = Plan::default().shrinkage, value_parser = bounds::share32)]
    shrinkage: f32,
}

impl Options {
    /// Fits, and writes the tables.
    ///
    /// # Errors
    /// If a record cannot be replayed or the file not be written.
    pub fn run(&self, each_record: EachRecord) -> anyhow::Result<()> {
        ensure_free(&self.out, self.force)?;
        let mut cases = Cases::default();
        each(&self.files, each_record, &mut |source, record| cases.add(record, source, self.every))?;
        complain(format_args!("{} moments of {:?}", cases.cases.len(), cases.names));
        let bytes = packed(&self.tables(&cases, &self.leave_out)?).context("too many types for one file")?;
        write_out(&self.out, bytes, self.force)
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
