//! What a person types at a turn.

use outflank::protocol::for_people;
use outflank::rules::{Action, NoSquare, Played, Rank, Square};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A line at a person's turn.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Command {
    /// `a4a5`, `a4 a5`, `a4-a5`, `a4xa5`; `b9b10+5@c2` with a rescue.
    Move(Action),
    /// `board`, or nothing.
    Board,
    /// `hint`
    Hint,
    /// `why a6`
    Why(Square),
    /// `belief a6`, or `belief` for every hidden piece that has moved.
    Belief(Option<Square>),
    /// `map 9`
    Map(Rank),
    /// `legal`, `legal a4`
    Legal(Option<Square>),
    /// `moves`
    Moves,
    /// `losses`
    Losses,
    /// `undo`
    Undo,
    /// `save FILE`
    Save(PathBuf),
    /// `load FILE`
    Load(PathBuf),
    /// `resign`
    Resign,
    /// `rules`
    Rules,
    /// `help`
    Help,
    /// `quit`
    Quit,
}

/// The words that commands begin with.
pub const WORDS: [&str; 15] = [
    "board", "hint", "why", "belief", "map", "legal", "moves", "losses", "undo", "save", "load", "resign",
    "rules", "help", "quit",
];

/// What `help` prints.
pub const HELP: &str =
    "  a4a5, a4 a5       move or strike; b9b10+5@c2 also brings a captured 5 back on c2 (rule rescue)
  hint              what the engine would do if it knew what you know
  why a6            why the piece on a6 is believed to be what it is
  belief [a6]       what it may be; without a square: each hidden piece that has moved
  map 9             where the enemy's general may be, in percent
  legal [a4]        your legal moves, or those of one piece
  moves             the moves so far
  losses            what both sides have lost
  board             draw the board again
  undo              take back your last move and the answer to it
  save FILE         save the game; it can be loaded again
  load FILE         go on with a saved game instead
  rules             the rules in force
  help              these lines
  resign, quit      give up; leave, with the game saved";

/// The question for the rules, with what each is about.
pub const RULES: &str =
    "The rules: 1961, vassal, gameboard, wiki, isf, gravon or evaluator, and keys as in isf barrage=on?
  1961       the oldest: no strike from afar, defenders move up
  vassal     five times to and fro; all mobile pieces lost loses
  gameboard  a newer box: not a third time to and fro
  wiki       the same, and no endless chase
  isf        tournaments: three times, and no endless chase
  gravon     five times, and no endless chase
  evaluator  an arena of programs: repeat as you like
  barrage=on small armies of eight pieces
  silent=on  who strikes does not see the defender's rank
  rescue=on  the enemy's back row brings a piece back
  quiet=100  a draw after 100 plies without a strike";

/// The question for the level, with whom each is for.
pub const LEVELS: &str = "The engine's level, from 1 to 20?
   1  a first opponent
   4  for beginners
   8  for casual players
  12  for club players
  16  strong
  20  full strength";

/// A line that is no command, with what to tell the person.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Misread(pub String);

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misread {}

impl FromStr for Command {
    type Err = Misread;

    fn from_str(line: &str) -> Result<Command, Misread> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let alone = |command| if rest.is_empty() { Ok(command) } else { Err(too_much(word)) };
        match word.to_ascii_lowercase().as_str() {
            "" | "board" => alone(Command::Board),
            "hint" => alone(Command::Hint),
            "moves" => alone(Command::Moves),
            "losses" => alone(Command::Losses),
            "undo" => alone(Command::Undo),
            "resign" => alone(Command::Resign),
            "rules" => alone(Command::Rules),
            "help" | "?" => alone(Command::Help),
            "quit" | "exit" => alone(Command::Quit),
            "why" => square(rest).map(Command::Why),
            "belief" => optional_square(rest).map(Command::Belief),
            "legal" => optional_square(rest).map(Command::Legal),
            "map" => rank(rest).map(Command::Map),
            "save" => file(word, rest).map(Command::Save),
            "load" => file(word, rest).map(Command::Load),
            _ => action(line).map(Command::Move),
        }
    }
}

fn too_much(word: &str) -> Misread {
    Misread(format!("{word} stands alone on its line."))
}

/// What was typed, as far as it helps to see it again.
fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?} ...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Reads a square.
///
/// # Errors
/// If the text names none.
pub fn square(text: &str) -> Result<Square, Misread> {
    let error = || match text {
        "" => Misread("Which square? a1 to j10, without the lakes.".to_owned()),
        _ => Misread(format!("{} is no square: a1 to j10, without the lakes.", quoted(text))),
    };
    text.parse().map_err(|_| error())
}

