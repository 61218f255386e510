//! Lines of a file, one at a time and bounded.

use anyhow::{Context, ensure};
use std::io::{BufRead, Read};

/// Longest line that is read, in bytes: far more than any game takes, far less than the memory of a machine.
pub(crate) const LONGEST: u64 = 64 << 20;

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The lines of an input, without a byte order mark before the first.
pub(crate) struct Lines<R> {
    input: R,
    /// Lines read.
    count: u64,
    /// Bytes read.
    read: u64,
}

/// One line as it is in the input.
pub(crate) struct RawLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// What it holds, without its end.
    pub(crate) bytes: Vec<u8>,
    /// Whether it has an end; the last line may lack one.
    pub(crate) whole: bool,
    /// Bytes of the input up to its end.
    pub(crate) end: u64,
}

/// One line.
pub(crate) struct Line {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The text without its end.
    pub(crate) text: String,
}

impl<R: BufRead> Lines<R> {
    pub(crate) const fn new(input: R) -> Lines<R> {
        Lines { input, count: 0, read: 0 }
    }

    /// The next line; `None` where the input ends.
    ///
    /// # Errors
    /// If it cannot be read, is too long or no UTF-8; the message tells its number.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<Line>> {
        let Some(RawLine { number, bytes, .. }) = self.next_bytes()? else { return Ok(None) };
        let mut text = String::from_utf8(bytes).with_context(|| format!("line {number}"))?;
        if number == 1 {
            text = without_mark(&text).to_owned();
        }
        Ok(Some(Line { number, text }))
    }

    /// The next line, whatever is in it; `None` where the input ends.
    ///
    /// # Errors
    /// If it cannot be read or is too long; the message tells its number.
    pub(crate) fn next_bytes(&mut self) -> anyhow::Result<Option<RawLine>> {
        self.count += 1;
        let (number, mut bytes) = (self.count, Vec::new());
        let place = || format!("line {number}");
        let count =
            self.input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut bytes).with_context(place)?;
        ensure!(count as u64 <= LONGEST, "line {number}: it is longer than {} MiB", LONGEST >> 20);
        if count == 0 {
            return Ok(None);
        }
        self.read += count as u64;
        let whole = bytes.pop_if(|last| *last == b'\n').is_some();
        Ok(Some(RawLine { number, bytes, whole, end: self.read }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, repeat};

    #[test]
    fn lines_are_read_with_their_ends() {
        let mut lines = Lines::new(&b"one\n\ncut"[..]);
        let mut next =
            || lines.next_bytes().unwrap().map(|line| (line.number, line.bytes, line.whole, line.end));
        assert_eq!(next(), Some((1, b"one".to_vec(), true, 4)));
        assert_eq!(next(), Some((2, Vec::new(), true, 5)));
        assert_eq!(next(), Some((3, b"cut".to_vec(), false, 8)));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_where_the_input_begins() {
        let mut lines = Lines::new("\u{feff}one\n\u{feff}two\n".as_bytes());
        assert_eq!(lines.next().unwrap().unwrap().text, "one");
        assert_eq!(lines.read, 7);
        assert_eq!(lines.next().unwrap().unwrap().text, "\u{feff}two");
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let refused = Lines::new(BufReader::new(repeat(b'x'))).next().err().unwrap();
        assert_eq!(refused.to_string(), "line 1: it is longer than 64 MiB");
    }
}
