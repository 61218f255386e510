//! Drawing the board for people.
//!
//! Every drawn line begins with two blanks, so that a program can skip it; the position's text ends the drawing.

use crate::protocol::drawing::picture::{Style, bottom, picture};
use crate::protocol::game::Game;
use crate::protocol::game::board::Board;
use crate::protocol::grammar::error::AskError;
use crate::protocol::grammar::reply::Reply;
use outflank_rules::rules::{Piece, Position, Rank, RankSet, Side, Square};

/// Draws the board.
pub(crate) fn draw(game: &Game, style: Style, replies: &mut Vec<Reply>) -> Result<(), AskError> {
    let board = game.board()?;
    let who = match game.ours() {
        Some(side) => format!("we play {side}"),
        None => "a study of both armies".to_owned(),
    };
    let lines = lines(board, &turn(game, board), &who, style);
    replies.extend(lines.into_iter().map(Reply::Drawn));
    replies.push(Reply::Spn(Box::new(board.spn())));
    Ok(())
}

/// The board with a text of whose turn it is and who plays beside it, and what is known in part of enemy pieces below.
pub(crate) fn lines(board: &Board, turn: &str, who: &str, style: Style) -> Vec<String> {
    let mut lines = picture(&|square| cell(board, square, style), bottom(board), &panel(board, turn, who));
    lines.extend(narrowed(board));
    lines
}

fn cell(board: &Board, square: Square, style: Style) -> String {
    let position = board.position();
    let last = position
        .history()
        .last()
        .is_some_and(|played| played.action.from == square || played.action.to == square);
    let mark = if last { "7" } else { "" };
    let Some(id) = position.piece_at(square) else {
        return style.paint(" . ", if last { "7" } else { "2" });
    };
    let colour = match id.side() {
        Side::Red => "1;31",
        Side::Blue => "1;34",
    };
    let codes = if mark.is_empty() { colour.to_owned() } else { format!("{colour};{mark}") };
    let text = if id.side() == bottom(board) { own(position.piece(id)) } else { theirs(position.piece(id)) };
    style.paint(&text, &codes)
}

fn own(piece: &Piece) -> String {
    let known = if piece.learned.single().is_some() { '!' } else { ' ' };
    format!(" {}{known}", letter(piece.ranks))
}

fn theirs(piece: &Piece) -> String {
    let rank = letter(piece.ranks);
    if piece.moved { format!("<{rank}>") } else { format!("[{rank}]") }
}

fn letter(ranks: RankSet) -> char {
    ranks.single().map_or('?', Rank::letter)
}

fn panel(board: &Board, turn: &str, who: &str) -> Vec<String> {
    let position = board.position();
    let last = position.history().last().map_or_else(|| "-".to_owned(), ToString::to_string);
    let rescues = if position.rules().rescue {
        format!("rescues       red {}, blue {}", position.rescues(Side::Red), position.rescues(Side::Blue))
    } else {
        String::new()
    };
    let (ours, theirs) = match board {
        Board::Player(_) => ("ours", "theirs"),
        Board::Study(_) => ("red", "blue"),
    };
    vec![
        format!("ply {}, {turn}", position.ply()),
        format!(
            "{who}, rules {}{}",
            position.rules().preset.name(),
            if position.rules().barrage { " barrage" } else { "" }
        ),
        format!("last action   {last}"),
        format!("quiet plies   {}", position.quiet()),
        String::new(),
        format!("red has lost  {}", lost(position, Side::Red)),
        format!("blue has lost {}", lost(position, Side::Blue)),
        rescues,
        format!(" 6  {ours:<6}      6! seen by the enemy"),
        format!("[?] {theirs:<6}     <?> has moved"),
    ]
}

fn turn(game: &Game, board: &Board) -> String {
    match (board.ending(), game.closed()) {
        (Some(ending), _) => format!("over: {ending}"),
        (None, true) => "over".to_owned(),
        (None, false) => format!("{} to move", board.position().to_move()),
    }
}

/// The dead of a side, weakest first, unknown ones as `?`.
fn lost(position: &Position, side: Side) -> String {
    let dead = position.pieces(side).filter(|(_, piece)| !piece.is_alive());
    let mut ranks: Vec<Option<Rank>> = dead.map(|(_, piece)| piece.ranks.single()).collect();
    ranks.sort_by_key(|rank| rank.map_or(Rank::COUNT, Rank::index));
    let letters: String = ranks.into_iter().map(|rank| rank.map_or('?', Rank::letter)).collect();
    if letters.is_empty() { "-".to_owned() } else { letters }
}

/// Enemy pieces of which more is known than whether they have moved.
fn narrowed(board: &Board) -> impl Iterator<Item = String> {
    let view = board.view();
    let squares = view.position().occupied(view.viewer().enemy());
    let army = view.position().rules().army().ranks();
    squares.into_iter().filter_map(move |square| {
        let piece = view.position().piece(view.position().piece_at(square)?);
        let seen = army.and(Piece::seen_to_be(true, piece.rescuer));
        let plain = piece.ranks == army || piece.ranks == seen;
        (!plain && piece.ranks.len() > 1).then(|| format!("{square} is one of {}", piece.ranks))
    })
}
