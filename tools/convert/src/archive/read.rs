//! Reading the archive's XML.

use super::documents::{Part, documents};
use super::{End, Game, Kind, Move, Result};
use crate::encoding::declared;
use anyhow::{Context, bail, ensure};
use outflank::rules::{Action, Side, Square};
use roxmltree::{Document, Node};

/// A game, or why it cannot be read, with the line it begins in. The reason is text: an error may keep a backtrace,
/// and there may be half a million of them.
pub(super) type Found = (usize, std::result::Result<Game, String>);

/// The games of a text: of one document, or of several one after the other.
pub fn games(text: &str) -> Vec<Found> {
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut found = Vec::new();
    for part in documents(text) {
        let own = &text[part.place.clone()];
        if !own.is_ascii() && declared(own.as_bytes()).ok() != declared(text.as_bytes()).ok() {
            let line = Reader { start: part.place.start, ends: &ends }.line(0);
            found
                .push((line, Err("its encoding is declared to be another than that of the file".to_owned())));
            continue;
        }
        read_document(text, part, &ends, &mut found);
    }
    found
}

fn read_document(text: &str, Part { place, refused }: Part, ends: &[usize], found: &mut Vec<Found>) {
    let reader = Reader { start: place.start, ends };
    if let Some((at, why)) = refused {
        return found.push((reader.line(at - place.start), Err(why)));
    }
    let document = match Document::parse(&text[place]) {
        Ok(document) => document,
        Err(error) => {
            let line = reader.line(0) + error.pos().row as usize - 1;
            return found.push((line, Err(format!("not well-formed XML: {}", without_place(&error)))));
        }
    };
    let held = found.len();
    for node in document.descendants().filter(|node| node.has_tag_name("game")) {
        found
            .push((reader.line(node.range().start), reader.game(node).map_err(|error| format!("{error:#}"))));
    }
    if found.len() == held {
        found.push((reader.line(0), Err("the document holds no game".to_owned())));
    }
}

/// The reader's words without the place it names: that one counts from the document's beginning, not the file's.
fn without_place(error: &roxmltree::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at ").map_or(text.clone(), |(words, _)| words.to_owned())
}

struct Reader<'a> {
    /// Where the document begins.
    start: usize,
    /// The ends of all lines.
    ends: &'a [usize],
}

impl Reader<'_> {
    /// The line, from 1, of a place in the document.
    fn line(&self, place: usize) -> usize {
        1 + self.ends.partition_point(|&end| end < self.start + place)
    }

    fn game(&self, node: Node<'_, '_>) -> anyhow::Result<Game> {
        let name = node.attribute("type").context("the game has no type")?;
        let kind = Kind::from_name(name).with_context(|| format!("no game type is called {name:?}"))?;
        let mut game = Game::new(kind);
        let (mut players, mut last) = ([None, None], None);
        for child in node.children().filter(Node::is_element) {
            let line = self.line(child.range().start);
            let place = || format!("line {line}");
            match child.tag_name().name() {
                "field" if game.field.is_none() => {
                    game.field = Some(field(child).with_context(place)?);
                }
                "move" => {
                    let number = game.moves.len() + 1;
                    let place = || format!("move {number}, line {line}");
                    last = id_after(child, last).with_context(place)?;
                    let action = action(child).with_context(place)?;
                    game.moves.push(Move { line, action });
                }
                "player" => {
                    let place_of = place_of(child, &players).with_context(place)?;
                    players[place_of] = Some(name_of(child));
                }
                "result" if game.result.is_none() => {
                    game.result = Some(result(child).with_context(place)?);
                }
                twice @ ("field" | "result") => bail!("line {line}: one {twice} too many"),
                other => game.unknown.push(other.to_owned()),
            }
        }
        game.players = players.map(Option::unwrap_or_default);
        Ok(game)
    }
}

/// Whose name it is, Red's 0: as the id says, or the next one that is missing.
fn place_of(node: Node<'_, '_>, known: &[Option<String>; 2]) -> anyhow::Result<usize> {
    let place = match node.attribute("id").map(str::trim) {
        None => known.iter().position(Option::is_none).context("one player too many")?,
        Some("1") => 0,
        Some("2") => 1,
        Some(other) => bail!("no player is numbered {other:?}: 1 is Red, 2 Blue"),
    };
    ensure!(known[place].is_none(), "one player too many: number {} is there already", place + 1);
    Ok(place)
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> anyhow::Result<&'a str> {
    let place = || format!("the {} has no {name}", node.tag_name().name());
    Ok(node.attribute(name).with_context(place)?.trim())
}

fn field(node: Node<'_, '_>) -> anyhow::Result<crate::board::Board> {
    Ok(attribute(node, "content")?.parse()?)
}

/// A square as the archive writes it; `J` stands for `K`, and `10` for `:`.
pub fn square(text: &str) -> Option<Square> {
    match text.strip_suffix(':') {
        Some(file) => format!("{file}10").parse().ok(),
        None => text.parse().ok(),
    }
}

fn action(node: Node<'_, '_>) -> anyhow::Result<Action> {
    let read = |name: &str| {
        let text = attribute(node, name)?;
        square(text).with_context(|| format!("{text:?} is no square"))
    };
    Ok(Action::new(read("source")?, read("target")?))
}

/// The id of a move, which is to be above the last one that was given; that one if this move has none.
fn id_after(node: Node<'_, '_>, last: Option<u64>) -> anyhow::Result<Option<u64>> {
    let Some(text) = node.attribute("id") else { return Ok(last) };
    let id: u64 = text.trim().parse().ok().with_context(|| format!("the id {text:?} is no number"))?;
    if let Some(last) = last {
        ensure!(id != last, "the id {id} is there twice");
        ensure!(id > last, "the id {id} comes after {last}");
    }
    Ok(Some(id))
}

fn name_of(node: Node<'_, '_>) -> String {
    node.children().filter_map(|child| child.text().filter(|_| child.is_text())).collect()
}

fn result(node: Node<'_, '_>) -> anyhow::Result<Result> {
    let number = |name: &str| {
        let text = attribute(node, name)?;
        text.parse::<u32>().ok().with_context(|| format!("{name} {text:?} is no number"))
    };
    let end = number("type")?;
    let end = End::from_number(end).with_context(|| format!("no result has type {end}"))?;
    let winner = match number("winner")? {
        1 => Some(Side::Red),
        2 => Some(Side::Blue),
        3 => None,
        other => bail!("no winner is numbered {other}: 1 is Red, 2 Blue, 3 nobody"),
    };
    if let End::Decided(decision) = end {
        decision.check(winner).with_context(|| format!("result type {}", end.number()))?;
    }
    Ok(Result { end, winner })
}
