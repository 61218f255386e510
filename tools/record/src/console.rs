//! What programs print: whoever stops reading is no error, a full disk is one, and neither is a panic.

use anyhow::Context;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

/// A text in which nothing is drawn but letters: line ends, other control characters and those that turn the direction
/// of writing are shown as escapes, so that no name and no message of an engine can paint over a terminal.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_control() || turns_or_hides(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Characters that change the direction of others, or that nobody sees.
const fn turns_or_hides(letter: char) -> bool {
    matches!(letter,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Prints a text on standard output. A reader that has gone has seen enough.
///
/// # Errors
/// If it cannot be written for another reason, as where a disk is full.
pub fn print(text: impl Display) -> anyhow::Result<()> {
    let text = text.to_string();
    let mut output = io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        printed => printed.context(STANDARD_OUTPUT),
    }
}

/// What errors call standard output.
pub const STANDARD_OUTPUT: &str = "standard output";

/// Says a line, or several, on standard error, [`printable`]. Where that cannot be written, there is nobody left to
/// tell.
pub fn complain(lines: impl Display) {
    let lines = lines.to_string();
    let lines: Vec<String> = lines.split('\n').map(printable).collect();
    let _ = writeln!(io::stderr().lock(), "{}", lines.join("\n"));
}

/// Whether the reader of standard output has gone.
pub fn closed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// How a program ends: an error is printed after the program's name, except that its reader has gone.
pub fn exit(program: &str, done: anyhow::Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if closed(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(format_args!("{program}: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_paints_over_the_terminal() {
        assert_eq!(printable("Ana Ruß 世界 é"), "Ana Ruß 世界 é");
        assert_eq!(printable("a\nb\t\u{1b}[2J"), "a\\nb\\t\\u{1b}[2J");
        assert_eq!(printable("a\u{202e}b\u{2066}c\u{200f}\u{9b}"), "a\\u{202e}b\\u{2066}c\\u{200f}\\u{9b}");
    }

    #[test]
    fn a_reader_that_has_gone_is_known_under_any_context() {
        let error = |kind| anyhow::Error::from(io::Error::from(kind)).context("one").context("two");
        assert!(closed(&error(ErrorKind::BrokenPipe)));
        assert!(!closed(&error(ErrorKind::StorageFull)));
    }
}
