//! Conversations inside the test's own process.

use outflank::engine::Searcher;
use outflank::protocol::{ConversationSettings, converse};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::{Arc, Mutex};

/// Everything that was answered.
#[derive(Clone, Default)]
pub(crate) struct Sink(pub(crate) Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(crate) fn settings(searcher: Searcher) -> ConversationSettings {
    ConversationSettings { searcher, seed: 1, ..ConversationSettings::default() }
}

/// The answers to all of `input`, in this process.
pub(crate) fn answers_with(input: Vec<u8>, searcher: Searcher) -> Vec<String> {
    answers_to(Cursor::new(input), searcher)
}

/// The answers to all that can be read.
pub(crate) fn answers_to(input: impl Read + Send + 'static, searcher: Searcher) -> Vec<String> {
    let sink = Sink::default();
    let input = Box::new(BufReader::new(input));
    converse(input, Box::new(sink.clone()), settings(searcher)).unwrap();
    let bytes = sink.0.lock().unwrap().clone();
    let text = String::from_utf8(bytes).expect("answers are text");
    assert!(text.is_ascii(), "{text}");
    text.lines().map(str::to_owned).collect()
}

pub(crate) fn answers(input: Vec<u8>) -> Vec<String> {
    answers_with(input, outflank::search::search)
}

pub(crate) fn count(lines: &[String], word: &str) -> usize {
    lines.iter().filter(|line| line.split(' ').next() == Some(word)).count()
}