fn optional_square(text: &str) -> Result<Option<Square>, Misread> {
    if text.is_empty() { Ok(None) } else { square(text).map(Some) }
}

/// A rank by its letter or name.
fn rank(text: &str) -> Result<Rank, Misread> {
    let error = || match text {
        "" => Misread("Which rank? F S 2 3 4 5 6 7 8 9 M B.".to_owned()),
        _ => Misread(format!("{} is no rank: F S 2 3 4 5 6 7 8 9 M B.", quoted(text))),
    };
    Rank::from_name(text).ok_or_else(error)
}

fn file(word: &str, name: &str) -> Result<PathBuf, Misread> {
    if name.is_empty() { Err(Misread(format!("{word} needs the name of a file."))) } else { Ok(name.into()) }
}

/// What to tell of two squares of which one lies in a lake; `None` of anything else.
fn lake(text: &str) -> Option<String> {
    let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
    let (from, to) = text.split_at(second);
    let is_lake = |half: &&str| half.parse::<Square>() == Err(NoSquare::Lake);
    let is_square = |half: &str| half.parse::<Square>().is_ok() || is_lake(&half);
    let lies = [to, from].into_iter().find(is_lake)?;
    (is_square(from) && is_square(to)).then(|| format!("{lies} is a lake: no piece goes there."))
}

fn action(line: &str) -> Result<Action, Misread> {
    let text: String = line.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
    match text.parse::<Played>() {
        Ok(Played { action, verdict: None }) => Ok(action),
        Ok(_) => {
            Err(Misread("The result of a strike is the referee's to tell: type the squares only.".to_owned()))
        }
        Err(_) => Err(Misread(lake(&text).unwrap_or_else(|| no_command(line)))),
    }
}

/// What to tell of a line that is nothing, with the command that may have been meant.
fn no_command(line: &str) -> String {
    let word = line.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    let meant =
        for_people::nearest(&word, &WORDS).map_or_else(String::new, |name| format!(" did you mean {name}?"));
    let help = if meant.is_empty() { " type help." } else { " Or type help." };
    format!("{} is neither a move, as a4a5, nor a command;{meant}{help}", quoted(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_in_every_usual_form() {
        let wanted = Command::Move(Action::new("a4".parse().unwrap(), "a5".parse().unwrap()));
        for line in ["a4a5", " a4 a5 ", "A4-A5", "a4xa5", "a4 x a5"] {
            assert_eq!(line.parse::<Command>(), Ok(wanted.clone()), "{line}");
        }
        let rescue = "b9 b10+5@c2".parse::<Command>().unwrap();
        assert!(matches!(rescue, Command::Move(Action { rescue: Some(_), .. })));
    }

    #[test]
    fn every_word_begins_a_command_and_has_its_line_in_the_help() {
        for word in WORDS {
            let line = match word {
                "why" => "why a6".to_owned(),
                "map" => "map general".to_owned(),
                "save" | "load" => format!("{word} my game.jsonl"),
                _ => word.to_owned(),
            };
            assert!(line.parse::<Command>().is_ok(), "{line}");
            assert!(HELP.contains(word), "{word}");
        }
    }

    #[test]
    fn a_mistyped_command_is_answered_with_the_one_that_was_meant() {
        for (line, meant) in
            [("hnit", "hint"), ("BELEIF a6", "belief"), ("los", "losses"), ("laod x.jsonl", "load")]
        {
            let Err(Misread(error)) = line.parse::<Command>() else { panic!("{line}") };
            assert!(error.contains(&format!("; did you mean {meant}? Or type help.")), "{error}");
        }
        for line in ["castle", "a6a5x", "42"] {
            let Err(Misread(error)) = line.parse::<Command>() else { panic!("{line}") };
            assert!(error.ends_with("nor a command; type help."), "{error}");
        }
    }

    #[test]
    fn a_long_line_is_not_repeated_in_full() {
        for line in ["\u{e9}".repeat(5000), format!("why {}", "x".repeat(5000))] {
            let Err(Misread(error)) = line.parse::<Command>() else { panic!("{line}") };
            assert!(error.chars().count() < 150, "{error}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line() {
        for line in [
            "a4", "a4a5=W95", "why", "why c5", "map 1", "map", "legal x", "hint a4", "save", "castle", "é4a5",
        ] {
            let Err(Misread(error)) = line.parse::<Command>() else { panic!("{line}") };
            assert!(!error.contains('\n') && error.ends_with('.'), "{error}");
        }
    }
}
