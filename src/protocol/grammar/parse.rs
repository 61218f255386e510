//! Reading a line.
//!
//! The words of a line are taken apart once, here. Blanks are spaces, tabs and the CR of a CRLF; `#` starts a
//! comment; a byte order mark before the first word is skipped.

use crate::protocol::grammar::command::{
    BenchSize, Command, GO_WORDS, GameResult, Go, Pieces, ReportedPly, RuleWord,
};
use crate::protocol::grammar::error::ReadError;
use crate::protocol::grammar::keyword::Keyword;
use crate::protocol::grammar::options::Options;
use nom::branch::alt;
use nom::bytes::complete::{take_while, take_while1};
use nom::combinator::{all_consuming, eof, map, map_opt, not, opt, rest, value, verify};
use nom::error::ErrorKind;
use nom::multi::{fold_many0, many0, many1};
use nom::sequence::{preceded, terminated};
use nom::{IResult, Parser};
use outflank_engine::search::Limits;
use outflank_rules::number::whole_number;
use outflank_rules::rules::{Action, Played, Preset, Rank, RulesError, Ruleset, Setup, Side, Square};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A line that cannot be read, with its command where that much is clear.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Misread {
    /// The command, if its word was read.
    pub keyword: Option<Keyword>,
    /// What is wrong.
    pub error: ReadError,
}

/// What a parser fails with: a word that is wrong in itself, or only words in the wrong place.
#[derive(Clone, Debug)]
enum Fault {
    Shape,
    Word(ReadError),
}

impl nom::error::ParseError<&str> for Fault {
    fn from_error_kind(_: &str, _: ErrorKind) -> Fault {
        Fault::Shape
    }

    fn append(_: &str, _: ErrorKind, other: Fault) -> Fault {
        other
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Fault>;

const fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

/// The words of a line: no byte order mark, no comment, no blanks before the first word.
fn words(line: &str) -> &str {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let line = line.split_once('#').map_or(line, |(before, _)| before);
    line.trim_matches(is_blank)
}

/// The command of a line, as far as its first word tells; blank lines and unknown words have none.
pub(crate) fn keyword(line: &str) -> Option<Keyword> {
    words(line).split(is_blank).next().and_then(Keyword::typed)
}

fn first_word(text: &str) -> String {
    text.split(is_blank).next().unwrap_or_default().to_owned()
}

/// Whether a line is a command that can be read; a blank line is none.
pub fn is_command(line: &str) -> bool {
    matches!(parse(line), Ok(Some(_)))
}

/// Reads a line; `None` if it is blank or all comment.
pub(crate) fn parse(line: &str) -> Result<Option<Command>, Misread> {
    let line = words(line);
    if line.is_empty() {
        return Ok(None);
    }
    let (first, arguments) = line.split_once(is_blank).unwrap_or((line, ""));
    let arguments = arguments.trim_start_matches(is_blank);
    let Some(keyword) = Keyword::typed(first) else {
        let error = ReadError::Unknown { word: first.to_owned(), next: first_word(arguments) };
        return Err(Misread { keyword: None, error });
    };
    match all_consuming(|input| command(keyword, input)).parse(arguments) {
        Ok((_, command)) => Ok(Some(command)),
        Err(nom::Err::Error(Fault::Word(error)) | nom::Err::Failure(Fault::Word(error))) => {
            Err(Misread { keyword: Some(keyword), error })
        }
        Err(_) => Err(Misread { keyword: Some(keyword), error: ReadError::Syntax(keyword) }),
    }
}

fn command(keyword: Keyword, input: &str) -> Parsed<'_, Command> {
    match keyword {
        Keyword::Sei => bare(Command::Sei, input),
        Keyword::IsReady => bare(Command::IsReady, input),
        Keyword::History => bare(Command::History, input),
        Keyword::Status => bare(Command::Status, input),
        Keyword::Stop => bare(Command::Stop, input),
        Keyword::Wait => bare(Command::Wait, input),
        Keyword::Quit => bare(Command::Quit, input),
        Keyword::Legal => bare(Command::Legal, input),
        Keyword::Eval => bare(Command::Eval, input),
        Keyword::SetOption => set_option(input),
        Keyword::Rules => map(rule_words, Command::Rules).parse(input),
        Keyword::NewGame => new_game(input),
        Keyword::Setup => set_up(input),
        Keyword::Position => position(input),
        Keyword::Play => map(many1(played), Command::Play).parse(input),
        Keyword::Undo => {
            let plies = within("undo", 0..=u32::MAX);
            map(opt(plies), |plies| Command::Undo(plies.unwrap_or(1))).parse(input)
        }
        Keyword::Go => map(go, Command::Go).parse(input),
        Keyword::GameOver => game_over(input),
        Keyword::Belief => belief(input),
        Keyword::Draw => draw(input),
        Keyword::Why => {
            let square = map_opt(word, |word| word.parse().ok());
            alt((map(square, Command::ExplainPiece), map(action, Command::ExplainMove))).parse(input)
        }
        Keyword::Perft => map(within("perft", 1..=PERFT_DEPTH), Command::Perft).parse(input),
        Keyword::Bench => bench(input),
        Keyword::Help => help(input),
    }
}

/// The deepest `perft`: the count recurses.
const PERFT_DEPTH: u32 = 32;
/// The most worlds one `belief sample` may ask for.
const MOST_WORLDS: usize = 10_000;

fn bare(command: Command, input: &str) -> Parsed<'_, Command> {
    value(command, eof).parse(input)
}

