//! Writing position texts.

use super::super::piece::Piece;
use super::super::position::Position;
use super::super::rank::RankSet;
use super::super::ruleset::Ruleset;
use super::super::side::Side;
use super::super::square::Square;
use super::{Spn, Viewer, board_letter};
use std::fmt::{self, Write as _};

/// Writes a piece; `usual` is what the other side knows when nothing is added.
fn write_piece(text: &mut String, piece: &Piece, letter: Option<char>, usual: RankSet) {
    let known = piece.learned.single().is_some();
    match letter {
        Some(letter) => text.push(if known { letter.to_ascii_lowercase() } else { letter }),
        None => text.push('?'),
    }
    if piece.moved {
        text.push('+');
    }
    if piece.rescuer {
        text.push('*');
    }
    let possible = if letter.is_some() { piece.learned } else { piece.ranks };
    if (letter.is_none() || !known) && possible != usual {
        let _ = write!(text, "[{possible}]");
    }
}

fn write_row(text: &mut String, position: &Position, row: u8) {
    let mut open = 0;
    let flush = |text: &mut String, open: &mut u32| {
        if *open > 0 {
            let _ = write!(text, "{open}");
            *open = 0;
        }
    };
    for file in 0..10 {
        let Some(square) = Square::new(file, row) else {
            flush(text, &mut open);
            text.push('_');
            continue;
        };
        let Some(id) = position.piece_at(square) else {
            open += 1;
            continue;
        };
        flush(text, &mut open);
        let piece = position.piece(id);
        let army = position.rules().army().ranks();
        let usual = army.and(Piece::seen_to_be(piece.moved, piece.rescuer));
        write_piece(text, piece, piece.ranks.single().map(|rank| board_letter(id.side(), rank)), usual);
    }
    flush(text, &mut open);
}

fn write_captured(text: &mut String, position: &Position, side: Side) {
    let start = text.len();
    for (_, piece) in position.pieces(side).filter(|(_, piece)| !piece.is_alive()) {
        // Which of the dead had moved or made a rescue no longer matters; what they may be says it all.
        let dead = Piece { moved: false, rescuer: false, ..*piece };
        match piece.ranks.single() {
            Some(rank) if piece.learned.single().is_some() => text.push(rank.letter()),
            Some(rank) => {
                let _ = write!(text, "{rank}[{}]", piece.learned);
            }
            None => write_piece(text, &dead, None, position.rules().army().ranks()),
        }
    }
    if text.len() == start {
        text.push('-');
    }
}

impl fmt::Display for Spn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for row in (0..10).rev() {
            write_row(&mut text, &self.position, row);
            text.push(if row == 0 { ' ' } else { '/' });
        }
        let letter = |side: Side| if side == Side::Red { 'r' } else { 'b' };
        text.push(letter(self.position.to_move()));
        text.push(' ');
        text.push(match self.viewer {
            Viewer::Player(side) => letter(side),
            Viewer::Both => '-',
        });
        text.push(' ');
        write_captured(&mut text, &self.position, Side::Red);
        text.push(',');
        write_captured(&mut text, &self.position, Side::Blue);
        write!(f, "{text} {} {}", self.position.quiet(), self.position.ply())?;
        write_changed_rules(f, self.position.rules())?;
        match Side::BOTH.map(|side| self.position.rescues(side)) {
            [0, 0] => Ok(()),
            [red, blue] => write!(f, " rescues={red},{blue}"),
        }
    }
}

/// The preset and the keys that differ from it.
fn write_changed_rules(f: &mut fmt::Formatter<'_>, rules: &Ruleset) -> fmt::Result {
    let (keys, plain) = (rules.to_string(), Ruleset::of(rules.preset).to_string());
    for (key, usual) in keys.split(' ').zip(plain.split(' ')) {
        if key != usual || key.starts_with("preset=") {
            write!(f, " {key}")?;
        }
    }
    Ok(())
}
