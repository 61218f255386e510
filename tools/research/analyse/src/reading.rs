//! Reading games, many at once.

use crate::options::Games;
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank::rules::Side;
use outflank_record::{Record, Replay};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::Path;

/// Games that are read before they are shared out.
const BATCH: usize = 256;

/// Which games belong together: the file, whether they are a pair, and its number or the game's. Games of one file that
/// share their setups are one unit.
pub type Unit = (usize, bool, u64);

/// A game that was read, with what was made of it.
#[derive(Clone, Debug)]
pub struct Read<T> {
    /// Which games it belongs to.
    pub unit: Unit,
    /// The players' names, Red's first.
    pub names: [String; 2],
    /// What was made of it.
    pub made: T,
}

/// Replays a game from its start; `None` where a player failed before there were setups.
///
/// # Errors
/// If its setups or actions cannot be read.
pub fn replay(record: &Record) -> anyhow::Result<Option<Replay>> {
    let has_setups = record.setups.values().any(|setup| !setup.is_empty());
    has_setups.then(|| Replay::new(record)).transpose()
}

/// Lets `look` look at every game, on all threads, and hands on what it made of them in the order of the games. It makes
/// nothing of games that do not count; the answer is the number of those that do.
///
/// # Errors
/// If a file cannot be read, `look` refuses a game, or nobody has a name that was asked for.
pub fn each<T: Send>(
    games: &Games,
    look: impl Fn(&Record) -> anyhow::Result<Option<T>> + Sync,
    mut keep: impl FnMut(Read<T>),
) -> anyhow::Result<u64> {
    let (mut count, mut names) = (0, BTreeSet::new());
    for (file, path) in games.files.iter().enumerate() {
        let whole = read(path, |batch| {
            let made: Vec<anyhow::Result<Option<T>>> = batch.par_iter().map(&look).collect();
            for (record, made) in batch.iter().zip(made) {
                let Some(made) = made.with_context(|| format!("game {}", record.game))? else { continue };
                count += 1;
                // A game without a pair is known by its place: numbers may come again where files were joined.
                let unit = record.pair.map_or((file, false, count), |pair| (file, true, pair));
                let both = record.names().map(str::to_owned);
                names.extend(both.clone());
                keep(Read { unit, names: both, made });
            }
            Ok(())
        });
        whole.with_context(|| path.display().to_string())?;
    }
    let known = || names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    for name in &games.about {
        ensure!(names.contains(name), "nobody is called {name:?}; there are {}", known());
    }
    Ok(count)
}

/// Reads a file, batch by batch; how far it is stands on standard error, where that is a terminal.
fn read(path: &Path, mut take: impl FnMut(&[Record]) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let (input, bar): (Box<dyn BufRead>, _) = if path == Path::new("-") {
        (Box::new(BufReader::new(stdin())), ProgressBar::hidden())
    } else {
        let file = File::open(path)?;
        let style = ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes}, {eta} left")?;
        let bar = ProgressBar::new(file.metadata()?.len()).with_style(style);
        (Box::new(BufReader::new(bar.wrap_read(file))), bar)
    };
    let mut records = outflank_record::read(input);
    loop {
        let batch: Vec<Record> = records.by_ref().take(BATCH).collect::<anyhow::Result<_>>()?;
        if batch.is_empty() {
            bar.finish_and_clear();
            return Ok(());
        }
        take(&batch)?;
    }
}

impl<T> Read<T> {
    /// Both sides with their players' names.
    pub fn sides(&self) -> impl Iterator<Item = (Side, &str)> {
        Side::BOTH.into_iter().zip(self.names.iter().map(String::as_str))
    }
}
