//! The arena's lines as typed messages, and our answers as its lines.
//!
//! Red stands on top there: `x` runs 0..9 from the left, `y` from the top. Its board is ours turned half round
//! (file `a` is x 9, row 1 is y 0), so each army stands as its owner sees it, Blue's the right way up.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{anychar, char, i32, multispace0, multispace1};
use nom::combinator::{all_consuming, map, map_opt, opt, peek, value};
use nom::multi::{count, many_till};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};
use outflank_rules::rules::{Action, Cell, Outcome, Played, Rank, Setup, Side, Square, Verdict};

/// What the arena shows of one square: enemies without their ranks, ours with.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Seen {
    /// Nothing stands there.
    Open,
    /// A lake.
    Lake,
    /// An enemy, whether its rank was revealed before or not.
    Enemy,
    /// Our piece.
    Ours(Rank),
}

/// One line of the board, x 0 first.
pub(super) type Row = [Seen; 10];

/// A line from the arena.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Message {
    /// The first line: which side we are; a setup is wanted.
    Side(Side),
    /// Red's first turn begins.
    Start,
    /// Either side acted; the arena repeats the action with its result.
    Played(Played),
    /// A line of the board; after the tenth an action is wanted.
    Row(Row),
    /// The game is over.
    Quit,
    /// Anything else.
    Unknown,
}

/// Reads one line, with or without its end.
pub(super) fn parse(line: &str) -> Message {
    let words = (
        map(terminated(side, multispace1), Message::Side),
        value(Message::Quit, tag("QUIT")),
        value(Message::Start, all_consuming(tag("START"))),
        map(all_consuming(row), Message::Row),
        map(played, Message::Played),
    );
    let parsed: IResult<&str, Message> = alt(words).parse(line.trim_end());
    parsed.map_or(Message::Unknown, |(_, message)| message)
}

/// The square at the arena's coordinates, unless off the board or in a lake.
pub(super) fn square(x: i32, y: i32) -> Option<Square> {
    Square::new(u8::try_from(9 - x).ok()?, u8::try_from(y).ok()?)
}

/// The four lines that answer the first: the side's rows from the top down, each with its end.
pub(super) fn setup_lines(side: Side, setup: &Setup) -> String {
    let top = match side {
        Side::Red => 0,
        Side::Blue => 6,
    };
    let mut lines = String::new();
    for y in top..top + 4 {
        lines.extend((0..10).map(|x| {
            let place = square(x, y).and_then(|square| square.setup_place(side));
            place.map_or('.', |place| cell_letter(setup.0[place]))
        }));
        lines.push('\n');
    }
    lines
}

