//! The game under way, ready to be written: however the program ends, it is not lost.

use crate::saved::create;
use anyhow::anyhow;
use std::env;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where the games go, the first of these that can be written to. The current one needs no path to be typed.
fn folders() -> [PathBuf; 3] {
    [PathBuf::new(), env::home_dir().unwrap_or_default(), env::temp_dir()]
}

/// How many names are tried in a folder.
const MOST: u32 = 10_000;

/// Holds the record of the game under way for as long as it is in no file.
#[derive(Debug, Default)]
pub struct Keeper(Mutex<Option<String>>);

impl Keeper {
    /// From now on, this is what would be lost.
    pub fn hold(&self, record: String) {
        *self.held() = Some(record);
    }

    /// The game is in a file, or not wanted.
    pub fn forget(&self) {
        *self.held() = None;
    }

    /// Writes what would be lost into a new file; what to tell the person, if there was anything.
    pub fn keep(&self) -> Option<String> {
        // Held until it is written: another thread that ends the program waits for that.
        let mut held = self.held();
        let record = held.take()?;
        Some(match write(&record, &folders()) {
            Ok(path) => format!("The game is saved: go on with --load {}, or load {0}.", path.display()),
            Err(error) => format!("The game cannot be saved: {error:#}. This is its record:\n{record}"),
        })
    }

    fn held(&self) -> MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes a record into a file of its own in the first folder that takes it.
fn write(record: &str, folders: &[PathBuf]) -> anyhow::Result<PathBuf> {
    let mut last = anyhow!("there is no folder for it");
    for folder in folders {
        match write_into(record, folder) {
            Ok(path) => return Ok(path),
            Err(error) => last = error,
        }
    }
    Err(last)
}

fn write_into(record: &str, folder: &Path) -> anyhow::Result<PathBuf> {
    for number in 1..=MOST {
        let name = if number == 1 {
            "outflank-game.jsonl".to_owned()
        } else {
            format!("outflank-game-{number}.jsonl")
        };
        let path = folder.join(name);
        match create(record, &path) {
            Ok(()) => return Ok(path),
            Err(error) if is_taken(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Err(anyhow!("{}: every name is taken", folder.display()))
}

fn is_taken(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == ErrorKind::AlreadyExists)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn each_game_has_a_file_of_its_own_in_the_first_folder_that_takes_it() {
        let folder = env::temp_dir().join(format!("outflank-keeper-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let folders = [folder.join("missing"), folder.clone()];
        let names: Vec<PathBuf> = ["one", "two"].map(|text| write(text, &folders).unwrap()).to_vec();
        assert_eq!(names, ["outflank-game.jsonl", "outflank-game-2.jsonl"].map(|name| folder.join(name)));
        let texts: Vec<String> = names.iter().map(|name| fs::read_to_string(name).unwrap()).collect();
        assert_eq!(texts, ["one", "two"]);
        assert!(write("three", &folders[..1]).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_forgotten_is_not_kept() {
        let keeper = Keeper::default();
        assert_eq!(keeper.keep(), None);
        keeper.hold("a game".to_owned());
        keeper.forget();
        assert_eq!(keeper.keep(), None);
    }
}
