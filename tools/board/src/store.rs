//! The folder of games. The server names its files itself, by number; nothing that a page sends becomes a name.

use crate::game::{Match, Saved};
use crate::token::Tokens;
use anyhow::Context;
use outflank_record::console::complain;
use outflank_record::{InUse, Record, RecordFile};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Most files of records of which none can be appended to.
const SPOILED: usize = 100;
/// Nobody plays so many games: a file that is named by such a number is none of ours.
const BEYOND: u64 = 1 << 50;
/// Largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The folder of games. It is locked: no other server uses it meanwhile.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    records: Mutex<RecordFile>,
    /// The games that had records when the folder was opened.
    recorded: HashSet<u64>,
}

/// A file: a game and where it is played.
#[derive(Serialize, Deserialize)]
struct Filed {
    #[serde(flatten)]
    tokens: Tokens,
    game: Saved,
    /// Whether its record is kept, of a game that is over. Files of earlier versions do not say; they were.
    #[serde(default = "yes")]
    kept: bool,
}

const fn yes() -> bool {
    true
}

/// A game that was found in the folder.
pub struct Found {
    /// The number of its file.
    pub number: u64,
    /// Where it is played.
    pub tokens: Tokens,
    /// The game.
    pub game: Match,
    /// Whether its record is kept.
    pub kept: bool,
}

/// Where records of finished games go: the first file of these that holds nothing but records.
fn records_of(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let name =
        |number| if number == 1 { "records.jsonl".to_owned() } else { format!("records-{number}.jsonl") };
    let folder = folder.to_owned();
    (1..=SPOILED).map(move |number| folder.join(name(number)))
}

/// Opens the file of records, and takes down the numbers of the games that it has. A file that holds anything else is
/// left alone, and the next one taken.
fn open_records(folder: &Path, recorded: &mut HashSet<u64>) -> anyhow::Result<RecordFile> {
    for path in records_of(folder) {
        let opened = RecordFile::resume(&path, |record| {
            recorded.insert(record.game);
            Ok(())
        });
        match opened {
            Ok(file) => return Ok(file),
            Err(error) if error.is::<InUse>() || path.symlink_metadata().is_err() => return Err(error),
            Err(error) => complain(format_args!("left alone: {error:#}; records go to another file")),
        }
        recorded.extend(games_in(&path));
    }
    anyhow::bail!("{}: no file of records can be appended to", folder.display())
}

/// The games of a file of records, as far as it can be read.
fn games_in(path: &Path) -> Vec<u64> {
    let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|about| about.is_file()));
    let lines = file.map(|file| BufReader::new(file).lines().map_while(Result::ok));
    let records = lines.into_iter().flatten().filter_map(|line| line.parse::<Record>().ok());
    records.map(|record| record.game).collect()
}

impl Store {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// If it cannot be made or another server uses it.
    pub fn open(folder: &Path) -> anyhow::Result<Store> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let mut recorded = HashSet::new();
        let records = Mutex::new(open_records(folder, &mut recorded)?);
        Ok(Store { folder: folder.to_owned(), records, recorded })
    }

    fn file(&self, number: u64) -> PathBuf {
        self.folder.join(format!("game-{number}.json"))
    }

    /// The numbers of the games that are there, in order.
    fn numbers(&self) -> anyhow::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let inside = name.to_str().and_then(|name| name.strip_prefix("game-")?.strip_suffix(".json"));
            let number = inside.and_then(|number| number.parse::<u64>().ok());
            // Written as we write it: `game-007.json` is another file than that of game 7.
            let ours = |number: &u64| *number < BEYOND && self.file(*number) == entry.path();
            numbers.extend(number.filter(ours));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The latest games, and what is wrong with those that cannot be read. They are left alone.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn load(&self, most: usize) -> anyhow::Result<(Vec<Found>, Vec<anyhow::Error>)> {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for number in self.numbers()?.into_iter().rev().take(most) {
            match self.read(number) {
                Ok(game) => found.push(game),
                Err(error) => wrong.push(error),
            }
        }
        Ok((found, wrong))
    }

    fn read(&self, number: u64) -> anyhow::Result<Found> {
        let path = self.file(number);
        let name = || path.display().to_string();
        let about = fs::symlink_metadata(&path).with_context(name)?;
        anyhow::ensure!(about.is_file() && about.len() <= LARGEST, "{}: it is no file of a game", name());
        let filed: Filed = serde_json::from_slice(&fs::read(&path).with_context(name)?).with_context(name)?;
        let game = Match::try_from(filed.game).with_context(name)?;
        let kept =
            game.is_loaded() || (game.outcome().is_some() && filed.kept) || self.recorded.contains(&number);
        Ok(Found { number, tokens: filed.tokens, game, kept })
    }

    /// A number above those of all files and records.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn next_number(&self) -> anyhow::Result<u64> {
        let numbers = self.numbers()?.into_iter().chain(self.recorded.iter().copied());
        Ok(numbers.filter(|number| *number < BEYOND).max().map_or(1, |last| last + 1))
    }

    /// Writes a new game, unless there is a file of that number; whether it was written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(&self, number: u64, tokens: &Tokens, game: &Match) -> anyhow::Result<bool> {
        match self.written(tokens, game, false)?.persist_noclobber(self.file(number)) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(error.error.into()),
        }
    }

    /// Writes a game: the whole file appears at once. `kept` tells whether its record is kept.
    ///
    /// # Errors
    /// If it cannot be written; then the former file is still there.
    pub fn save(&self, number: u64, tokens: &Tokens, game: &Match, kept: bool) -> anyhow::Result<()> {
        self.written(tokens, game, kept)?.persist(self.file(number))?;
        Ok(())
    }

    /// A game in a file that has no place yet. Only its owner may read it, as it holds both armies.
    fn written(&self, tokens: &Tokens, game: &Match, kept: bool) -> anyhow::Result<tempfile::NamedTempFile> {
        let filed = Filed { tokens: tokens.clone(), game: Saved::from(game), kept };
        let mut file = tempfile::Builder::new().prefix(".game-").tempfile_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(&filed)?)?;
        // Else a power cut may leave the name and lose the contents.
        file.as_file().sync_all()?;
        Ok(file)
    }

    /// Drops the file of a game.
    pub fn forget(&self, number: u64) {
        // A file that stays is found again at the next start, which does no harm.
        let _ = fs::remove_file(self.file(number));
    }

    /// Adds a finished game to the file of records.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, number: u64, record: Record) -> anyhow::Result<()> {
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        if !records.is_there() {
            *records = open_records(&self.folder, &mut HashSet::new())?;
        }
        records.append(&Record { game: number, ..record })
    }
}
