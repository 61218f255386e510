//! What the mock does by itself: it says a line, or nothing for ever.

use std::io::{self, Write};
use std::time::Duration;

/// As long as no test waits.
pub(crate) const FOR_EVER: Duration = Duration::from_secs(3600);

/// Says a line behind the conversation's back; a host that has gone does not hear it.
pub(crate) fn say(line: &str) {
    if writeln!(io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}
