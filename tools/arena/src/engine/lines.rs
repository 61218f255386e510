//! Lines of an engine's output, bounded.

use super::Said;
use std::io::{BufRead, Read};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

/// Longest line that an engine may say, in bytes.
pub const LINE_LIMIT: usize = 1 << 16;

/// What comes of a line.
#[derive(Debug)]
pub(super) enum Line {
    Said(Said),
    TooLong,
}

/// Hands lines over until the output ends, a line is too long, or nobody listens any more.
pub(super) fn forward(mut output: impl BufRead, listener: &SyncSender<Line>) {
    loop {
        let mut bytes = Vec::new();
        let limit = LINE_LIMIT as u64 + 1;
        match output.by_ref().take(limit).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let at = Instant::now();
        if bytes.last() != Some(&b'\n') && bytes.len() > LINE_LIMIT {
            let _ = listener.send(Line::TooLong);
            return;
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        let bare = bytes.ends_with(b"\n") && !bytes.ends_with(b"\r\n");
        if listener.send(Line::Said(Said { text, bare, at })).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    fn lines(bytes: &[u8]) -> Vec<Option<String>> {
        let (sender, receiver) = sync_channel(100);
        forward(bytes, &sender);
        drop(sender);
        let text = |line| match line {
            Line::Said(said) => Some(said.text),
            Line::TooLong => None,
        };
        receiver.into_iter().map(text).collect()
    }

    #[test]
    fn lines_come_whole_and_without_their_ends() {
        let told = |text: &str| Some(text.to_owned());
        assert_eq!(lines(b"a b\r\n\nlast"), [told("a b"), told(""), told("last")]);
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