fn word(input: &str) -> Parsed<'_, &str> {
    terminated(take_while1(|c| !is_blank(c)), take_while(is_blank)).parse(input)
}

fn exact<'a>(text: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Fault> {
    verify(word, move |found: &str| found == text)
}

fn side(input: &str) -> Parsed<'_, Side> {
    let named = |word: &str| Side::BOTH.into_iter().find(|side| side.to_string() == word);
    strict(move |word| named(word).ok_or_else(|| ReadError::Side(word.to_owned()))).parse(input)
}

fn rank(input: &str) -> Parsed<'_, Rank> {
    strict(|word| Rank::from_name(word).ok_or_else(|| ReadError::Rank(word.to_owned()))).parse(input)
}

fn square(input: &str) -> Parsed<'_, Square> {
    strict(|word| word.parse().map_err(|error| ReadError::Square(error, word.to_owned()))).parse(input)
}

/// Succeeds where another word than `text` follows, and takes nothing.
fn unless<'a>(text: &'static str) -> impl Parser<&'a str, Output = (), Error = Fault> {
    not(exact(text))
}

/// A word that must be what `read` reads; anything else ends the reading with the error it gives.
fn strict<'a, T>(
    read: impl Fn(&str) -> Result<T, ReadError>,
) -> impl Parser<&'a str, Output = T, Error = Fault> {
    move |input: &'a str| {
        let (left, word) = word(input)?;
        let read = read(word).map_err(|error| nom::Err::Failure(Fault::Word(error)))?;
        Ok((left, read))
    }
}

fn played(input: &str) -> Parsed<'_, ReportedPly> {
    let read = |word: &str| {
        let played = word.parse().map_err(|_| ReadError::Move(word.to_owned()))?;
        Ok(ReportedPly { played, strike: word.contains(['x', 'X']) })
    };
    strict(read).parse(input)
}

fn action(input: &str) -> Parsed<'_, Action> {
    strict(action_of).parse(input)
}

fn action_of(word: &str) -> Result<Action, ReadError> {
    match word.parse::<Played>() {
        Ok(Played { action, verdict: None }) => Ok(action),
        Ok(Played { verdict: Some(_), .. }) => Err(ReadError::WithResult(word.to_owned())),
        Err(_) => Err(ReadError::Move(word.to_owned())),
    }
}

