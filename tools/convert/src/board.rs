//! Gravon's boards: a hundred letters, row 1 first, each row from file a.
//!
//! `A` is an open square, `_` a lake, the others are those of position texts. Blue's setup string is therefore the
//! last forty letters read backwards.

use outflank::rules::{
    BySide, BySquare, Cell, Position, Rank, Ruleset, SQUARES, Setup, Side, Spn, SpnError, Square,
    board_letter, from_board_letter,
};
use std::fmt::{self, Write as _};
use std::str::FromStr;

/// Who stands where, every rank known.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Board(BySquare<Option<(Side, Rank)>>);

/// Why a text is no board, or a position cannot be put on one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BoardError {
    /// Not a hundred letters; this many.
    Length(usize),
    /// A letter that stands for nothing, and its place from 1.
    Letter(char, usize),
    /// `_` on land or something else in a lake; the place from 1.
    Lake(usize),
    /// A piece whose rank is not shown.
    Hidden(Square),
    /// A piece outside its side's four rows, where a game cannot begin.
    Outside(Square),
}

impl fmt::Display for BoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardError::Length(found) => write!(f, "a board has 100 letters, this one {found}"),
            BoardError::Letter(letter, place) => {
                write!(f, "letter {place} of the board is {letter:?}, which no piece is written as")
            }
            BoardError::Lake(place) => {
                write!(f, "letter {place} of the board: the lakes are written _, and nothing else is")
            }
            BoardError::Hidden(square) => write!(f, "the rank of the piece on {square} is hidden"),
            BoardError::Outside(square) => {
                write!(f, "the piece on {square} stands outside its side's four rows")
            }
        }
    }
}

impl std::error::Error for BoardError {}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        let length = text.chars().count();
        if length != SQUARES {
            return Err(BoardError::Length(length));
        }
        let mut board = Board(BySquare::filled(None));
        for (index, letter) in text.chars().enumerate() {
            let square = Square::from_index(index as u8);
            if square.is_none() != (letter == '_') {
                return Err(BoardError::Lake(index + 1));
            }
            if let Some(square) = square.filter(|_| letter != 'A') {
                let piece = if letter.is_ascii_uppercase() { from_board_letter(letter) } else { None };
                board.0[square] = Some(piece.ok_or(BoardError::Letter(letter, index + 1))?);
            }
        }
        Ok(board)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, piece) in self.0.as_array().iter().enumerate() {
            let open = if Square::from_index(index as u8).is_some() { 'A' } else { '_' };
            f.write_char(piece.map_or(open, |(side, rank)| board_letter(side, rank)))?;
        }
        Ok(())
    }
}

impl Board {
    /// Two setups that face each other.
    ///
    /// # Errors
    /// If a rank is hidden.
    pub fn of_setups(setups: &BySide<Setup>) -> Result<Board, BoardError> {
        let mut board = Board(BySquare::filled(None));
        for (side, setup) in setups.iter() {
            for (place, cell) in setup.0.iter().enumerate() {
                let Some(square) = Square::of_setup(side, place) else { continue };
                board.0[square] = match cell {
                    Cell::Empty => None,
                    Cell::Hidden => return Err(BoardError::Hidden(square)),
                    Cell::Known(rank) => Some((side, *rank)),
                };
            }
        }
        Ok(board)
    }

    /// Who stands where in a position.
    ///
    /// # Errors
    /// If a rank is hidden from the position's holder.
    pub fn of_position(position: &Position) -> Result<Board, BoardError> {
        let mut board = Board(BySquare::filled(None));
        for square in Square::all() {
            let Some(id) = position.piece_at(square) else { continue };
            let rank = position.piece(id).ranks.single().ok_or(BoardError::Hidden(square))?;
            board.0[square] = Some((id.side(), rank));
        }
        Ok(board)
    }

    /// The setups that stand on the board.
    ///
    /// # Errors
    /// If a piece stands where no setup has a place for it.
    pub fn setups(&self) -> Result<BySide<Setup>, BoardError> {
        let mut setups = BySide::filled(Setup([Cell::Empty; 40]));
        for square in Square::all() {
            let Some((side, rank)) = self.0[square] else { continue };
            let place = square.setup_place(side).ok_or(BoardError::Outside(square))?;
            setups[side].0[place] = Cell::Known(rank);
        }
        Ok(setups)
    }

    /// Whether both armies stand whole in their own rows, as before the first ply.
    pub fn is_start(&self, rules: &Ruleset) -> bool {
        let whole = |setups: BySide<Setup>| setups.values().all(|setup| setup.is_complete(&rules.army()));
        self.setups().is_ok_and(whole)
    }

    /// The position with `turn` to move, as far as a board tells it: nobody captured, and only those pieces known to
    /// have moved that stand outside their own rows.
    ///
    /// # Errors
    /// If it is no position under these rules.
    pub fn position(&self, turn: Side, rules: Ruleset) -> Result<Spn, SpnError> {
        let rows: Vec<String> = (0..10).rev().map(|row| self.row(row)).collect();
        let turn = if turn == Side::Red { 'r' } else { 'b' };
        Spn::parse(&format!("{} {turn} - -,- 0 0", rows.join("/")), rules)
    }

    /// A row of the board as position texts write it.
    fn row(&self, row: u8) -> String {
        let (mut text, mut open) = (String::new(), 0);
        for file in 0..10 {
            let square = Square::new(file, row);
            let piece = square.and_then(|square| self.0[square].map(|piece| (square, piece)));
            if square.is_some() && piece.is_none() {
                open += 1;
                continue;
            }
            end_run(&mut text, &mut open);
            match piece {
                None => text.push('_'),
                Some((square, (side, rank))) => {
                    text.push(board_letter(side, rank));
                    text.push_str(if square.setup_place(side).is_none() { "+" } else { "" });
                }
            }
        }
        end_run(&mut text, &mut open);
        text
    }
}

/// Writes the number of open squares since the last piece or lake.
fn end_run(text: &mut String, open: &mut u8) {
    if *open > 0 {
        let _ = write!(text, "{open}");
    }
    *open = 0;
}
