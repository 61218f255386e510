//! SPN, the text of a position as one player knows it.
//!
//! `<board> <turn> <viewer> <captured> <quiet> <ply> [key=value ...]`; `protocol.md` tells it in full.

use super::action::number;
use super::piece::{Piece, PieceId};
use super::position::Position;
use super::rank::{Rank, RankSet};
use super::ruleset::{Preset, RulesError, Ruleset};
use super::square::{Side, Square};
use nom::branch::alt;
use nom::character::complete::{anychar, char, satisfy};
use nom::combinator::{all_consuming, map, map_opt, opt, value};
use nom::multi::{many0, many1};
use nom::sequence::delimited;
use nom::{IResult, Parser};
use std::fmt::{self, Write as _};

/// Whose knowledge a position text holds.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Viewer {
    /// One player's.
    Player(Side),
    /// Both armies are known.
    Both,
}

/// A position together with whose knowledge it is.
#[derive(Clone, Debug)]
pub struct Spn {
    /// The position; hidden pieces hold sets.
    pub position: Position,
    /// Whose knowledge it is.
    pub viewer: Viewer,
}

/// Why a text is no position.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SpnError {
    /// Fewer than six fields.
    Fields,
    /// The board cannot be read; the row (1 to 10) it fails in, or 0 when there are not ten rows.
    Board(u8),
    /// The field of that name cannot be read.
    Field(&'static str),
    /// A rule key is refused.
    Rules(RulesError),
    /// More pieces, or more of one rank, than the army holds.
    TooMany(Side),
    /// A side has pieces on the board that cannot be there: a moved bomb, a hidden piece of the viewer's own.
    Piece(Side),
}

impl fmt::Display for SpnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpnError::Fields => {
                f.write_str("a position has six fields: board turn viewer captured quiet ply")
            }
            SpnError::Board(0) => f.write_str("the board needs ten rows with / between"),
            SpnError::Board(row) => write!(f, "row {row} of the board cannot be read"),
            SpnError::Field(name) => write!(f, "the field {name} cannot be read"),
            SpnError::Rules(error) => error.fmt(f),
            SpnError::TooMany(side) => write!(f, "{side} has more pieces than its army holds"),
            SpnError::Piece(side) => write!(f, "{side} has a piece that cannot be as it is told"),
        }
    }
}

impl std::error::Error for SpnError {}

/// A piece as the board or the captured field writes it.
#[derive(Copy, Clone, Debug)]
struct Written {
    /// Who owns it, where the letter tells.
    side: Option<Side>,
    rank: Option<Rank>,
    shown: bool,
    moved: bool,
    rescuer: bool,
    set: Option<RankSet>,
}

/// Gravon's letters: Red `B` bomb, `C` spy, `D`..`K` 2..9, `L` Marshal, `M` flag; Blue twelve further on.
const LETTERS: [Rank; 12] = [
    Rank::Bomb,
    Rank::Spy,
    Rank::Scout,
    Rank::Miner,
    Rank::Sergeant,
    Rank::Lieutenant,
    Rank::Captain,
    Rank::Major,
    Rank::Colonel,
    Rank::General,
    Rank::Marshal,
    Rank::Flag,
];

/// The letter of a piece of `side` on the board of a position text.
pub(crate) fn board_letter(side: Side, rank: Rank) -> char {
    let place = LETTERS.iter().position(|&other| other == rank).unwrap_or(0) as u8;
    char::from(b'B' + place + 12 * side.index() as u8)
}

fn from_board_letter(letter: char) -> Option<(Side, Rank)> {
    let place = (letter.to_ascii_uppercase() as u32).checked_sub('B' as u32)? as usize;
    let side = if place < 12 { Side::Red } else { Side::Blue };
    LETTERS.get(place % 12).filter(|_| place < 24).map(|&rank| (side, rank))
}

fn rank_set(input: &str) -> IResult<&str, RankSet> {
    let ranks = many1(map_opt(anychar, Rank::from_letter));
    delimited(char('['), map(ranks, |ranks| ranks.into_iter().collect()), char(']')).parse(input)
}

fn marks(input: &str) -> IResult<&str, (bool, bool, Option<RankSet>)> {
    (map(opt(char('+')), |mark| mark.is_some()), map(opt(char('*')), |mark| mark.is_some()), opt(rank_set))
        .parse(input)
}