fn set_up(input: &str) -> Parsed<'_, Command> {
    let auto = map((side, verify(word, |word: &str| word == "auto")), |(side, _)| Command::SetupAuto(side));
    let reported = map((side, setup), |(side, setup)| Command::Setup(side, setup));
    alt((auto, reported)).parse(input)
}

fn setup(input: &str) -> Parsed<'_, Setup> {
    let whole = |text: &str| text.split(is_blank).collect::<String>().parse::<Setup>().is_ok();
    strict(|word| {
        word.parse()
            .map_err(|error| if whole(input) { ReadError::SetupBlanks } else { ReadError::Setup(error) })
    })
    .parse(input)
}

fn set_option(input: &str) -> Parsed<'_, Command> {
    let name = fold_many0(verify(word, |word: &str| word != "value"), String::new, |mut name, word| {
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        name
    });
    let name = verify(name, |name: &str| !name.is_empty());
    let value = map(opt(preceded(exact("value"), rest)), Option::unwrap_or_default);
    map(preceded(exact("name"), (name, value)), |(name, value): (String, &str)| Command::SetOption {
        name,
        value: value.to_owned(),
    })
    .parse(input)
}

fn rule_words(input: &str) -> Parsed<'_, Vec<RuleWord>> {
    many0(strict(|word| match word.split_once('=') {
        Some(("preset", name)) => preset(name),
        Some((key, value)) => check_key(key, value),
        None => preset(word),
    }))
    .parse(input)
}

fn preset(name: &str) -> Result<RuleWord, ReadError> {
    Preset::from_name(name)
        .map(RuleWord::Preset)
        .ok_or_else(|| ReadError::Rules(RulesError::without_value(name, RulesError::Preset)))
}

fn check_key(key: &str, value: &str) -> Result<RuleWord, ReadError> {
    Ruleset::default().set(key, value).map_err(ReadError::Rules)?;
    Ok(RuleWord::Key(key.to_owned(), value.to_owned()))
}

fn new_game(input: &str) -> Parsed<'_, Command> {
    let rules = map(opt(preceded(exact("rules"), rule_words)), Option::unwrap_or_default);
    map((opt(preceded(unless("rules"), side)), rules), |(side, rules)| Command::NewGame { side, rules })
        .parse(input)
}

fn position(input: &str) -> Parsed<'_, Command> {
    let spn = fold_many0(verify(word, |word: &str| word != "moves"), String::new, |mut spn, word| {
        spn.push_str(word);
        spn.push(' ');
        spn
    });
    let moves = map(opt(preceded(exact("moves"), many0(played))), Option::unwrap_or_default);
    map((verify(spn, |spn: &str| !spn.is_empty()), moves), |(spn, moves)| Command::Position { spn, moves })
        .parse(input)
}

fn game_over(input: &str) -> Parsed<'_, Command> {
    let result = map(alt((value(None, exact("draw")), map(side, Some))), GameResult);
    let reveal = opt(preceded(exact("reveal"), word));
    map((result, reveal), |(result, reveal)| Command::GameOver { result, reveal: reveal.map(str::to_owned) })
        .parse(input)
}

fn belief(input: &str) -> Parsed<'_, Command> {
    let worlds = within("sample", 1..=MOST_WORLDS);
    let pieces = alt((
        value(Pieces::All, exact("all")),
        value(Pieces::Ours, exact("ours")),
        value(Pieces::Dead, exact("dead")),
        map(preceded(unless("json"), square), Pieces::On),
    ));
    let pieces = map(opt(pieces), |pieces| pieces.unwrap_or(Pieces::All));
    let json = map(opt(exact("json")), |json| json.is_some());
    alt((
        map(preceded(exact("sample"), worlds), Command::Sample),
        map((pieces, json), |(pieces, json)| Command::Belief { pieces, json }),
    ))
    .parse(input)
}

