//! Reading position texts.

use super::super::action::number;
use super::super::arrays::BySide;
use super::super::piece::{Piece, PieceId};
use super::super::position::Position;
use super::super::rank::{Rank, RankSet};
use super::super::ruleset::{Preset, RulesError, Ruleset};
use super::super::side::Side;
use super::super::square::Square;
use super::{PieceFault, RowError, Spn, SpnError, Viewer, from_board_letter};
use crate::number::whole_number;
use nom::branch::alt;
use nom::character::complete::{anychar, char, satisfy};
use nom::combinator::{all_consuming, map, map_opt, opt, value};
use nom::multi::{many0, many1};
use nom::sequence::{delimited, separated_pair};
use nom::{IResult, Parser};

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

fn row_items(input: &str) -> Result<Vec<Item>, RowError> {
    let mut item =
        alt((map(number, Item::Open), value(Item::Lake, char('_')), map(board_piece, Item::Piece)));
    let (mut items, mut left) = (Vec::new(), input);
    while !left.is_empty() {
        let (rest, read) = item.parse(left).map_err(|_| misplaced(left.chars().next().unwrap_or(' ')))?;
        items.push(read);
        left = rest;
    }
    if items.is_empty() { Err(RowError::Empty) } else { Ok(items) }
}

/// What is wrong with a character that nothing begins with.
fn misplaced(found: char) -> RowError {
    if "+*[".contains(found) { RowError::Mark(found) } else { RowError::Character(found) }
}

impl Written {
    /// Whether it must have moved, as it stands outside its army's rows. A bomb or flag there belongs to a study.
    fn must_have_moved(&self, side: Side, square: Option<Square>) -> bool {
        let away = square.is_some_and(|square| square.setup_place(side).is_none());
        let ranks = self.rank.map(RankSet::only).or(self.set).unwrap_or(RankSet::ALL);
        away && ranks.meets(RankSet::MOBILE)
    }

    /// The piece for the holder of the position, unless it contradicts itself.
    fn piece(self, square: Option<Square>, known: bool, army: RankSet) -> Result<Piece, PieceFault> {
        let reach = army.and(Piece::seen_to_be(self.moved, self.rescuer));
        let possible = self.set.unwrap_or(army).and(reach);
        let (ranks, learned) = match self.rank {
            Some(rank) if self.shown => (RankSet::only(rank), RankSet::only(rank)),
            Some(rank) => (RankSet::only(rank), possible),
            None if known => return Err(PieceFault::Hidden),
            None => (possible, possible),
        };
        if !ranks.is_within(reach) {
            return Err(if ranks.is_within(army) { PieceFault::Reach } else { PieceFault::Army });
        }
        if !ranks.is_within(learned) || ranks.is_empty() {
            return Err(PieceFault::Set);
        }
        if self.rescuer && !self.moved && square.is_some() {
            return Err(PieceFault::Rescuer);
        }
        let (moved, rescuer) = (self.moved, self.rescuer);
        let start = if moved { None } else { square };
        Ok(Piece { ranks, learned, square, start, moved, first_move: None, rescuer })
    }
}

/// Pieces as they are read, numbered in order for each side.
struct Reader {
    position: Position,
    viewer: Viewer,
    used: BySide<usize>,
}

impl Reader {
    fn place(&mut self, side: Side, written: Written, square: Option<Square>) -> Result<(), SpnError> {
        let number = self.used[side];
        if number >= PieceId::PER_SIDE {
            return Err(SpnError::TooMany(side));
        }
        let known = self.viewer != Viewer::Player(side.enemy());
        let army = self.position.rules().army().ranks();
        let written = Written { moved: written.moved || written.must_have_moved(side, square), ..written };
        let piece =
            written.piece(square, known, army).map_err(|fault| SpnError::Piece(side, square, fault))?;
        self.position.set_piece(PieceId::new(side, number), piece);
        self.used[side] += 1;
        Ok(())
    }

    fn board(&mut self, text: &str) -> Result<(), SpnError> {
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != 10 {
            return Err(SpnError::Rows);
        }
        for (&text, row) in rows.iter().zip((0..10).rev()) {
            self.row(text, row)?;
        }
        Ok(())
    }

