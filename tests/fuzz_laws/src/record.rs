//! Records: what reads is written in a form that reads back as the same, and a record that is no game is refused.

use outflank_record::{Record, verify};

/// The bytes are the line.
///
/// # Panics
/// If a record that reads does not read back, or whether it is a game is not decided.
pub fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(record) = text.parse::<Record>() else { return };
    let line = record.line().expect("what was read can be written");
    let again: Record = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(again, record);
    // Right or wrong: it ends with an answer.
    let _ = verify(&record);
}
