//! Tests that miss something.

use std::io::Write;

/// Says that the running test was skipped, past the test harness, which shows nothing of tests that pass.
pub fn skipped(why: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// Skips the running test, or fails it if the environment variable `needed` is `1`.
pub(crate) fn missing(needed: &str, why: &str) {
    assert!(std::env::var_os(needed).is_none_or(|value| value != "1"), "{needed}=1, but {why}");
    skipped(why);
}
