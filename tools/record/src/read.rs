//! Reading records from files and other inputs.

use crate::lines::{Lines, without_mark};
use crate::record::Record;
use anyhow::Context;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, stdin};
use std::iter;
use std::path::Path;

/// Reads records, one a line; empty lines are passed over. Only one line is held at a time.
///
/// # Errors
/// The last item may be one: the line cannot be read. The message tells its number.
pub fn read(input: impl BufRead) -> impl Iterator<Item = anyhow::Result<Record>> {
    let mut lines = Some(Lines::new(input));
    iter::from_fn(move || {
        let record = next(lines.as_mut()?).transpose()?;
        if record.is_err() {
            lines = None;
        }
        Some(record)
    })
}

fn next(lines: &mut Lines<impl BufRead>) -> anyhow::Result<Option<Record>> {
    while let Some(line) = lines.next()? {
        if !line.text.trim().is_empty() {
            let record = line.text.parse().with_context(|| format!("line {}", line.number))?;
            return Ok(Some(record));
        }
    }
    Ok(None)
}

/// The records of a file; `-` is standard input. Errors name the file.
///
/// # Errors
/// If it cannot be opened. The last item may be an error as in [`read`].
pub fn open(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Record>> + use<>> {
    let name = path.display().to_string();
    let input: Box<dyn BufRead> = if name == "-" {
        Box::new(BufReader::new(stdin()))
    } else {
        Box::new(BufReader::new(File::open(path).with_context(|| name.clone())?))
    };
    Ok(read(input).map(move |record| record.with_context(|| name.clone())))
}

/// The whole text of a file that somebody wrote by hand, without a byte order mark. Errors name the file.
///
/// # Errors
/// If it cannot be read, or is no UTF-8.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(without_mark(&text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    #[test]
    fn a_byte_order_mark_hides_no_record() {
        let record = include_str!("../tests/game.jsonl").trim_end();
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "\u{feff}{record}\n{record}\n").unwrap();
        let games: Vec<u64> = open(file.path()).unwrap().map(|record| record.unwrap().game).collect();
        assert_eq!(games, [0, 0]);
        assert!(read_text(file.path()).unwrap().starts_with(record));
    }

    #[test]
    fn a_line_that_is_no_record_is_named_by_its_number() {
        let errors: Vec<String> =
            read(&b"\n{}\n"[..]).map(|record| format!("{:#}", record.unwrap_err())).collect();
        assert_eq!(errors.len(), 1);
        assert!(
            errors[0].starts_with("line 2: no record of a game: missing field")
                && !errors[0].contains("column"),
            "{errors:?}"
        );
    }
}
