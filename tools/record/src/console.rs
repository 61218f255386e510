//! What programs print: whoever stops reading is no error, a full disk is one, and neither is a panic.

use anyhow::Context;
use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

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

/// Says a line on standard error. Where that cannot be written, there is nobody left to tell.
pub fn complain(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether the reader of standard output has gone.
pub fn closed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// How a program ends: an error is told after the program's name, except that its reader has gone.
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
    fn a_reader_that_has_gone_is_known_under_any_context() {
        let error = |kind| anyhow::Error::from(io::Error::from(kind)).context("one").context("two");
        assert!(closed(&error(ErrorKind::BrokenPipe)));
        assert!(!closed(&error(ErrorKind::StorageFull)));
    }
}
