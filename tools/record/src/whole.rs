//! Files that appear whole: a reader, a kill or a full disk finds the old text or the new one, never a part of it.

use anyhow::{Context, ensure};
use std::fs::{File, OpenOptions, canonicalize, metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// A file that is being written beside the place it goes to, under a name that nothing else has. It is gone unless it
/// is put there.
#[derive(Debug)]
pub struct WholeFile {
    /// What was asked for, as errors name it.
    name: PathBuf,
    /// Where it goes to: behind every link, so that a link stays one.
    place: PathBuf,
    output: BufWriter<Output>,
}

#[derive(Debug)]
enum Output {
    Beside(NamedTempFile),
    /// A pipe or a device, which nothing can take the place of.
    Special(File),
}

impl WholeFile {
    /// A file that goes to this place. What is there keeps its permissions; a new file has those of any other.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn new(path: &Path) -> anyhow::Result<WholeFile> {
        WholeFile::open(path).with_context(|| path.display().to_string())
    }

    fn open(path: &Path) -> io::Result<WholeFile> {
        let place = canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let found = metadata(&place).ok();
        let output = match &found {
            Some(found) if !found.is_file() => Output::Special(OpenOptions::new().write(true).open(&place)?),
            _ => Output::Beside(beside(&place)?),
        };
        if let (Output::Beside(file), Some(found)) = (&output, found) {
            file.as_file().set_permissions(found.permissions())?;
        }
        Ok(WholeFile { name: path.to_owned(), place, output: BufWriter::new(output) })
    }

    /// Puts it there, in the place of a file that may be there.
    ///
    /// # Errors
    /// If it cannot be written; then what was there still is.
    pub fn put(self) -> anyhow::Result<()> {
        self.finish(|file, place| file.persist(place).map_err(|error| error.error))
    }

    /// Puts it there if nothing is.
    ///
    /// # Errors
    /// If something is there, or it cannot be written.
    pub fn put_new(self) -> anyhow::Result<()> {
        self.finish(|file, place| file.persist_noclobber(place).map_err(|error| error.error))
    }

    /// Puts it there; in the place of a file only if `force` is given.
    ///
    /// # Errors
    /// Those of [`WholeFile::put_new`], or with `force` of [`WholeFile::put`].
    pub fn put_out(self, force: bool) -> anyhow::Result<()> {
        if force { self.put() } else { self.put_new() }
    }

    fn finish(self, put: impl FnOnce(NamedTempFile, &Path) -> io::Result<File>) -> anyhow::Result<()> {
        let WholeFile { name, place, output } = self;
        let written = output.into_inner().map_err(io::IntoInnerError::into_error);
        let done = written.and_then(|output| match output {
            Output::Special(_) => Ok(()),
            Output::Beside(file) => {
                file.as_file().sync_all()?;
                put(file, &place).map(|_| ())
            }
        });
        done.with_context(|| name.display().to_string())
    }
}

/// Errors name the file that was asked for, not the one that is being written.
impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes).map_err(|error| named(&error, &self.name))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush().map_err(|error| named(&error, &self.name))
    }
}

fn named(error: &io::Error, name: &Path) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", name.display()))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Beside(file) => file.as_file_mut().write(bytes),
            Output::Special(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Beside(file) => file.as_file_mut().flush(),
            Output::Special(file) => file.flush(),
        }
    }
}

/// A new file in the folder of another one.
fn beside(place: &Path) -> io::Result<NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = Builder::new();
    builder.prefix(".outflank-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the umask takes away, as for every new file.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|error| without_name(&error))
}

/// What the system said, without the name of the file beside, which nobody asked for.
fn without_name(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let words = text.rsplit_once(" at path ").map_or(text.as_str(), |(words, _)| words);
    io::Error::new(error.kind(), words)
}

/// Writes a whole file, in the place of one that may be there.
///
/// # Errors
/// If it cannot be written; then what was there still is. The message names the file.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut file = WholeFile::new(path)?;
    file.write_all(bytes.as_ref())?;
    file.put()
}

/// Refuses a place where a file is, unless it may be replaced. Commands ask before their work, not after it.
///
/// # Errors
/// If a file is there and `force` is not given. A pipe or a device is no such file.
pub fn ensure_free(path: &Path, force: bool) -> anyhow::Result<()> {
    let taken = metadata(path).is_ok_and(|found| found.is_file());
    ensure!(force || !taken, "{} is not overwritten without --force", path.display());
    Ok(())
}

/// Writes a whole file, in the place of one that is there only if `force` is given.
///
/// # Errors
/// If a file is there, or it cannot be written; then what was there still is.
pub fn write_out(path: &Path, bytes: impl AsRef<[u8]>, force: bool) -> anyhow::Result<()> {
    ensure_free(path, force)?;
    let mut file = WholeFile::new(path)?;
    file.write_all(bytes.as_ref())?;
    file.put_out(force)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read_dir, read_to_string, write};

    #[test]
    fn a_file_is_replaced_whole_and_its_neighbours_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        let neighbours = ["tmp", "new", "games"].map(|ending| path.with_extension(ending));
        for neighbour in &neighbours {
            write(neighbour, "mine").unwrap();
        }
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "two");
        assert!(neighbours.iter().all(|neighbour| read_to_string(neighbour).unwrap() == "mine"));
        assert_eq!(read_dir(folder.path()).unwrap().count(), 4);
    }

    #[test]
    fn what_is_not_put_there_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        write(&path, "old").unwrap();
        let mut file = WholeFile::new(&path).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        let mut file = WholeFile::new(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert!(file.put_new().is_err());
        assert_eq!(read_to_string(&path).unwrap(), "old");
        assert_eq!(read_dir(folder.path()).unwrap().count(), 1);
        let missing = folder.path().join("nowhere").join("page.html");
        let error = write_whole(&missing, "").unwrap_err();
        let said = format!("{error:#}");
        assert!(said.contains("page.html") && !said.contains(".outflank-"), "{said}");
    }

    #[test]
    fn what_is_there_is_replaced_only_by_force() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.jsonl");
        write_out(&path, "one", false).unwrap();
        let error = write_out(&path, "two", false).unwrap_err().to_string();
        assert!(error.contains("games.jsonl is not overwritten without --force"), "{error}");
        assert_eq!(read_to_string(&path).unwrap(), "one");
        write_out(&path, "two", true).unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "two");
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay_as_they_are() {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link, other) =
            (folder.path().join("a"), folder.path().join("link"), folder.path().join("other"));
        write(&other, "").unwrap();
        write_whole(&path, "one").unwrap();
        let mode = |path: &Path| metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), mode(&other), "a new file is as any other");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        write_whole(&link, "two").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!((read_to_string(&path).unwrap().as_str(), mode(&path)), ("two", 0o640));
        write_whole(Path::new("/dev/null"), "nothing").unwrap();
        write_out(Path::new("/dev/null"), "nothing", false).unwrap();
        assert!(metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}
