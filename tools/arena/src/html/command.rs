//! `outflank-arena html`.

use super::index::{INDEX, file_name, index};
use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use outflank_pages::page_data::has_game;
use outflank_pages::{Links, Settings, page};
use outflank_record::bounds;
use outflank_record::console::print;
use outflank_record::{Record, open, write_whole};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What `html` is given on the command line.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The records; - is standard input
    file: PathBuf,
    /// The game's number; by default the first in the file
    #[arg(long, conflicts_with = "out")]
    game: Option<u64>,
    /// Write a page of every game and an index of them into this folder, instead of one page to standard output
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Let both players examine each of the enemy's moves first, as before a search of this many nodes; below 800 they
    /// do not
    #[arg(
        long,
        alias = "reflect",
        value_name = "NODES",
        default_value_t = 0,
        value_parser = bounds::nodes_or_none
    )]
    inference_nodes: u64,
    /// Search every position with this many nodes, for the curve of wins, draws and losses; 0 shows the scores of the
    /// record, or else material
    #[arg(long, value_name = "NODES", default_value_t = 0, value_parser = bounds::nodes_or_none)]
    nodes: u64,
}

/// Makes the pages that the command line asks for.
///
/// # Errors
/// If there is no such game, a record is broken, or a page cannot be written.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let settings = Settings { inference_nodes: arguments.inference_nodes, nodes: arguments.nodes };
    match &arguments.out {
        None => print(one_page(&arguments.file, arguments.game, settings)?),
        Some(folder) => write_folder(&arguments.file, folder, settings),
    }
}

/// The page of one game of a file.
fn one_page(file: &Path, game: Option<u64>, settings: Settings) -> anyhow::Result<String> {
    let record = find_game(file, game)?;
    let bar = progress_bar(u64::from(record.plies))?;
    let made = page_of(&record, settings, &[], &bar);
    bar.finish_and_clear();
    made
}

/// The game of this number, or the first.
///
/// # Errors
/// If the file has none, or a record before it is broken.
pub fn find_game(file: &Path, game: Option<u64>) -> anyhow::Result<Record> {
    let mut numbers: Option<(u64, u64)> = None;
    for record in open(file)? {
        let record = record?;
        if game.is_none_or(|number| record.game == number) {
            return Ok(record);
        }
        let (least, most) = numbers.unwrap_or((record.game, record.game));
        numbers = Some((least.min(record.game), most.max(record.game)));
    }
    None.with_context(|| match numbers {
        Some((least, most)) => format!("no such game; there are {least} to {most}"),
        None => format!("{} has no games", file.display()),
    })
}

/// Writes the page of each game and the index into a folder.
fn write_folder(file: &Path, folder: &Path, settings: Settings) -> anyhow::Result<()> {
    let records = open(file)?.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!records.is_empty(), "{} has no games", file.display());
    let mut numbers = BTreeSet::new();
    for record in &records {
        ensure!(numbers.insert(record.game), "game {} is in {} twice", record.game, file.display());
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let names = records.iter().filter(|record| has_game(record)).map(file_name).chain([INDEX.to_owned()]);
    for path in names.map(|name| folder.join(name)) {
        ensure!(
            !path.exists() || is_ours(&path),
            "{} is no page of ours: it is not replaced",
            path.display()
        );
    }
    let bar = progress_bar(records.iter().map(|record| u64::from(record.plies)).sum())?;
    for record in records.iter().filter(|record| has_game(record)) {
        bar.set_message(format!("game {}, ", record.game));
        write_whole(
            &folder.join(file_name(record)),
            page_of(record, settings, &[("All games", INDEX)], &bar)?,
        )?;
    }
    bar.finish_and_clear();
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    write_whole(&folder.join(INDEX), index(&name, &records))
}

/// Whether a file is a page that was made here, by what the head of each says.
fn is_ours(path: &Path) -> bool {
    const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
    fs::read_to_string(path)
        .is_ok_and(|text| text.split("</head>").next().is_some_and(|head| head.contains(POLICY)))
}

fn page_of(
    record: &Record,
    settings: Settings,
    links: Links<'_>,
    bar: &ProgressBar,
) -> anyhow::Result<String> {
    page(record, settings, links, bar).with_context(|| format!("game {}", record.game))
}

/// On stderr, and only where that is a terminal.
fn progress_bar(plies: u64) -> anyhow::Result<ProgressBar> {
    let style = ProgressStyle::with_template("{wide_bar} {msg}{pos}/{len} plies, {eta} left")?;
    Ok(ProgressBar::new(plies).with_style(style))
}