fn draw(input: &str) -> Parsed<'_, Command> {
    let ours = map(opt(exact("ours")), |ours| ours.is_some());
    let map_of = map((rank, ours), |(rank, ours)| Command::HeatMap { rank, ours });
    map(opt(map_of), |map_of| map_of.unwrap_or(Command::Draw)).parse(input)
}

fn bench(input: &str) -> Parsed<'_, Command> {
    let threads = preceded(exact("threads"), within("threads", 1..=Options::MOST_THREADS));
    let threads = map(opt(threads), |threads| threads.unwrap_or(1));
    let nodes = opt(preceded(unless("threads"), within("bench", 0..=u64::MAX)));
    map((nodes, threads), |(nodes, threads)| Command::Bench(BenchSize { nodes, threads })).parse(input)
}

fn help(input: &str) -> Parsed<'_, Command> {
    let unknown = |word: &str| ReadError::Unknown { word: word.to_owned(), next: String::new() };
    let keyword = strict(move |word| Keyword::typed(word).ok_or_else(|| unknown(word)));
    map(opt(keyword), Command::Help).parse(input)
}

fn go(input: &str) -> Parsed<'_, Go> {
    if let Ok((left, _)) = exact("setup").parse(input) {
        return Ok((left, Go::Setup));
    }
    let (mut limits, mut only, mut left) = (Limits::default(), Vec::new(), input);
    while !left.is_empty() {
        left = go_word(left, &mut limits, &mut only)?;
    }
    Ok((left, Go::Action { limits, only }))
}

/// Reads one limit and notes it; returns what is left of the line.
fn go_word<'a>(
    input: &'a str,
    limits: &mut Limits,
    only: &mut Vec<Action>,
) -> Result<&'a str, nom::Err<Fault>> {
    let (left, name) = word(input)?;
    if left.is_empty() && GO_WORDS.contains(&name) {
        return Err(nom::Err::Failure(Fault::Word(ReadError::NothingBehind(name.to_owned()))));
    }
    match name {
        "infinite" => {
            limits.infinite = true;
            Ok(left)
        }
        "movetime" => note(within("movetime", 0..=u64::MAX), left, |time| {
            limits.movetime = Some(Duration::from_millis(time));
        }),
        "nodes" => note(within("nodes", 0..=u64::MAX), left, |nodes| limits.nodes = Some(nodes)),
        "depth" => note(within("depth", 0..=u32::MAX), left, |depth| limits.depth = Some(depth)),
        "rtime" => note(clock("rtime"), left, |time| limits.time[Side::Red] = Some(time)),
        "btime" => note(clock("btime"), left, |time| limits.time[Side::Blue] = Some(time)),
        "rinc" => note(time("rinc"), left, |time| limits.increment[Side::Red] = time),
        "binc" => note(time("binc"), left, |time| limits.increment[Side::Blue] = time),
        "searchmoves" => {
            let list = (action, many0(listed));
            note(list, left, |(first, others)| only.extend([first].into_iter().chain(others)))
        }
        _ => Err(nom::Err::Failure(Fault::Word(ReadError::GoWord(name.to_owned())))),
    }
}

fn note<'a, T>(
    mut parser: impl Parser<&'a str, Output = T, Error = Fault>,
    input: &'a str,
    store: impl FnOnce(T),
) -> Result<&'a str, nom::Err<Fault>> {
    let (left, read) = parser.parse(input)?;
    store(read);
    Ok(left)
}

/// The number that `name` takes, in this range. Where no word follows, an `opt` around it takes none.
fn within<'a, T: FromStr + PartialOrd + Copy + TryInto<u64>>(
    name: &'static str,
    range: RangeInclusive<T>,
) -> impl Parser<&'a str, Output = T, Error = Fault> {
    let bound = |value: &T| (*value).try_into().unwrap_or(u64::MAX);
    let (least, most) = (bound(range.start()), bound(range.end()));
    strict(move |word| {
        whole_number(word).filter(|value| range.contains(value)).ok_or_else(|| ReadError::Number {
            name,
            least,
            most,
            word: word.to_owned(),
        })
    })
}