fn board_piece(input: &str) -> IResult<&str, Written> {
    let hidden = value((None, None, false), char('?'));
    let letter = map_opt(satisfy(|c| c.is_ascii_alphabetic()), |letter| {
        let (side, rank) = from_board_letter(letter)?;
        Some((Some(side), Some(rank), letter.is_ascii_lowercase()))
    });
    map((alt((hidden, letter)), marks), |((side, rank, shown), (moved, rescuer, set))| Written {
        side,
        rank,
        shown,
        moved,
        rescuer,
        set,
    })
    .parse(input)
}

fn captured_piece(input: &str) -> IResult<&str, Written> {
    let hidden = value(None, char('?'));
    let letter = map_opt(satisfy(|c| c.is_ascii_alphanumeric()), |c| Rank::from_letter(c).map(Some));
    map((alt((hidden, letter)), marks), |(rank, (moved, rescuer, set))| Written {
        side: None,
        rank,
        shown: set.is_none(),
        moved,
        rescuer,
        set,
    })
    .parse(input)
}

/// What stands at one place of a row text.
#[derive(Copy, Clone)]
enum Item {
    Open(u32),
    Lake,
    Piece(Written),
}

fn row_items(input: &str) -> IResult<&str, Vec<Item>> {
    let item = alt((map(number, Item::Open), value(Item::Lake, char('_')), map(board_piece, Item::Piece)));
    all_consuming(many1(item)).parse(input)
}

impl Written {
    /// The piece for the holder of the position; `None` if it contradicts itself.
    fn piece(self, square: Option<Square>, known: bool) -> Option<Piece> {
        let reach = if self.moved { RankSet::MOBILE } else { RankSet::ALL };
        let told = self.set.unwrap_or(RankSet::ALL).and(reach);
        let (ranks, learned) = match self.rank {
            Some(rank) if self.shown => (RankSet::only(rank), RankSet::only(rank)),
            Some(rank) => (RankSet::only(rank), told),
            None if known => return None,
            None => (told, told),
        };
        let start = if self.moved { None } else { square };
        let consistent = ranks.is_within(reach) && ranks.is_within(learned) && !ranks.is_empty();
        consistent.then_some(Piece {
            ranks,
            learned,
            square,
            start,
            moved: self.moved,
            first_move: None,
            rescuer: self.rescuer,
        })
    }
}

/// Pieces as they are read, numbered in order for each side.
struct Reader {
    position: Position,
    viewer: Viewer,
    used: [usize; 2],
}

impl Reader {
    fn place(&mut self, side: Side, written: Written, square: Option<Square>) -> Result<(), SpnError> {
        let number = self.used[side.index()];
        if number >= PieceId::PER_SIDE {
            return Err(SpnError::TooMany(side));
        }
        let known = self.viewer != Viewer::Player(side.enemy());
        let piece = written.piece(square, known).ok_or(SpnError::Piece(side))?;
        self.position.set_piece(PieceId::new(side, number), piece);
        self.used[side.index()] += 1;
        Ok(())
    }

    fn board(&mut self, text: &str) -> Result<(), SpnError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 10 {
            return Err(SpnError::Board(0));
        }
        for (&text, row) in rows.iter().zip((0..10).rev()) {
            self.row(text, row)?;
        }
        Ok(())
    }

    fn row(&mut self, text: &str, row: u8) -> Result<(), SpnError> {
        let bad = SpnError::Board(row + 1);
        let (_, items) = row_items(text).map_err(|_| bad.clone())?;
        let mut file = 0u32;
        for item in items {
            let here = u8::try_from(file).ok().and_then(|file| Square::new(file, row));
            match item {
                Item::Open(count) if count > 0 => {
                    let open = (file..file.saturating_add(count).min(11))
                        .all(|file| Square::new(file as u8, row).is_some());
                    if !open {
                        return Err(bad);
                    }
                    file = file.saturating_add(count);
                }
                Item::Lake if here.is_none() && file < 10 => file += 1,
                Item::Piece(written) if here.is_some() => {
                    let side = written.side.or(match self.viewer {
                        Viewer::Player(side) => Some(side.enemy()),
                        Viewer::Both => None,
                    });
                    self.place(side.ok_or_else(|| bad.clone())?, written, here)?;
                    file += 1;
                }
                Item::Open(_) | Item::Lake | Item::Piece(_) => return Err(bad),
            }
        }
        if file == 10 { Ok(()) } else { Err(bad) }
    }

    fn captured(&mut self, text: &str) -> Result<(), SpnError> {
        let bad = SpnError::Field("captured");
        let (red, blue) = text.split_once(',').ok_or_else(|| bad.clone())?;
        for (side, text) in Side::BOTH.into_iter().zip([red, blue]) {
            let text = if text == "-" { "" } else { text };
            let (_, dead) = all_consuming(many0(captured_piece)).parse(text).map_err(|_| bad.clone())?;
            for written in dead {
                self.place(side, written, None)?;
            }
        }
        Ok(())
    }

    fn check_counts(&self) -> Result<(), SpnError> {
        let army = self.position.rules().army();
        for side in Side::BOTH {
            let count = |rank| {
                self.position.pieces(side).filter(|(_, piece)| piece.ranks == RankSet::only(rank)).count()
            };
            let too_many = Rank::ALL.into_iter().any(|rank| count(rank) > army.count(rank) as usize);
            if too_many || self.position.pieces(side).count() > army.size() {
                return Err(SpnError::TooMany(side));
            }
        }
        Ok(())
    }
}

