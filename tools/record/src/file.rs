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

    /// Opens a file to go on with, or a new one. `look` sees every record that it has; a last line cut short is
    /// dropped.
    ///
    /// # Errors
    /// If it is no regular file, another contest writes to it, it cannot be read, or `look` refuses a record.
    pub fn resume(path: &Path, look: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<RecordFile> {
        let name = || path.display().to_string();
        // Before it is opened: to open a named pipe would wait for its other end.
        let special = || anyhow!("{} is no regular file", path.display());
        ensure!(path.metadata().map_or(true, |found| found.is_file()), special());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).with_context(name)?;
        ensure!(file.metadata().with_context(name)?.is_file(), special());
        let mut records = RecordFile::locked(path, file)?;
        records.length = records.look_through(look).with_context(name)?;
        records.file.set_len(records.length).with_context(name)?;
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

    /// Bytes up to the end of the last whole line.
    fn look_through(&self, mut look: impl FnMut(Record) -> anyhow::Result<()>) -> anyhow::Result<u64> {
        let (mut lines, mut length) = (Lines::new(BufReader::new(&self.file)), 0);
        while let Some(line) = lines.next()?.filter(|line| line.whole) {
            length = line.end;
            if !line.text.trim().is_empty() {
                look(line.text.parse().with_context(|| format!("line {}", line.number))?)?;
            }
        }
        Ok(length)
    }

    /// Appends a record, whole and at once.
    ///
    /// # Errors
    /// If it cannot be written; the message names the file, and no part of the record stays in it.
    pub fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        let line = record.line()?;
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            // A part that stays all the same is dropped by whoever resumes.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| self.path.display().to_string());
        }
        self.length += line.len() as u64;
        Ok(())
    }
}
