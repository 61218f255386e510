//! What a text holds.

use crate::archive;
use crate::board::Board;
use crate::format::Format;
use anyhow::{Error, bail};
use outflank::rules::{Ruleset, Spn};
use outflank_record::Record;

/// One game or position.
#[derive(Clone, Debug)]
pub enum Source {
    /// A game of the archive.
    Archive(Box<archive::Game>),
    /// A board.
    Board(Box<Board>),
    /// A position text.
    Position(Box<Spn>),
    /// A record.
    Record(Box<Record>),
}

/// A game or position, or why it cannot be read, and the line it begins in.
pub type Entry = (usize, anyhow::Result<Source>);

/// The games or positions of a text. Position texts that do not tell their rules are read under `rules`.
pub fn entries(text: &str, format: Format, rules: Ruleset) -> Box<dyn Iterator<Item = Entry> + '_> {
    if format == Format::Xml {
        let source = |game| Source::Archive(Box::new(game));
        let games = archive::games(text).into_iter();
        return Box::new(games.map(move |(line, game)| (line, game.map(source).map_err(Error::msg))));
    }
    let lines = (1..).zip(text.lines()).map(|(number, line)| (number, line.trim()));
    let kept = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    Box::new(kept.map(move |(number, line)| (number, read_line(line, format, rules))))
}

fn read_line(line: &str, format: Format, rules: Ruleset) -> anyhow::Result<Source> {
    Ok(match format {
        Format::Board => Source::Board(Box::new(line.parse()?)),
        Format::Spn => Source::Position(Box::new(Spn::parse(line, rules)?)),
        Format::Record => Source::Record(Box::new(line.parse()?)),
        Format::Xml => bail!("XML is not read by lines"),
    })
}
