//! The file that a running contest writes its records to.

use crate::line_file::LineFile;
use crate::record::Record;
use std::path::Path;

/// How every record begins.
const BEGINNING: &str = "{\"game\":";

/// A file of records that no other contest writes to: it is locked, and only ever appended to.
#[derive(Debug)]
pub struct RecordFile(LineFile);

impl RecordFile {
    /// A new file.
    ///
    /// # Errors
    /// If there is one already.
    pub fn create(path: &Path) -> anyhow::Result<RecordFile> {
        LineFile::create(path).map(RecordFile)
    }

    /// Opens a file to append to, or a new one. `look` sees every record that it has. What happens to a last line
    /// that is not whole: [`LineFile::resume`].
    ///
    /// # Errors
    /// If it is no regular file, another contest writes to it ([`InUse`](crate::InUse)), it cannot be read, a line is
    /// no record, or `look` refuses one. Then nothing has changed.
    pub fn resume(
        path: &Path,
        mut look: impl FnMut(Record) -> anyhow::Result<()>,
    ) -> anyhow::Result<RecordFile> {
        LineFile::resume(path, &[BEGINNING], |line| look(line.parse()?)).map(RecordFile)
    }

    /// Appends a record, whole and at once.
    ///
    /// # Errors
    /// Those of [`LineFile::append`].
    pub fn append(&mut self, record: &Record) -> anyhow::Result<()> {
        self.0.append(&record.line()?)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Whether it is still there whole: [`LineFile::is_there`].
    pub fn is_there(&self) -> bool {
        self.0.is_there()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read_to_string, write};
    use std::path::PathBuf;

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
    fn a_file_that_is_gone_or_cut_short_takes_no_record() {
        let folder = folder("gone");
        let path = folder.join("games.jsonl");
        let record: Record = RECORD.lines().next().unwrap().parse().unwrap();
        let removed = |path: &Path| std::fs::remove_file(path).unwrap();
        let replaced = |path: &Path| {
            std::fs::rename(path, path.with_extension("old")).unwrap();
            write(path, "").unwrap();
        };
        let cut = |path: &Path| write(path, "").unwrap();
        let changes: [&dyn Fn(&Path); 3] = [&removed, &replaced, &cut];
        for (number, change) in changes.into_iter().enumerate() {
            if number < 2 && cfg!(not(unix)) {
                continue;
            }
            let mut file = RecordFile::create(&path).unwrap();
            file.append(&record).unwrap();
            change(&path);
            let error = file.append(&record).unwrap_err().to_string();
            assert!(error.contains("games.jsonl: it was removed, replaced or cut short"), "{error}");
            assert!(read_to_string(&path).unwrap_or_default().is_empty());
            let _ = std::fs::remove_file(&path);
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
        let letters = record.replace("\"a\"", "\"Grüße\"");
        let inside = letters.find('ü').unwrap() + 1;
        write(&path, &letters.as_bytes()[..inside]).unwrap();
        assert_eq!(resumed(&path).unwrap(), 0);
        assert_eq!(std::fs::read(folder.join("games.jsonl.torn-4")).unwrap(), &letters.as_bytes()[..inside]);
        write(&path, record).unwrap();
        assert_eq!(resumed(&path).unwrap(), 1);
        assert_eq!(read_to_string(&path).unwrap(), format!("{record}\n"));
        // After a power cut: a whole line, and then a part of one, before NULs; a file of nothing else.
        for (before, after) in
            [(format!("{record}\n"), ""), (format!("{record}\n"), &record[..30]), (String::new(), "")]
        {
            let torn = format!("{after}{}", "\0".repeat(3000));
            write(&path, format!("{before}{torn}")).unwrap();
            assert_eq!(resumed(&path).unwrap(), before.lines().count());
            assert_eq!(read_to_string(&path).unwrap(), before);
            let aside = std::fs::read_dir(&folder).unwrap().count() - 1;
            assert_eq!(read_to_string(folder.join(format!("games.jsonl.torn-{aside}"))).unwrap(), torn);
        }
        write(&path, format!("my notes{}", "\0".repeat(9))).unwrap();
        assert!(resumed(&path).is_err(), "somebody else's file");
        write(&path, "").unwrap();
        assert_eq!(resumed(&path).unwrap(), 0);
    }
}
