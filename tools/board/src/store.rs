//! The folder of games. The server names its files itself, by number; nothing that a page sends becomes a name.

use crate::game::{Match, Saved};
use crate::token::Token;
use anyhow::Context;
use outflank_record::{Record, RecordFile};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Where records of finished games go.
const RECORDS: &str = "records.jsonl";
/// Largest file that is read, in bytes.
const LARGEST: u64 = 16 << 20;

/// The folder of games. It is locked: no other server uses it meanwhile.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    records: Mutex<RecordFile>,
}

/// A file: a game and where it is played.
#[derive(Serialize, Deserialize)]
struct Filed {
    token: Token,
    game: Saved,
}

/// A game that was found in the folder.
pub struct Found {
    /// The number of its file.
    pub number: u64,
    /// Where it is played.
    pub token: Token,
    /// The game.
    pub game: Match,
}

impl Store {
    /// Opens a folder, or makes it.
    ///
    /// # Errors
    /// If it cannot be made or another server uses it.
    pub fn open(folder: &Path) -> anyhow::Result<Store> {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let records = RecordFile::resume(&folder.join(RECORDS), |_| Ok(()))?;
        Ok(Store { folder: folder.to_owned(), records: Mutex::new(records) })
    }

    fn file(&self, number: u64) -> PathBuf {
        self.folder.join(format!("game-{number}.json"))
    }

    /// The numbers of the games that are there, in order.
    fn numbers(&self) -> anyhow::Result<Vec<u64>> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let inside = name.to_str().and_then(|name| name.strip_prefix("game-")?.strip_suffix(".json"));
            numbers.extend(inside.and_then(|number| number.parse::<u64>().ok()));
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
        Ok(Found { number, token: filed.token, game })
    }

    /// A number that no file has, and above all that have been.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn next_number(&self) -> anyhow::Result<u64> {
        Ok(self.numbers()?.last().map_or(1, |last| last + 1))
    }

    /// Writes a game: the whole file appears at once. Only its owner may read it, as it holds both armies.
    ///
    /// # Errors
    /// If it cannot be written; then the former file is still there.
    pub fn save(&self, number: u64, token: &Token, game: &Match) -> anyhow::Result<()> {
        let filed = Filed { token: token.clone(), game: Saved::from(game) };
        let mut file = tempfile::Builder::new().prefix(".game-").tempfile_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(&filed)?)?;
        file.persist(self.file(number))?;
        Ok(())
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
        records.append(&Record { game: number, ..record })
    }
}
