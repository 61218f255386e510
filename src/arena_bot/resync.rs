//! Compares our view with the board that the arena shows, and starts again from the board where they differ.

use super::grammar::{Row, Seen, square};
use outflank_rules::rules::{
    Piece, Position, Preset, Rank, RankSet, Reason, Ruleset, Side, Spn, Square, board_letter,
};
use outflank_rules::view::View;
use std::fmt::Write as _;

/// The ten lines of the board, y 0 first.
pub(super) type Board = [Row; 10];

/// Whether the view has the same pieces on the same squares, and its player has to act though it may be blocked.
pub(super) fn agrees(view: &View, board: &Board) -> bool {
    let ending = view.position().ending();
    view.position().to_move() == view.viewer()
        && ending.is_none_or(|ending| ending.reason == Reason::Stuck)
        && shown(board).all(|(square, shown)| shown == expected(view, square))
}

/// A view of what the board shows, keeping what `view` knew of pieces that still stand where it had them.
///
/// Where that contradicts itself, or leaves its player no action while the arena asks for one, a view of the
/// board alone. `None` if the board shows no position at all.
pub(super) fn rebuild(view: &View, board: &Board) -> Option<View> {
    let side = view.viewer();
    let old = view.position();
    let empty = Position::new(*old.rules());
    let read = |known: &Position| {
        let spn = Spn::parse(&text(known, board, side), Ruleset::of(Preset::Evaluator)).ok()?;
        Some(View::from_spn(&spn, side))
    };
    let kept = read(old).filter(|view| !view.position().actions().is_empty());
    kept.or_else(|| read(&empty))
}

/// Every square that is no lake with what the arena shows there.
fn shown(board: &Board) -> impl Iterator<Item = (Square, Seen)> {
    let squares = (0..10).flat_map(|y| (0..10).map(move |x| (x, y)));
    squares.filter_map(|(x, y)| Some((square(x, y)?, board[y as usize][x as usize])))
}

fn expected(view: &View, square: Square) -> Seen {
    let position = view.position();
    let Some(id) = position.piece_at(square) else { return Seen::Open };
    match position.piece(id).ranks.single() {
        Some(rank) if id.side() == view.viewer() => Seen::Ours(rank),
        Some(_) | None => Seen::Enemy,
    }
}

/// The board as a position text with `side` to move.
fn text(known: &Position, board: &Board, side: Side) -> String {
    let mut text = String::new();
    for row in (0..10).rev() {
        write_row(&mut text, known, row, &board[row as usize], side);
        text.push(if row == 0 { ' ' } else { '/' });
    }
    let letter = if side == Side::Red { 'r' } else { 'b' };
    let fallen = Side::BOTH.map(|owner| fallen(known, board, owner, side)).join(",");
    let _ = write!(text, "{letter} {letter} {fallen} 0 {}", known.ply());
    text
}

fn write_row(text: &mut String, known: &Position, row: u8, line: &Row, side: Side) {
    let mut open = 0;
    for (file, &seen) in (0..10).zip(line.iter().rev()) {
        let standing = match Square::new(file, row) {
            None => "_".to_owned(),
            Some(_) if seen == Seen::Open => {
                open += 1;
                continue;
            }
            Some(square) => standing(known, square, seen, side),
        };
        if open > 0 {
            let _ = write!(text, "{open}");
            open = 0;
        }
        text.push_str(&standing);
    }
    if open > 0 {
        let _ = write!(text, "{open}");
    }
}

/// What stands on one square, as the text writes it. Where nothing was known of it, the reader knows what must have
/// moved.
fn standing(known: &Position, at: Square, seen: Seen, side: Side) -> String {
    let owner = if seen == Seen::Enemy { side.enemy() } else { side };
    let before = known.piece_at(at).filter(|id| id.side() == owner).map(|id| *known.piece(id));
    match seen {
        Seen::Open | Seen::Lake => String::new(),
        Seen::Ours(rank) => {
            let letter = board_letter(owner, rank);
            match before.filter(|piece| piece.ranks == RankSet::only(rank)) {
                None => letter.to_string(),
                Some(piece) if piece.learned.single() == Some(rank) => {
                    format!("{}{}", letter.to_ascii_lowercase(), mark(&piece))
                }
                Some(piece) => format!("{letter}{}[{}]", mark(&piece), piece.learned),
            }
        }
        Seen::Enemy => {
            let Some(piece) = before else { return "?".to_owned() };
            match piece.ranks.single() {
                Some(rank) => {
                    format!("{}{}", board_letter(owner, rank).to_ascii_lowercase(), mark(&piece))
                }
                None => format!("?{}[{}]", mark(&piece), piece.ranks),
            }
        }
    }
}

const fn mark(piece: &Piece) -> &'static str {
    if piece.moved { "+" } else { "" }
}

/// The captured pieces of `owner`: those of ours that the board lacks; of the enemy's as many as it lacks, with
/// the ranks that were revealed.
fn fallen(known: &Position, board: &Board, owner: Side, side: Side) -> String {
    let army = known.rules().army();
    let standing = |wanted: Seen| shown(board).filter(|&(_, seen)| seen == wanted).count();
    let mut letters = String::new();
    if owner == side {
        for rank in Rank::ALL {
            let missing = (army.count(rank) as usize).saturating_sub(standing(Seen::Ours(rank)));
            letters.extend(std::iter::repeat_n(rank.letter(), missing));
        }
    } else {
        let missing = army.size().saturating_sub(standing(Seen::Enemy));
        let dead = known.pieces(owner).filter(|(_, piece)| !piece.is_alive());
        let known = dead.map(|(_, piece)| piece.ranks.single().map_or('?', Rank::letter));
        letters.extend(known.chain(std::iter::repeat('?')).take(missing));
    }
    if letters.is_empty() { "-".to_owned() } else { letters }
}