/// The line that makes an action, with its end. The step count is left out where it is 1.
pub(super) fn action_line(action: Action) -> String {
    let (x, y) = (9 - action.from.file(), action.from.row());
    let (to_x, to_y) = (9 - action.to.file(), action.to.row());
    let direction = match (to_x.cmp(&x), to_y.cmp(&y)) {
        (std::cmp::Ordering::Less, _) => "LEFT",
        (std::cmp::Ordering::Greater, _) => "RIGHT",
        (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => "UP",
        (std::cmp::Ordering::Equal, _) => "DOWN",
    };
    match action.distance() {
        1 => format!("{x} {y} {direction}\n"),
        steps => format!("{x} {y} {direction} {steps}\n"),
    }
}

/// The arena counts downwards: 1 is the Marshal, 9 a scout.
pub(super) fn rank_letter(rank: Rank) -> char {
    match rank {
        Rank::Flag => 'F',
        Rank::Bomb => 'B',
        Rank::Spy => 's',
        Rank::Scout
        | Rank::Miner
        | Rank::Sergeant
        | Rank::Lieutenant
        | Rank::Captain
        | Rank::Major
        | Rank::Colonel
        | Rank::General
        | Rank::Marshal => char::from(b'0' + (11 - rank.index()) as u8),
    }
}

fn from_rank_letter(letter: char) -> Option<Rank> {
    Rank::ALL.into_iter().find(|&rank| rank_letter(rank) == letter)
}

fn cell_letter(cell: Cell) -> char {
    match cell {
        Cell::Known(rank) => rank_letter(rank),
        Cell::Empty | Cell::Hidden => '.',
    }
}

fn side(input: &str) -> IResult<&str, Side> {
    alt((value(Side::Red, tag("RED")), value(Side::Blue, tag("BLUE")))).parse(input)
}

fn rank(input: &str) -> IResult<&str, Rank> {
    map_opt(anychar, from_rank_letter).parse(input)
}

fn row(input: &str) -> IResult<&str, Row> {
    let shown = alt((
        value(Seen::Open, char('.')),
        value(Seen::Lake, char('+')),
        value(Seen::Enemy, char('#')),
        map(rank, Seen::Ours),
    ));
    map_opt(count(shown, 10), |row: Vec<Seen>| row.try_into().ok()).parse(input)
}

/// The step along x and y.
fn direction(input: &str) -> IResult<&str, (i32, i32)> {
    let word = alt((
        value((0, -1), tag("UP")),
        value((0, 1), tag("DOWN")),
        value((-1, 0), tag("LEFT")),
        value((1, 0), tag("RIGHT")),
    ));
    terminated(word, peek(multispace1)).parse(input)
}

fn result(input: &str) -> IResult<&str, Option<Verdict>> {
    let outcome = alt((
        value(Outcome::Win, tag("KILLS")),
        value(Outcome::Loss, tag("DIES")),
        value(Outcome::Tie, tag("BOTHDIE")),
    ));
    let ranks = (preceded(multispace1, rank), preceded(multispace1, rank));
    let strike = map((outcome, ranks), |(outcome, (striker, defender))| Verdict {
        outcome,
        striker: Some(striker),
        defender: Some(defender),
    });
    preceded(multispace1, alt((value(None, tag("OK")), map(strike, Some)))).parse(input)
}

/// `x y direction [steps]`, whatever else its author wrote, and the result. Numbers and blanks as the arena's own
/// reader takes them: signs, leading zeros and several blanks are fine.
fn played(input: &str) -> IResult<&str, Played> {
    let number = || preceded(multispace0, i32);
    let steps = opt(preceded(multispace1, i32));
    let from = (number(), number(), preceded(multispace0, direction));
    let mut line = (from, steps, many_till(anychar, all_consuming(result)));
    let (rest, ((x, y, (dx, dy)), steps, (_, verdict))) = line.parse(input)?;
    let steps = steps.unwrap_or(1);
    let squares = if (1..10).contains(&steps) && (0..10).contains(&x) && (0..10).contains(&y) {
        square(x, y).zip(square(x + dx * steps, y + dy * steps))
    } else {
        None
    };
    let wrong = || nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify));
    let (from, to) = squares.ok_or_else(wrong)?;
    Ok((rest, Played { action: Action::new(from, to), verdict }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(line: &str) -> String {
        match parse(line) {
            Message::Played(played) => played.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn actions_are_read_with_their_results() {
        for (line, action) in [
            ("0 3 DOWN OK\n", "j4j5"),
            ("9 6 UP OK", "a7a6"),
            ("9 6 UP 3 BOTHDIE 9 9\r\n", "a7xa4=T22"),
            ("1 5 LEFT KILLS 3 8", "i6xj6=W83"),
            ("1 3 LEFT DIES 9 B", "i4xj4=L2B"),
            ("4 4 RIGHT KILLS s 1", "f5xe5=WSM"),
            (" +4  04 RIGHT 1 KILLS 8 B", "f5xe5=W3B"),
            ("8 6 UP \t OK", "b7b6"),
            ("8 6 UP 1 OK KILLS 4 5 OK", "b7b6"),
        ] {
            assert_eq!(heard(line), action, "{line:?}");
        }
    }

    #[test]
    fn other_lines_are_distinguished() {
        assert_eq!(parse("RED ../agents/some_agent 10 10\n"), Message::Side(Side::Red));
        assert_eq!(parse("BLUE x 10 10\r\n"), Message::Side(Side::Blue));
        assert_eq!(parse("START\n"), Message::Start);
        assert_eq!(parse("QUIT ./some.sh RED VICTORY 10 148 126\n"), Message::Quit);
        assert_eq!(parse("QUIT"), Message::Quit);
        let Message::Row(row) = parse("F1s.+#9B8.\n") else { panic!("no row") };
        let ours = [Rank::Flag, Rank::Marshal, Rank::Spy].map(Seen::Ours);
        assert_eq!(row[..3], ours);
        assert_eq!(row[3..6], [Seen::Open, Seen::Lake, Seen::Enemy]);
        assert_eq!(row[6..8], [Seen::Ours(Rank::Scout), Seen::Ours(Rank::Bomb)]);
        for line in [
            "",
            "REDUCED",
            "STARTED",
            "F1s.+#9B8",
            "F1s.+#9B8..",
            "F1S.+#9B8.",
            "0 3 DOWN",
            "0 3 DOWN ILLEGAL",
            "0 3 DOWN VICTORY_FLAG",
            "0 3 SIDEWAYS OK",
            "0 3 DOWN 0 OK",
            "0 3 DOWN -1 OK",
            "0 3 UP 4 OK",
            "2 3 DOWN OK",
            "-1 3 DOWN OK",
            "99999999999 3 DOWN OK",
            "0 3 DOWN KILLS",
            "SURRENDER OK",
            "\u{fffd}\u{0}",
        ] {
            assert_eq!(parse(line), Message::Unknown, "{line:?}");
        }
    }

    #[test]
    fn each_army_stands_as_its_owner_sees_it() {
        let setup: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        let red = "B6FB9B9867\n89585s48BB\n6437994128\n799963B557\n";
        let blue = "755B369997\n8214997346\nBB84s58598\n7689B9BF6B\n";
        assert_eq!(setup_lines(Side::Red, &setup), red);
        assert_eq!(setup_lines(Side::Blue, &setup), blue);
    }

    #[test]
    fn action_lines_read_back() {
        for text in ["a4a5", "e4e5", "j10j1", "f1a1", "a1f1", "b7b6", "i6j6"] {
            let line = action_line(text.parse::<Played>().unwrap().action);
            assert_eq!(heard(&line.replace('\n', " OK\n")), text);
        }
        let line = |text: &str| action_line(text.parse::<Played>().unwrap().action);
        assert_eq!((line("j4j5"), line("a7a4")), ("0 3 DOWN\n".into(), "9 6 UP 3\n".into()));
    }
}
