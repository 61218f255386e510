//! The games of a file that somebody brings: records, or XML of Gravon's archive.

use outflank::rules::{Preset, Ruleset, Side};
use outflank_convert::format::Format;
use outflank_convert::game::Game;
use outflank_convert::source::{Source, entries};
use outflank_record::{Outcome, Record};
use serde::Serialize;

/// The most games that a list has: a person chooses among them.
const MOST: usize = 500;

/// The most tags of a file of the archive, several times what three megabytes of games have: each takes memory.
const MOST_TAGS: usize = 200_000;

/// A game of the file.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    /// Who played, how long, and how it ended.
    pub(crate) title: String,
    /// The game, as it is loaded.
    pub(crate) record: Record,
}

/// The games of a file.
#[derive(Debug, Serialize)]
pub(crate) struct Listing {
    /// Those that can be read, in its order.
    pub(crate) games: Vec<Listed>,
    /// How many cannot be read.
    pub(crate) wrong: usize,
    /// How many were not looked at, as a list has no more than [`MOST`].
    pub(crate) left_out: usize,
}

/// The games of a text.
///
/// # Errors
/// If it holds none, in words.
pub(crate) fn games(text: &str) -> Result<Listing, String> {
    let format = match Format::detect(text) {
        Some(Format::Xml) if text.matches('<').count() > MOST_TAGS => {
            return Err("This file has too many parts: cut out some of its games.".to_owned());
        }
        Some(format @ (Format::Record | Format::Xml)) => format,
        Some(Format::Board | Format::Spn) => {
            return Err("This file holds positions, and no games.".to_owned());
        }
        None => return Err(NO_GAMES.to_owned()),
    };
    let (mut games, mut wrong, mut first) = (Vec::new(), 0, None);
    let mut all = entries(text, format, Ruleset::of(Preset::Gravon));
    for (line, entry) in all.by_ref().take(MOST) {
        match entry.and_then(|source| record(source, games.len() as u64)) {
            Ok(record) => games.push(Listed { title: title(&record), record }),
            Err(error) => {
                wrong += 1;
                first.get_or_insert_with(|| format!("line {line}: {error:#}"));
            }
        }
    }
    match (games.is_empty(), first) {
        (true, Some(error)) => Err(format!("No game of this file can be read: {error}.")),
        (true, None) => Err(NO_GAMES.to_owned()),
        (false, _) => Ok(Listing { games, wrong, left_out: all.count() }),
    }
}

const NO_GAMES: &str = "This is no file of games: it has to be records, a game on each line as “Save the record” writes \
     it, or XML of Gravon's archive. outflank-convert makes records of other formats.";

fn record(source: Source, number: u64) -> anyhow::Result<Record> {
    match source {
        Source::Record(record) => Ok(*record),
        Source::Archive(archived) => {
            let game = Game::of_archive(&archived, &Ruleset::of(Preset::Gravon))?;
            // One without a result can be looked at all the same.
            let outcome = game.outcome.clone().unwrap_or_else(Outcome::unfinished);
            Game { outcome: Some(outcome), ..game }.record(number)
        }
        Source::Board(_) | Source::Position(_) => anyhow::bail!("a position is no game"),
    }
}

fn title(record: &Record) -> String {
    let name = |side: Side| match record.players[side].name.as_str() {
        "" => side.to_string(),
        name => name.to_owned(),
    };
    let outcome = &record.outcome;
    let (red, blue) = (name(Side::Red), name(Side::Blue));
    let end = if outcome.is_unfinished() {
        "no result".to_owned()
    } else {
        format!("{} ({})", outcome.winner.name(), outcome.reason.name())
    };
    format!("{red} – {blue}: {} plies, {end}", record.plies)
}

#[cfg(test)]
mod tests {
    use super::{Listing, MOST, MOST_TAGS, games};

    #[test]
    fn games_of_both_formats_are_listed_with_what_a_person_chooses_by() {
        let xml = include_str!("../../convert/tests/data/sample.xml");
        let record = include_str!("../../record/tests/game.jsonl").lines().next().unwrap();
        for (text, count, begin) in [(xml, 1, "Ann & Co – Bob: 11 plies, "), (record, 1, "a – b: ")] {
            let Listing { games, wrong, left_out } = games(text).unwrap();
            assert_eq!((games.len(), wrong, left_out), (count, 0, 0));
            assert!(games[0].title.starts_with(begin), "{}", games[0].title);
        }
        let some = games(&format!("{record}\n{{\"game\": 1\n{record}\n")).unwrap();
        assert_eq!((some.games.len(), some.wrong), (2, 1));
        let many = games(&format!("{record}\n").repeat(MOST + 3)).unwrap();
        assert_eq!((many.games.len(), many.left_out), (MOST, 3));
    }

    #[test]
    fn a_game_of_the_archive_without_a_result_is_listed() {
        let xml = include_str!("../../convert/tests/data/sample.xml");
        let listing = games(&xml.replace("<result type=\"1\" winner=\"1\"/>", "")).unwrap();
        assert_eq!(
            listing.games[0].title, "Ann & Co – Bob: 11 plies, red (flag)",
            "the referee tells this one"
        );
        let open = xml.replace("<move id=\"11\" source=\"E4\" target=\"E7\"/>", "");
        assert!(games(&open).unwrap_err().contains("the result"), "one that it does not have");
        let open = open.replace("<result type=\"1\" winner=\"1\"/>", "");
        let listing = games(&open).unwrap();
        assert_eq!(
            (listing.games[0].title.as_str(), listing.wrong),
            ("Ann & Co – Bob: 10 plies, no result", 0)
        );
    }

    #[test]
    fn a_file_without_games_is_refused_in_words() {
        for (text, begin) in [
            ("", "This is no file of games"),
            ("my notes", "This is no file of games"),
            ("8/8", "This file holds positions"),
            ("{}", "No game of this file can be read: line 1: "),
            ("<stratego></stratego>", "No game of this file can be read: line 1: "),
        ] {
            let error = games(text).unwrap_err();
            assert!(error.starts_with(begin), "{text}: {error}");
        }
    }

    #[test]
    fn depth_and_number_of_parts_are_bounded() {
        for (text, begin) in [
            ("<a>".repeat(MOST_TAGS), "No game of this file can be read: line 1: "),
            (format!("{{\"a\":{}", "[".repeat(MOST_TAGS)), "No game of this file can be read: line 1: "),
            ("<game/>".repeat(MOST_TAGS + 1), "This file has too many parts"),
        ] {
            let error = games(&text).unwrap_err();
            assert!(error.starts_with(begin), "{error}");
        }
    }
}
