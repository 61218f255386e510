//! Writing the archive's XML.

use super::{Game, Result};
use anyhow::ensure;
use outflank::rules::{Side, Square};
use std::fmt::Write as _;

/// What stands before the first game of a document.
pub const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<stratego>\n";
/// What stands after the last.
pub const FOOT: &str = "</stratego>\n";

/// A square as the archive writes it: no `J`, and `:` for ten.
pub fn square_text(square: Square) -> String {
    let file = if square.file() == 9 { b'K' } else { b'A' + square.file() };
    let row = if square.row() == 9 { b':' } else { b'1' + square.row() };
    [char::from(file), char::from(row)].iter().collect()
}

/// The element of one game, with its end of line.
///
/// # Errors
/// If a ply has a rescue or a name has characters that XML does not allow.
pub fn element(game: &Game) -> anyhow::Result<String> {
    let mut text = format!(" <game type=\"{}\">\n", game.kind.name());
    if let Some(field) = &game.field {
        let _ = writeln!(text, "  <field content=\"{field}\"/>");
    }
    for (number, ply) in (1..).zip(&game.moves) {
        ensure!(ply.action.rescue.is_none(), "ply {number}: XML has no word for a rescue");
        let (from, to) = (square_text(ply.action.from), square_text(ply.action.to));
        let _ = writeln!(text, "  <move id=\"{number}\" source=\"{from}\" target=\"{to}\"/>");
    }
    for (number, name) in (1..).zip(&game.players) {
        let _ = writeln!(text, "  <player id=\"{number}\">{}</player>", escaped(name)?);
    }
    if let Some(Result { end, winner }) = game.result {
        let winner = winner.map_or(3, |side| if side == Side::Red { 1 } else { 2 });
        let _ = writeln!(text, "  <result type=\"{}\" winner=\"{winner}\"/>", end.number());
    }
    text.push_str(" </game>\n");
    Ok(text)
}

fn escaped(name: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    for c in name.chars() {
        let allowed = matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{fffe}' | '\u{ffff}');
        ensure!(allowed, "XML cannot say the {c:?} in the name {name:?}");
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            // A reader makes line ends alike and may leave blanks out, but not those that are written by number.
            control if control.is_control() => {
                let _ = write!(text, "&#{};", u32::from(control));
            }
            other => text.push(other),
        }
    }
    Ok(text)
}