/// One more of `searchmoves`; a word that is no move ends the list.
fn listed(input: &str) -> Parsed<'_, Action> {
    map_opt(word, |word| action_of(word).ok()).parse(input)
}

fn time<'a>(name: &'static str) -> impl Parser<&'a str, Output = Duration, Error = Fault> {
    map(within(name, 0..=u64::MAX), Duration::from_millis)
}

/// Remaining time; below zero (the flag has fallen, the host is lenient) reads as none left.
fn clock<'a>(name: &'static str) -> impl Parser<&'a str, Output = Duration, Error = Fault> {
    let overdrawn = map_opt(word, |word| word.strip_prefix('-').and_then(whole_number::<u64>));
    alt((value(Duration::ZERO, overdrawn), time(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    #[test]
    fn blanks_and_comments_do_not_matter() {
        for line in ["undo 3", "\u{feff}undo 3", "  undo\t \t3  \r", "undo 3# three", "undo 3 # 4"] {
            assert_eq!(read(line), Command::Undo(3), "{line:?}");
            assert_eq!(keyword(line), Some(Keyword::Undo));
        }
        assert_eq!((read("exit"), keyword("exit")), (Command::Quit, Some(Keyword::Quit)));
        for line in ["", " \t\r", "# undo 3", "\u{feff}"] {
            assert_eq!(parse(line), Ok(None));
            assert_eq!(keyword(line), None);
        }
    }

    #[test]
    fn a_go_takes_its_limits_in_any_order() {
        let Command::Go(Go::Action { limits, only }) =
            read("go searchmoves a4a5 e4xe5 depth 3 btime -7 nodes 9 infinite rinc 2 movetime 1")
        else {
            panic!("no go");
        };
        assert_eq!(only.len(), 2);
        assert_eq!((limits.depth, limits.nodes, limits.infinite), (Some(3), Some(9), true));
        assert_eq!(limits.time.into_array(), [None, Some(Duration::ZERO)]);
        assert_eq!(limits.increment[Side::Red], Duration::from_millis(2));
        assert_eq!(limits.movetime, Some(Duration::from_millis(1)));
    }

    #[test]
    fn what_is_wrong_with_a_line_is_reported_with_its_command() {
        let fault = |line: &str| parse(line).unwrap_err();
        assert_eq!(fault("play a4a5 a4").error, ReadError::Move("a4".to_owned()));
        assert_eq!(fault("play a4a5 a4").keyword, Some(Keyword::Play));
        assert_eq!(fault("go nodes").error, ReadError::NothingBehind("nodes".to_owned()));
        assert_eq!(fault("go nodes 5 infinit").error, ReadError::GoWord("infinit".to_owned()));
        assert_eq!(fault("go searchmoves zz").error, ReadError::Move("zz".to_owned()));
        for (name, most, word) in [
            ("depth", u64::from(u32::MAX), "-1"),
            ("nodes", u64::MAX, "+1"),
            ("nodes", u64::MAX, "99999999999999999999"),
            ("movetime", u64::MAX, "1.5"),
        ] {
            let error = ReadError::Number { name, least: 0, most, word: word.to_owned() };
            assert_eq!(fault(&format!("go {name} {word}")).error, error);
        }
        assert_eq!(fault("why e4xe5=W95").error, ReadError::WithResult("e4xe5=W95".to_owned()));
        assert_eq!(fault("fly").keyword, None);
    }

    #[test]
    fn names_and_values_of_options_may_have_blanks() {
        let option = |name: &str, value: &str| Command::SetOption { name: name.into(), value: value.into() };
        assert_eq!(read("setoption name Move  Overhead value a  b"), option("Move Overhead", "a  b"));
        assert_eq!(read("setoption name Clear"), option("Clear", ""));
    }
}
