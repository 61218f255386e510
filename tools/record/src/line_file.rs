//! Files of JSON lines that one process appends to, and another continues after a kill.

use crate::console::complain;
use crate::lines::{Lines, without_mark};
use crate::lock::{leads_to, lock};
use crate::record::NoRecord;
use anyhow::{Context, anyhow, bail, ensure};
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A file of JSON lines that no other process writes to: it is locked, and only ever appended to.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    /// Bytes of whole lines.
    length: u64,
}

impl LineFile {
    /// A new file.
    ///
    /// # Errors
    /// If there is one already.
    pub fn create(path: &Path) -> anyhow::Result<LineFile> {
        let file = OpenOptions::new().append(true).create_new(true).open(path);
        let file = file.with_context(|| {
            let hint = if path.is_file() { " (--resume goes on with it)" } else { "" };
            format!("{}{hint}", path.display())
        })?;
        LineFile::locked(path, file)
    }

    /// Opens a file to append to, or a new one. `look` sees every line that is not empty, and refuses what is none of
    /// ours with the error that reading it gave. A last line that a kill cut short, and that begins as one of
    /// `beginnings`, is put into a file of its own beside it, which a message names; so are the NULs that a power cut
    /// leaves at the end of a file, and what stands before them in their line. A last line that lacks only its end gets
    /// it.
    ///
    /// # Errors
    /// If it is no regular file, another process writes to it ([`InUse`](crate::InUse)), it cannot be read, or `look`
    /// refuses a line. Then nothing has changed.
    pub fn resume(
        path: &Path,
        beginnings: &[&str],
        look: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<LineFile> {
        let name = || path.display().to_string();
        // Before it is opened: to open a named pipe would wait for its other end.
        let special = || anyhow!("{} is no regular file", path.display());
        ensure!(path.metadata().map_or(true, |found| found.is_file()), special());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).with_context(name)?;
        ensure!(file.metadata().with_context(name)?.is_file(), special());
        let mut lines = LineFile::locked(path, file)?;
        let (length, tail) = lines.look_through(beginnings, look).with_context(name)?;
        lines.length = length;
        lines.mend(tail).with_context(name)?;
        Ok(lines)
    }

    fn locked(path: &Path, file: File) -> anyhow::Result<LineFile> {
        lock(&file, path)?;
        Ok(LineFile { path: path.to_owned(), file, length: 0 })
    }

    /// Bytes of whole lines, and what comes behind them.
    fn look_through(
        &self,
        beginnings: &[&str],
        mut look: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<(u64, Tail)> {
        let (mut lines, mut length) = (Lines::new(BufReader::new(&self.file)), 0);
        while let Some(line) = lines.next_bytes()? {
            let place = || format!("line {}", line.number);
            if !line.whole && begins_before_nuls(&line.bytes, beginnings) {
                return Ok((length, Tail::Torn(line.bytes)));
            }
            let text = match std::str::from_utf8(&line.bytes) {
                // Cut in the middle of a letter.
                Err(error)
                    if !line.whole && error.error_len().is_none() && begins(&line.bytes, beginnings) =>
                {
                    return Ok((length, Tail::Torn(line.bytes)));
                }
                text => text.with_context(place)?,
            };
            // Some editors put one before the first line.
            let text = if line.number == 1 { without_mark(text) } else { text };
            if text.trim().is_empty() {
                length = line.end;
                continue;
            }
            match look(text) {
                Err(error) if !line.whole && is_cut(&error) && begins(&line.bytes, beginnings) => {
                    return Ok((length, Tail::Torn(line.bytes)));
                }
                looked => looked.with_context(place)?,
            }
            length = line.end;
            if !line.whole {
                return Ok((length, Tail::Unended));
            }
        }
        Ok((length, Tail::None))
    }

    /// Lets the file end with a whole line.
    fn mend(&mut self, tail: Tail) -> anyhow::Result<()> {
        match tail {
            Tail::None => {}
            Tail::Unended => {
                self.file.write_all(b"\n")?;
                self.length += 1;
            }
            Tail::Torn(bytes) => {
                let aside = set_aside(&self.path, &bytes)?;
                self.file.set_len(self.length)?;
                let (name, aside) = (self.path.display(), aside.display());
                complain(format_args!("{name}: its last line was cut short; it is in {aside} now"));
            }
        }
        Ok(())
    }

    /// Appends a line, which has its end, whole and at once.
    ///
    /// # Errors
    /// If it cannot be written, or the file is no longer [there](LineFile::is_there); the message names the file, and
    /// no part of the line stays in it.
    pub fn append(&mut self, line: &str) -> anyhow::Result<()> {
        let gone = || format!("{}: it was removed, replaced or cut short meanwhile", self.path.display());
        ensure!(self.is_there(), gone());
        if let Err(error) = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush()) {
            // A part that stays all the same is put aside by whoever resumes.
            let _ = self.file.set_len(self.length);
            return Err(error).with_context(|| self.path.display().to_string());
        }
        self.length += line.len() as u64;
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to it and no line of ours is missing: a file that somebody has removed takes lines
    /// that nobody will read.
    pub fn is_there(&self) -> bool {
        let is_whole = || self.file.metadata().is_ok_and(|found| found.len() >= self.length);
        leads_to(&self.path, &self.file) && is_whole()
    }
}

/// What stands behind the last whole line.
enum Tail {
    /// Nothing.
    None,
    /// A line that lacks only its end.
    Unended,
    /// The beginning of a line.
    Torn(Vec<u8>),
}

/// Whether a line could not be read because it ends too soon.
fn is_cut(error: &anyhow::Error) -> bool {
    error.downcast_ref::<serde_json::Error>().is_some_and(serde_json::Error::is_eof)
        || error.downcast_ref().is_some_and(NoRecord::is_cut_short)
}

/// Whether a line begins as one of these: somebody else's text does not.
fn begins(line: &[u8], beginnings: &[&str]) -> bool {
    beginnings
        .iter()
        .any(|beginning| line.starts_with(beginning.as_bytes()) || beginning.as_bytes().starts_with(line))
}

/// Whether a line ends in NULs, and nothing is before them but what begins as one of these.
fn begins_before_nuls(line: &[u8], beginnings: &[&str]) -> bool {
    let kept = line.len() - line.iter().rev().take_while(|&&byte| byte == 0).count();
    kept < line.len() && begins(&line[..kept], beginnings)
}

/// Puts bytes into a new file beside another one; its path.
fn set_aside(path: &Path, bytes: &[u8]) -> anyhow::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for number in 1_u32.. {
        let aside = path.with_file_name(format!("{name}.torn-{number}"));
        match File::create_new(&aside) {
            Ok(mut file) => {
                let written = file.write_all(bytes).and_then(|()| file.sync_all());
                return written.map(|()| aside.clone()).with_context(|| aside.display().to_string());
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| aside.display().to_string()),
        }
    }
    bail!("{}: there are too many torn lines beside it", path.display())
}
