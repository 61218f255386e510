//! Where a person's lines come from: an editor at a terminal, or any stream of lines.

use anyhow::Context as _;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::io::BufRead;

/// A source of lines.
pub trait Input {
    /// The next line, without its end; `None` when there are no more. An editor shows the prompt and completes `words`.
    ///
    /// # Errors
    /// If the source fails.
    fn line(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>>;
}

/// Lines from a pipe or a file; nothing is prompted.
pub struct Piped<R>(pub R);

impl<R: BufRead> Input for Piped<R> {
    fn line(&mut self, _: &str, _: Vec<String>) -> anyhow::Result<Option<String>> {
        let mut bytes = Vec::new();
        let read = self.0.read_until(b'\n', &mut bytes).context("standard input")?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()))
    }
}

/// An editor at the terminal, with a history and completion by the tabulator.
pub struct Prompted(Editor<Completions, MemHistory>);

impl Prompted {
    /// Takes over the terminal's line input.
    ///
    /// # Errors
    /// If the terminal refuses.
    pub fn new() -> anyhow::Result<Prompted> {
        let config = Config::builder().auto_add_history(true).build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Completions::default()));
        Ok(Prompted(editor))
    }
}

impl Input for Prompted {
    fn line(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        if let Some(helper) = self.0.helper_mut() {
            helper.words = words;
        }
        loop {
            match self.0.readline(prompt) {
                Ok(line) => return Ok(Some(line)),
                // Ctrl-C gives the line up, not the game; Ctrl-D leaves.
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }
}

/// Completes the word before the cursor.
#[derive(Debug, Default)]
struct Completions {
    words: Vec<String>,
}

impl Completions {
    /// Where the word before `cursor` begins, and the words that begin as it does.
    fn candidates(&self, line: &str, cursor: usize) -> (usize, Vec<String>) {
        let before = line.get(..cursor).unwrap_or_default();
        let start = before.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
        let begun = before.get(start..).unwrap_or_default();
        (start, self.words.iter().filter(|word| word.starts_with(begun)).cloned().collect())
    }
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.candidates(line, cursor))
    }
}

impl Hinter for Completions {
    type Hint = String;
}
impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_before_the_cursor_is_completed() {
        let words = ["hint", "help", "a4a5", "a4b4"].map(str::to_owned).to_vec();
        let completions = Completions { words };
        assert_eq!(completions.candidates("h", 1), (0, vec!["hint".to_owned(), "help".to_owned()]));
        assert_eq!(completions.candidates("legal a4b", 9), (6, vec!["a4b4".to_owned()]));
        assert_eq!(completions.candidates("x", 1).1.len(), 0);
    }

    #[test]
    fn piped_lines_end_anyhow() {
        let mut input = Piped(&b"a4a5\r\n\n\xff\nlast"[..]);
        let mut lines = Vec::new();
        while let Some(line) = input.line("", Vec::new()).unwrap() {
            lines.push(line);
        }
        assert_eq!(lines, ["a4a5", "", "\u{fffd}", "last"]);
    }
}
