//! The file that a running contest writes its records to.

use crate::console::complain;
use crate::lines::Lines;
use crate::record::Record;
use anyhow::{Context, anyhow, bail, ensure};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file of records that no other contest writes to: it is locked, and only ever appended to.
#[derive(Debug)]
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl RecordFile {
    /// A new file.
    ///
    /// # Errors
    /// If there is one already.
    pub fn create(path: &Path) -> anyhow::Result<RecordFile> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.with_context(|| format!("{} (--resume goes on with it)", path.display()))?;
        RecordFile::locked(path, file)
    }

    /// Opens a file to go on with, or a new one. `look` sees every record that it has. A last line that a kill cut short
    /// is put into a file of its own beside it, which a message names; a last record that lacks only its end gets it.
    ///
    /// # Errors
    /// If it is no regular file, another contest writes to it, it cannot be read, a line is no record, or `look` refuses
    /// one. Then nothing has changed.
    pub fn resume(path: &Path, look: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<RecordFile> {
        let name = || path.display().to_string();
        // Before it is opened: to open a named pipe would wait for its other end.
        let special = || anyhow!("{} is no regular file", path.display());
        ensure!(path.metadata().map_or(true, |found| found.is_file()), special());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).with_context(name)?;
        ensure!(file.metadata().with_context(name)?.is_file(), special());
        let mut records = RecordFile::locked(path, file)?;
        let (length, tail) = records.look_through(look).with_context(name)?;
        records.length = length;
        match tail {
            Tail::None => {}
            Tail::Unended => {
                records.file.write_all(b"\n").with_context(name)?;
                records.length += 1;
            }
            Tail::Torn(text) => {
                let aside = set_aside(path, &text)?;
                records.file.set_len(records.length).with_context(name)?;
                complain(format_args!(
                    "{}: its last line was cut short; it is in {} now",
                    name(),
                    aside.display()
                ));
            }
        }
        Ok(records)
    }

    fn locked(path: &Path, file: File) -> anyhow::Result<RecordFile> {
        let name = path.display();
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{name}: another process is writing to it"),
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
                complain(format_args!("warning: {name} cannot be locked: let no other process write to it"));
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| name.to_string()),
        }
        Ok(RecordFile { path: path.to_owned(), file, length: 0 })
    }

    /// Bytes of whole records, and what comes behind them.
    fn look_through(
        &self,
        mut look: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<(u64, Tail)> {
        let (mut lines, mut length) = (Lines::new(BufReader::new(&self.file)), 0);
        while let Some(line) = lines.next()? {
            if line.text.trim().is_empty() {
                length = line.end;
                continue;
            }
            match line.text.parse() {
                Err(error) if !line.whole && is_torn(&line.text, &error) => {
                    return Ok((length, Tail::Torn(line.text)));
                }
                record => look(record.with_context(|| format!("line {}", line.number))?)?,
            }
            length = line.end;
            if !line.whole {
                return Ok((length, Tail::Unended));
            }
        }
        Ok((length, Tail::None))
    }

    /// Appends a record, whole and at once.
    ///
    /// # Errors
    /// If it cannot be written; the message names the file, and no part of the record stays in it.
    pub fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let line = record.line()?;
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            // A part that stays all the same is put aside by whoever resumes.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| self.path.display().to_string());
        }
        self.length += line.len() as u64;
        Ok(())
    }
}

/// What stands behind the last whole line.
enum Tail {
    /// Nothing.
    None,
    /// A record that lacks only its end.
    Unended,
    /// The beginning of a record.
    Torn(String),
}

/// How every record begins.
const BEGINNING: &str = "{\"game\":";

/// Whether a line that is no record is the beginning of one: somebody else's text is not.
fn is_torn(text: &str, error: &serde_json::Error) -> bool {
    error.is_eof() && (text.starts_with(BEGINNING) || BEGINNING.starts_with(text))
}

/// Puts text into a new file beside another one; its path.
fn set_aside(path: &Path, text: &str) -> anyhow::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 1_u32.. {
        let aside = path.with_file_name(format!("{name}.torn-{number}"));
        match File::create_new(&aside) {
            Ok(mut file) => {
                let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
                return written.map(|()| aside.clone()).with_context(|| aside.display().to_string());
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| aside.display().to_string()),
        }
    }
    bail!("{}: there are too many torn lines beside it", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read_to_string, write};

    const RECORD: &str = include_str!("../tests/game.jsonl");

    /// An empty folder of the test's own.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("outflank-record-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn resumed(path: &Path) -> anyhow::Result<usize> {
        let mut count = 0;
        RecordFile::resume(path, |_| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    #[test]
    fn what_somebody_else_wrote_is_refused_and_stays() {
        let folder = folder("foreign");
        let path = folder.join("games.jsonl");
        let record = RECORD.lines().next().unwrap();
        let texts =
            ["my notes", "my notes\n", "{\"a\": 1", "{\"a\": 1}\n", "{}", "[1,\n2]"].map(str::to_owned);
        for text in texts.into_iter().chain([format!("{record}\nmy notes"), format!("my notes\n{record}\n")])
        {
            write(&path, &text).unwrap();
            assert!(resumed(&path).is_err(), "{text:?}");
            assert_eq!(read_to_string(&path).unwrap(), text);
        }
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        #[cfg(unix)]
        {
            let link = folder.join("link.jsonl");
            write(&path, "my notes").unwrap();
            std::os::unix::fs::symlink(&path, &link).unwrap();
            assert!(resumed(&link).is_err());
            assert_eq!(read_to_string(&path).unwrap(), "my notes");
        }
    }

    #[test]
    fn a_torn_line_is_put_aside_and_a_whole_one_kept() {
        let folder = folder("torn");
        let path = folder.join("games.jsonl");
        let record = RECORD.lines().next().unwrap();
        for (torn, files) in [(&record[..1], 2), (&record[..30], 3), (&record[..record.len() - 1], 4)] {
            write(&path, format!("{record}\n{torn}")).unwrap();
            assert_eq!(resumed(&path).unwrap(), 1);
            assert_eq!(read_to_string(&path).unwrap(), format!("{record}\n"));
            let aside = folder.join(format!("games.jsonl.torn-{}", files - 1));
            assert_eq!(read_to_string(aside).unwrap(), torn);
            assert_eq!(std::fs::read_dir(&folder).unwrap().count(), files);
        }
        write(&path, record).unwrap();
        assert_eq!(resumed(&path).unwrap(), 1);
        assert_eq!(read_to_string(&path).unwrap(), format!("{record}\n"));
        write(&path, "").unwrap();
        assert_eq!(resumed(&path).unwrap(), 0);
    }
}
