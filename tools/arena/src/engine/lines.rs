//! Lines of an engine's output, bounded.

use std::io::{BufRead, BufReader, Read};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// Longest line that an engine may say, in bytes.
pub const LINE_LIMIT: usize = 1 << 16;

/// A line that an engine said.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Said {
    /// The line without its end.
    pub text: String,
    /// Whether it ended in a bare LF, without a CR before it.
    pub bare: bool,
    /// When it was read.
    pub at: Instant,
}

/// What comes of a line.
#[derive(Debug)]
pub(super) enum Line {
    Said(Said),
    TooLong,
}

/// Hands lines over until the output ends, a line is too long, or nobody listens any more. Lines that came together
/// are handed over together: whoever listens is woken once for all of them.
pub(super) fn forward<R: Read>(mut output: BufReader<R>, listener: &SyncSender<Vec<Line>>) {
    loop {
        let mut lines = Vec::new();
        let more = loop {
            let Some(line) = read_line(&mut output) else { break false };
            let last = matches!(line, Line::TooLong);
            lines.push(line);
            if last {
                break false;
            }
            if !output.buffer().contains(&b'\n') {
                break true;
            }
        };
        if (!lines.is_empty() && listener.send(lines).is_err()) || !more {
            return;
        }
    }
}

/// The next line; `None` where the output ends.
fn read_line(output: &mut impl BufRead) -> Option<Line> {
    let mut bytes = Vec::new();
    let limit = LINE_LIMIT as u64 + 1;
    match output.take(limit).read_until(b'\n', &mut bytes) {
        Ok(0) | Err(_) => return None,
        Ok(_) => {}
    }
    let at = Instant::now();
    if bytes.last() != Some(&b'\n') && bytes.len() > LINE_LIMIT {
        return Some(Line::TooLong);
    }
    let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
    let bare = bytes.ends_with(b"\n") && !bytes.ends_with(b"\r\n");
    Some(Line::Said(Said { text, bare, at }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn lines(bytes: &[u8]) -> Vec<Option<String>> {
        let (sender, receiver) = sync_channel(100);
        forward(BufReader::new(bytes), &sender);
        drop(sender);
        let text = |line| match line {
            Line::Said(said) => Some(said.text),
            Line::TooLong => None,
        };
        receiver.into_iter().flatten().map(text).collect()
    }

    #[test]
    fn lines_come_whole_and_without_their_ends() {
        let line = |text: &str| Some(text.to_owned());
        assert_eq!(lines(b"a b\r\n\nlast"), [line("a b"), line(""), line("last")]);
        assert_eq!(lines(b""), []);
        assert_eq!(lines(b"\xff\n").len(), 1);
    }

    #[test]
    fn a_line_without_end_ends_the_reading() {
        let longest = "x".repeat(LINE_LIMIT);
        let found = lines(format!("{longest}y\nnext\n").as_bytes());
        assert_eq!(found, [None]);
        assert_eq!(lines(format!("{longest}\nnext\n").as_bytes()).len(), 2);
    }
}
