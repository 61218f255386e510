//! Locks: one process at a time writes to a file.

use crate::console::complain;
use anyhow::{Context, bail};
use std::fmt;
use std::fs::{File, OpenOptions, TryLockError, canonicalize, metadata, remove_file};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Another process writes to the file.
#[derive(Copy, Clone, Debug)]
pub struct InUse;

impl fmt::Display for InUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another process is writing to it")
    }
}

impl std::error::Error for InUse {}

/// Keeps other processes that ask for the same from a file that is read, continued and replaced whole. The file
/// itself cannot be locked, as another one takes its place; so an empty one beside it is, for as long as this lives.
#[derive(Debug)]
pub struct FileLock(Option<(PathBuf, File)>);

impl FileLock {
    /// Locks a file that need not be there yet. A pipe or a device, which nothing takes the place of, needs no lock.
    ///
    /// # Errors
    /// If another process has the lock ([`InUse`]), or no file can be made beside it.
    pub fn new(path: &Path) -> anyhow::Result<FileLock> {
        if metadata(path).is_ok_and(|found| !found.is_file()) {
            return Ok(FileLock(None));
        }
        let place = canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let Some(name) = place.file_name() else { bail!("{} names no file", path.display()) };
        let beside = place.with_file_name(format!(".outflank-{}.lock", name.to_string_lossy()));
        let file = OpenOptions::new().append(true).create(true).open(&beside);
        let file = file.with_context(|| beside.display().to_string())?;
        lock(&file, path)?;
        // Whoever had it before may have removed it since it was opened here.
        if !leads_to(&beside, &file) {
            return Err(InUse).with_context(|| path.display().to_string());
        }
        Ok(FileLock(Some((beside, file))))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        if let Some((beside, _)) = &self.0 {
            // What stays locks nobody out: the lock itself ends with the process.
            let _ = remove_file(beside);
        }
    }
}

/// Locks an open file, which `path` names in errors, until it is closed.
pub(crate) fn lock(file: &File, path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(InUse).with_context(|| name.to_string()),
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {
            complain(format_args!("warning: {name} cannot be locked: let no other process write to it"));
        }
        Err(TryLockError::Error(error)) => return Err(error).with_context(|| name.to_string()),
    }
    Ok(())
}

/// Whether a path leads to this open file, as far as the system can tell.
pub(crate) fn leads_to(path: &Path, file: &File) -> bool {
    let (Ok(found), Ok(own)) = (path.metadata(), file.metadata()) else { return false };
    is_same(&found, &own)
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::whole::write_whole;
    use std::fs::read_dir;

    #[test]
    fn a_file_has_one_lock_however_often_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sums.json");
        let lock = FileLock::new(&path).unwrap();
        for text in ["one", "two"] {
            write_whole(&path, text).unwrap();
            let refused = FileLock::new(&path).unwrap_err();
            assert!(refused.is::<InUse>() && format!("{refused:#}").contains("sums.json"), "{refused:#}");
        }
        let _other = FileLock::new(&folder.path().join("other.json")).unwrap();
        drop(lock);
        let again = FileLock::new(&path).unwrap();
        drop(again);
        assert_eq!(read_dir(folder.path()).unwrap().count(), 2, "the file, and the lock of the other");
    }

    #[test]
    fn a_device_needs_no_lock() {
        if cfg!(unix) {
            let _one = FileLock::new(Path::new("/dev/null")).unwrap();
            let _other = FileLock::new(Path::new("/dev/null")).unwrap();
        }
    }
}