    fn row(&mut self, text: &str, row: u8) -> Result<(), SpnError> {
        let bad = |error| SpnError::Row(row + 1, error);
        let items = row_items(text).map_err(bad)?;
        let width = |item: &Item| if let Item::Open(count) = item { *count } else { 1 };
        let squares = items.iter().fold(0, |sum: u32, item| sum.saturating_add(width(item)));
        if squares != 10 {
            return Err(bad(RowError::Squares(squares)));
        }
        let mut file = 0;
        for item in items {
            let here = |file| Square::new(file, row);
            match item {
                Item::Open(0) => return Err(bad(RowError::Character('0'))),
                Item::Open(count) if (file..file + count as u8).all(|file| here(file).is_some()) => {
                    file += count as u8;
                }
                Item::Lake if here(file).is_none() => file += 1,
                Item::Piece(written) if here(file).is_some() => {
                    let side = written.side.or(match self.viewer {
                        Viewer::Player(side) => Some(side.enemy()),
                        Viewer::Both => None,
                    });
                    self.place(side.ok_or_else(|| bad(RowError::Hidden))?, written, here(file))?;
                    file += 1;
                }
                Item::Open(_) | Item::Lake | Item::Piece(_) => return Err(bad(RowError::Lake)),
            }
        }
        Ok(())
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

    /// Rescues made: as many as the text says, and one for each piece that is marked to have made one.
    fn count_rescues(&mut self, said: BySide<u8>) -> Result<(), SpnError> {
        for side in Side::BOTH {
            let marked = self.position.pieces(side).filter(|(_, piece)| piece.rescuer).count();
            let made = usize::from(said[side]).max(marked);
            match u8::try_from(made) {
                Ok(made) if made <= Position::MOST_RESCUES => self.position.set_rescues(side, made),
                _ => return Err(SpnError::Field("rescues")),
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
        let (rules, rescues) = read_rules(keys, rules)?;
        let mut reader = Reader { position: Position::new(rules), viewer, used: BySide::default() };
        reader.board(board)?;
        reader.captured(captured)?;
        reader.check_counts()?;
        reader.count_rescues(rescues)?;
        let position = &mut reader.position;
        position.to_move = match *turn {
            "r" => Side::Red,
            "b" => Side::Blue,
            _ => return Err(SpnError::Field("turn")),
        };
        position.quiet = plies(quiet).ok_or(SpnError::Field("quiet"))?;
        position.ply = plies(ply).ok_or(SpnError::Field("ply"))?;
        if position.quiet > position.ply {
            return Err(SpnError::Quiet);
        }
        reader.position.settle();
        Ok(Spn { position: reader.position, viewer })
    }
}

/// A number of plies. A game that had more could not be counted on.
fn plies(text: &str) -> Option<u32> {
    const MOST: u32 = 1_000_000_000;
    whole_number(text).filter(|&plies| plies <= MOST)
}

/// The rules, and the rescues that each side has made.
fn read_rules(keys: &[&str], mut rules: Ruleset) -> Result<(Ruleset, BySide<u8>), SpnError> {
    let mut rescues = BySide::default();
    for key in keys {
        match key.split_once('=') {
            Some(("preset", name)) => {
                let preset = Preset::from_name(name);
                rules =
                    Ruleset::of(preset.ok_or_else(|| SpnError::Rules(RulesError::Preset(name.to_owned())))?);
            }
            Some(("rescues", counts)) => {
                rescues = read_rescues(counts).ok_or(SpnError::Field("rescues"))?;
            }
            Some((key, value)) => rules.set(key, value).map_err(SpnError::Rules)?,
            None => return Err(SpnError::Rules(RulesError::without_value(key, RulesError::Key))),
        }
    }
    Ok((rules, rescues))
}

/// Red's count and Blue's, as in `1,0`.
fn read_rescues(text: &str) -> Option<BySide<u8>> {
    let mut counts = all_consuming(separated_pair(number, char(','), number));
    let (_, (red, blue)): (&str, _) = counts.parse(text).ok()?;
    Some(BySide::new([u8::try_from(red).ok()?, u8::try_from(blue).ok()?]))
}
