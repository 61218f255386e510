//! Gravon's XML: whatever it is, games are read or refused; what is read says the same as a record.

use outflank::rules::{Preset, Ruleset, Side};
use outflank_convert::convert::{At, Notes, Options, convert};
use outflank_convert::format::Format;
use outflank_convert::source::entries;

/// The bytes are the document.
///
/// # Panics
/// If a game that was read and written as a record or as XML does not read back.
pub fn hold(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let rules = Ruleset::of(Preset::Gravon);
    let options = |to| Options { to, rules, viewer: None, at: At::End, turn: Side::Red };
    for (_, game) in entries(text, Format::Xml, rules) {
        let Ok(game) = game else { continue };
        let Ok(records) = convert(&game, &options(Format::Record), 1, &mut Notes::default()) else {
            continue;
        };
        for (line, kept) in entries(&records.concat(), Format::Record, rules) {
            let kept = kept.unwrap_or_else(|error| panic!("line {line} of {records:?}: {error}"));
            let again = convert(&kept, &options(Format::Record), 1, &mut Notes::default());
            assert_eq!(again.expect("a record that was written verifies"), records);
        }
    }
}
