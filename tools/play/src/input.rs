//! Where a person's lines come from: an editor at a terminal, or any stream of lines.

use crate::interrupt::Interrupts;
use anyhow::Context as _;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::cell::Cell;
use std::io::BufRead;
use std::mem;
use std::sync::Arc;

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
#[derive(Default)]
pub struct Prompted {
    history: MemHistory,
    interrupts: Arc<Interrupts>,
}

impl Prompted {
    /// An editor that tells of Ctrl-C.
    pub fn new(interrupts: Arc<Interrupts>) -> Prompted {
        Prompted { history: MemHistory::new(), interrupts }
    }

    /// Edits a line.
    fn edit(&self, editor: &mut Edits, prompt: &str) -> anyhow::Result<Option<String>> {
        loop {
            if let Some(helper) = editor.helper() {
                helper.begun.set(false);
            }
            match editor.readline(prompt) {
                Ok(line) => return Ok(Some(line)),
                Err(ReadlineError::Interrupted) if !self.leaves(editor) => {}
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Ctrl-C gives up a line that is begun; two of them without any leave.
    fn leaves(&self, editor: &Edits) -> bool {
        let begun = editor.helper().is_some_and(|helper| helper.begun.get());
        if begun {
            return false;
        }
        if self.interrupts.is_second() {
            return true;
        }
        println!("Ctrl-C once more leaves; a game under way is saved.");
        false
    }
}

impl Input for Prompted {
    fn line(&mut self, prompt: &str, words: Vec<String>) -> anyhow::Result<Option<String>> {
        let config = Config::builder().auto_add_history(true).build();
        // One for each line: as long as there is one, it puts its own handler of SIGINT in the place of ours.
        let mut editor = Editor::with_history(config, mem::take(&mut self.history))?;
        editor.set_helper(Some(Completions { words, ..Completions::default() }));
        let line = self.edit(&mut editor, prompt);
        self.history = mem::take(editor.history_mut());
        line
    }
}

type Edits = Editor<Completions, MemHistory>;

/// Completes the word before the cursor.
#[derive(Debug, Default)]
struct Completions {
    words: Vec<String>,
    /// Something is typed.
    begun: Cell<bool>,
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

    /// Hints at nothing; but it is shown the line whenever that changes.
    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        self.begun.set(!line.is_empty());
        None
    }
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
        let completions = Completions { words, ..Completions::default() };
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
