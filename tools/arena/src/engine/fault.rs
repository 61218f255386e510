//! What engines do wrong.

use outflank::named_enum::named_enum;
use outflank_record::console::printable;
use std::fmt;
use std::io;

named_enum! {
    /// The kind of a fault; each but [`Flaw::Silent`] and [`Flaw::Host`] loses the game.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
    pub enum Flaw {
        /// The system cannot run its program.
        Unstartable = "unstartable",
        /// Its process ended by itself.
        Crashed = "crashed",
        /// It answered nothing long after its time was over.
        Hung = "hung",
        /// It answered nothing as long as we waited, but no clock asked it to: nobody has lost.
        Silent = "silent",
        /// It answered after its time.
        Late = "late",
        /// Its action or setup is against the rules.
        Illegal = "illegal",
        /// What it said is no answer to what it was asked.
        Garbage = "garbage",
        /// It said more than anybody should.
        Flooded = "flooded",
        /// It closed a pipe and lives on.
        Closed = "closed",
        /// The machine lacks what a process needs, such as files or memory: no engine is to blame.
        Host = "host",
    }
}

/// A fault and what was seen of it, on one line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// Its kind.
    pub flaw: Flaw,
    /// What was seen, for people; printable and at most 300 characters.
    pub detail: String,
}

/// Longest detail in characters.
pub(super) const DETAIL_LIMIT: usize = 300;

impl Fault {
    /// A fault; of the detail, what is printable and not too long is kept.
    pub fn new(flaw: Flaw, detail: impl AsRef<str>) -> Fault {
        Fault { flaw, detail: tidy(detail.as_ref()) }
    }

    /// Why the system did not start something.
    pub(super) fn of_start(what: &str, error: &io::Error) -> Fault {
        let flaw = if is_shortage(error) { Flaw::Host } else { Flaw::Unstartable };
        Fault::new(flaw, format!("{what}: {error}"))
    }

    /// What the machine did not give.
    pub(crate) fn of_host(what: &str, error: &io::Error) -> Fault {
        Fault::new(Flaw::Host, format!("{what}: {error}"))
    }

    /// Adds the last line of what the engine said on stderr, if it said anything.
    pub fn with_errors(self, errors: &str) -> Fault {
        match errors.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(last) => Fault::new(self.flaw, format!("{}; stderr: {last}", self.detail)),
            None => self,
        }
    }
}

/// Whether the system could start no program at all: it is out of files, memory or processes.
fn is_shortage(error: &io::Error) -> bool {
    #[cfg(unix)]
    {
        use rustix::io::Errno;
        let shortages = [Errno::MFILE, Errno::NFILE, Errno::AGAIN, Errno::NOMEM];
        if Errno::from_io_error(error).is_some_and(|number| shortages.contains(&number)) {
            return true;
        }
    }
    error.kind() == io::ErrorKind::OutOfMemory
}

/// One line without control characters, so that no engine can draw on the terminal.
fn tidy(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    printable(&line).chars().take(DETAIL_LIMIT).collect::<String>().trim().to_owned()
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.flaw.name(), self.detail)
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_one_printable_line() {
        let fault = Fault::new(Flaw::Garbage, format!("a\nb\x1b[2J{}", "x".repeat(2000)));
        assert!(fault.detail.starts_with("a b [2J"), "{fault}");
        assert_eq!(fault.detail.chars().count(), DETAIL_LIMIT);
        assert_eq!(Fault::new(Flaw::Garbage, "a\u{202e}b").detail, "a\\u{202e}b");
        let fault = Fault::new(Flaw::Crashed, "exit status: 3").with_errors("one\ntwo\n\n");
        assert_eq!(fault.to_string(), "crashed: exit status: 3; stderr: two");
    }
}