impl Spn {
    /// Reads a position; rule keys change `rules`, the set in force.
    pub fn parse(text: &str, rules: Ruleset) -> Result<Spn, SpnError> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [board, turn, viewer, captured, quiet, ply, keys @ ..] = words.as_slice() else {
            return Err(SpnError::Fields);
        };
        let viewer = match *viewer {
            "r" => Viewer::Player(Side::Red),
            "b" => Viewer::Player(Side::Blue),
            "-" => Viewer::Both,
            _ => return Err(SpnError::Field("viewer")),
        };
        let rules = read_rules(keys, rules)?;
        let mut reader = Reader { position: Position::new(rules), viewer, used: [0; 2] };
        reader.board(board)?;
        reader.captured(captured)?;
        reader.check_counts()?;
        let position = &mut reader.position;
        position.to_move = match *turn {
            "r" => Side::Red,
            "b" => Side::Blue,
            _ => return Err(SpnError::Field("turn")),
        };
        position.quiet = quiet.parse().map_err(|_| SpnError::Field("quiet"))?;
        position.ply = ply.parse().map_err(|_| SpnError::Field("ply"))?;
        reader.position.settle();
        Ok(Spn { position: reader.position, viewer })
    }
}

fn read_rules(keys: &[&str], mut rules: Ruleset) -> Result<Ruleset, SpnError> {
    for key in keys {
        match key.split_once('=') {
            Some(("preset", name)) => {
                let preset = Preset::from_name(name);
                rules =
                    Ruleset::of(preset.ok_or_else(|| SpnError::Rules(RulesError::Preset(name.to_owned())))?);
            }
            Some(("rescues", "0,0")) => {}
            Some((key, value)) => rules.set(key, value).map_err(SpnError::Rules)?,
            None => return Err(SpnError::Rules(RulesError::Key((*key).to_owned()))),
        }
    }
    rules.check().map_err(SpnError::Rules)?;
    Ok(rules)
}

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
    let told = if letter.is_some() { piece.learned } else { piece.ranks };
    if (letter.is_none() || !known) && told != usual {
        let _ = write!(text, "[{told}]");
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
        let usual = if piece.moved { RankSet::MOBILE } else { RankSet::ALL };
        write_piece(text, piece, piece.ranks.single().map(|rank| board_letter(id.side(), rank)), usual);
    }
    flush(text, &mut open);
}

fn write_captured(text: &mut String, position: &Position, side: Side) {
    let start = text.len();
    for (_, piece) in position.pieces(side).filter(|(_, piece)| !piece.is_alive()) {
        // Which of the dead had moved no longer matters; what they may be says it all.
        let dead = Piece { moved: false, ..*piece };
        match piece.ranks.single() {
            Some(rank) if piece.learned.single().is_some() => text.push(rank.letter()),
            Some(rank) => {
                let _ = write!(text, "{rank}[{}]", piece.learned);
            }
            None => write_piece(text, &dead, None, RankSet::ALL),
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
        write_changed_rules(f, self.position.rules())
    }
}

/// The preset and the keys that differ from it.
fn write_changed_rules(f: &mut fmt::Formatter<'_>, rules: &Ruleset) -> fmt::Result {
    let (told, plain) = (rules.to_string(), Ruleset::of(rules.preset).to_string());
    for (key, usual) in told.split(' ').zip(plain.split(' ')) {
        if key != usual || key.starts_with("preset=") {
            write!(f, " {key}")?;
        }
    }
    Ok(())
}
