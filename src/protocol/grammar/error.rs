//! What can be wrong with a line, one type for each family of commands.

use crate::protocol::grammar::code::Code;
use crate::protocol::grammar::command::{GO_WORDS, GameResult};
use crate::protocol::grammar::help;
use crate::protocol::grammar::keyword::Keyword;
use crate::protocol::grammar::option_name::OptionName;
use crate::protocol::grammar::suggestion::{Suggestion, nearest};
use outflank_engine::search::OutOfMemory;
use outflank_rules::rules::{
    Ending, NoRescue, NoSquare, PlayError, Rank, Repetition, RulesError, SetupError, Side, SpnError, Square,
};
use std::fmt;

/// A line that cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum ReadError {
    /// Longer than [`LINE_LIMIT`](crate::protocol::LINE_LIMIT).
    TooLong,
    /// Not UTF-8.
    Encoding,
    /// No such command.
    Unknown {
        /// What was typed in its place.
        word: String,
        /// The word behind it, if there is one.
        next: String,
    },
    /// The words do not fit the command.
    Syntax(Keyword),
    /// No number that is taken there.
    Number {
        /// The command, or its word, that takes one.
        name: &'static str,
        /// The least that it takes.
        least: u64,
        /// The most that it takes.
        most: u64,
        /// What stands there.
        word: String,
    },
    /// Nothing follows this word of `go`.
    NothingBehind(String),
    /// No limit of `go`.
    GoWord(String),
    /// No colour.
    Side(String),
    /// No rank.
    Rank(String),
    /// No square, and why.
    Square(NoSquare, String),
    /// The word is no move.
    Move(String),
    /// The move has a result, where only the move itself is meant.
    WithResult(String),
    /// The setup cannot be read.
    Setup(SetupError),
    /// The setup is whole but for the blanks in it.
    SetupBlanks,
    /// No preset has this name.
    Rules(RulesError),
}

impl ReadError {
    const fn code(&self) -> Code {
        match self {
            ReadError::TooLong => Code::TooLong,
            ReadError::Encoding => Code::Encoding,
            ReadError::Unknown { .. } => Code::Unknown,
            ReadError::Syntax(_)
            | ReadError::Number { .. }
            | ReadError::NothingBehind(_)
            | ReadError::GoWord(_)
            | ReadError::Side(_)
            | ReadError::Rank(_)
            | ReadError::Square(..) => Code::Syntax,
            ReadError::Move(_) | ReadError::WithResult(_) => Code::Move,
            ReadError::Setup(_) | ReadError::SetupBlanks => Code::Setup,
            ReadError::Rules(_) => Code::Rules,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::TooLong => f.write_str("the line is over 1 MiB"),
            ReadError::Encoding => f.write_str("the line is not text"),
            ReadError::Unknown { word, next } => no_command(word, next, f),
            ReadError::Syntax(keyword) => write!(f, "usage: {}", help::topic(*keyword).usage),
            ReadError::Number { name, least: 0, most, word } => {
                write!(f, "{name} takes a whole number up to {most}, not {}", quoted(word))
            }
            ReadError::Number { name, least, most, word } => {
                write!(f, "{name} takes a whole number from {least} to {most}, not {}", quoted(word))
            }
            ReadError::NothingBehind(word) if word == "searchmoves" => {
                f.write_str("searchmoves takes moves, and none follows")
            }
            ReadError::NothingBehind(word) => write!(f, "{word} takes a whole number, and none follows"),
            ReadError::GoWord(word) => no_limit(word, f),
            ReadError::Side(word) => write!(f, "{} is no colour; there are red and blue", quoted(word)),
            ReadError::Rank(word) => no_rank(word, f),
            ReadError::Square(NoSquare::Lake, word) => write!(f, "{} is part of a lake", quoted(word)),
            ReadError::Square(NoSquare::Shape, word) => {
                write!(f, "{} is no square; squares are a1 to j10", quoted(word))
            }
            ReadError::Move(word) => no_move(word, f),
            ReadError::WithResult(word) => {
                write!(f, "{} has a result; the move alone is meant", quoted(word))
            }
            ReadError::Setup(error) => error.fmt(f),
            ReadError::SetupBlanks => f.write_str("a setup is one word: no blanks between its characters"),
            ReadError::Rules(error) => error.fmt(f),
        }
    }
}

/// A `setoption` that is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The option is followed by something else than `value`.
    NoValue(OptionName),
    /// The option does not take this value.
    Value(OptionName),
    /// The memory that the option asks for cannot be had.
    Memory(OptionName, OutOfMemory),
}

impl OptionError {
    const fn code(&self) -> Code {
        match self {
            OptionError::Unknown(_) | OptionError::NoValue(_) => Code::Option,
            OptionError::Value(_) | OptionError::Memory(..) => Code::Value,
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => {
                let names = OptionName::ALL.map(OptionName::name).join(", ");
                write!(f, "no option is called {}; there are {names}", quoted(name))
            }
            OptionError::NoValue(name) => {
                write!(f, "the word value is missing, as in setoption name {} value ...", name.name())
            }
            OptionError::Value(name) => write!(f, "{} takes {}", name.name(), name.takes()),
            OptionError::Memory(name, error) => write!(f, "{}: {error}", name.name()),
        }
    }
}

/// A change of the game that is refused; the game stays as it was.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum GameError {
    /// Rules and setups are fixed once the game has begun.
    Started,
    /// The rules cannot be played.
    Rules(RulesError),
    /// The setup does not fit the army.
    Setup(Side, SetupError),
    /// Our own setup hides a rank.
    OwnSetup(Side),
    /// The position cannot be read.
    Position(SpnError),
    /// A move of a list fails: which one, counted from 1, its text, and why.
    Play(usize, String, PlayError),
    /// No army would be left that fits after a move of a list: which one, counted from 1, and its text.
    Army(usize, String),
    /// No army fits the position.
    World,
    /// A move of a list would break a repetition rule for our side.
    Repetition(usize, String, Repetition),
    /// Our setup is not reported, or not where the enemy stands.
    NoSetup(MissingSetup),
    /// The host said that the game is over.
    Closed,
    /// So many plies were made here.
    Undo(usize),
}

impl GameError {
    const fn code(&self) -> Code {
        match self {
            GameError::Started => Code::Started,
            GameError::Rules(_) | GameError::Position(SpnError::Rules(_)) => Code::Rules,
            GameError::Setup(..) | GameError::OwnSetup(_) => Code::Setup,
            GameError::Position(_) => Code::Position,
            GameError::Play(_, _, error) => play_code(*error),
            GameError::Army(..) => Code::Result,
            GameError::World => Code::World,
            GameError::Repetition(..) => Code::Repetition,
            GameError::NoSetup(_) => Code::NoSetup,
            GameError::Closed => Code::GameOver,
            GameError::Undo(_) => Code::Undo,
        }
    }
}

const fn play_code(error: PlayError) -> Code {
    match error {
        PlayError::GameOver => Code::GameOver,
        PlayError::Result
        | PlayError::NoStrike(_)
        | PlayError::OtherRank(..)
        | PlayError::OtherOutcome(..) => Code::Result,
        PlayError::ResultNeeded | PlayError::WinnerNeeded => Code::ResultNeeded,
        PlayError::NoPiece(_)
        | PlayError::NotYours(_)
        | PlayError::Immobile(_)
        | PlayError::Reach
        | PlayError::OwnPiece(_)
        | PlayError::Rescue(_) => Code::Illegal,
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Started => f.write_str("only before the first ply; newgame clears the board"),
            GameError::Rules(error) => error.fmt(f),
            GameError::Setup(side, error) => write!(f, "{side}: {error}"),
            GameError::OwnSetup(side) => write!(f, "{side}: our own army takes no ?"),
            GameError::Position(error) => error.fmt(f),
            GameError::Play(number, text, error) => write!(f, "move {number}, {text}: {error}"),
            GameError::Army(number, text) => {
                write!(f, "move {number}, {text}: no army would be left that fits")
            }
            GameError::World => AskError::World.fmt(f),
            GameError::Repetition(number, text, rule) => {
                write!(f, "move {number}, {text}: it breaks the rule {}", rule.name())
            }
            GameError::NoSetup(untold) => untold.fmt(f),
            GameError::Closed => AskError::Closed.fmt(f),
            GameError::Undo(made) => write!(f, "only {made} plies can be taken back"),
        }
    }
}

/// What a game lacks before it can begin.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum MissingSetup {
    /// Our setup.
    Ours,
    /// The ranks of our setup, as nothing but hidden pieces were reported.
    Ranks,
    /// Where the enemy stands: its army does not fill its four rows.
    Squares,
}

impl fmt::Display for MissingSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MissingSetup::Ours => "our setup has not been told; setup red auto, say, chooses one",
            MissingSetup::Ranks => "our setup has been told without ranks",
            MissingSetup::Squares => {
                "the enemy's squares have not been told, as barrage needs: setup with ? and ."
            }
        })
    }
}

/// A question that has no answer here.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum AskError {
    /// Our setup is not reported, or not where the enemy stands.
    NoSetup(MissingSetup),
    /// The enemy is to move.
    NotOurTurn(Side),
    /// The game is over.
    GameOver(Ending),
    /// The host said that the game is over.
    Closed,
    /// The game may not be the host's.
    Desynced,
    /// The answer needs ranks that are hidden from us.
    Hidden,
    /// The side to move is one whose ranks are hidden from us.
    HiddenMover(Side),
    /// No piece stands there.
    Empty(Square),
    /// The host has reported another outcome before.
    OtherResult(GameResult),
    /// The move is not legal.
    Illegal(String),
    /// The move's rescue cannot be made so.
    Rescue(NoRescue),
    /// The revealed board has another piece, or none, on this square.
    Reveal(Square),
    /// The revealed board and the dead are no army of this side.
    RevealCounts(Side),
    /// The revealed board cannot be read.
    Board(SpnError),
    /// No world fits what was reported.
    World,
}

impl AskError {
    const fn code(&self) -> Code {
        match self {
            AskError::NoSetup(_) => Code::NoSetup,
            AskError::NotOurTurn(_) => Code::NotOurTurn,
            AskError::GameOver(_) | AskError::Closed | AskError::OtherResult(_) => Code::GameOver,
            AskError::Desynced => Code::Desynced,
            AskError::Hidden | AskError::HiddenMover(_) => Code::Hidden,
            AskError::Empty(_) => Code::Empty,
            AskError::Illegal(_) | AskError::Rescue(_) => Code::Illegal,
            AskError::Reveal(_) | AskError::RevealCounts(_) | AskError::Board(_) => Code::Reveal,
            AskError::World => Code::World,
        }
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::NoSetup(untold) => untold.fmt(f),
            AskError::NotOurTurn(side) => write!(f, "{side} is to move"),
            AskError::GameOver(ending) => write!(f, "the game is over: {ending}"),
            AskError::Closed => f.write_str("the game is over: the host said so; undo 0 takes that back"),
            AskError::OtherResult(result) => {
                write!(f, "the host has told before: {result}; undo 0 takes that back")
            }
            AskError::Desynced => {
                f.write_str("an earlier line failed; send position, newgame, or undo 0 if all is well")
            }
            AskError::Hidden => f.write_str("the answer depends on ranks that are hidden from us"),
            AskError::HiddenMover(side) => {
                write!(f, "it is {side}'s turn, and {side}'s ranks are hidden from us")
            }
            AskError::Empty(square) => write!(f, "no piece stands on {square}"),
            AskError::Illegal(text) => write!(f, "{text} is not legal here"),
            AskError::Rescue(error) => error.fmt(f),
            AskError::RevealCounts(side) => {
                write!(f, "the revealed board and the dead are no army of {side}")
            }
            AskError::Reveal(square) => write!(f, "the revealed board is not this game's at {square}"),
            AskError::Board(error) => error.fmt(f),
            AskError::World => f.write_str("no army fits everything that was told"),
        }
    }
}

/// Why a line is answered by `error`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum CommandError {
    /// The text cannot be read.
    Read(ReadError),
    /// The option is refused.
    Option(OptionError),
    /// The game cannot be changed so.
    Game(GameError),
    /// The question has no answer.
    Ask(AskError),
    /// A fault of the engine; what was going on.
    Internal(&'static str),
}

impl CommandError {
    /// The word a host may decide on.
    pub(crate) const fn code(&self) -> Code {
        match self {
            CommandError::Read(error) => error.code(),
            CommandError::Option(error) => error.code(),
            CommandError::Game(error) => error.code(),
            CommandError::Ask(error) => error.code(),
            CommandError::Internal(_) => Code::Internal,
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommandError::Read(error) => error.fmt(f),
            CommandError::Option(error) => error.fmt(f),
            CommandError::Game(error) => error.fmt(f),
            CommandError::Ask(error) => error.fmt(f),
            CommandError::Internal(what) => write!(f, "a fault of the engine while {what}; the game is kept"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<ReadError> for CommandError {
    fn from(error: ReadError) -> CommandError {
        CommandError::Read(error)
    }
}

impl From<OptionError> for CommandError {
    fn from(error: OptionError) -> CommandError {
        CommandError::Option(error)
    }
}

impl From<GameError> for CommandError {
    fn from(error: GameError) -> CommandError {
        CommandError::Game(error)
    }
}

impl From<AskError> for CommandError {
    fn from(error: AskError) -> CommandError {
        CommandError::Ask(error)
    }
}

/// What is wrong with a word that should be a move: a square in a lake, or its shape.
fn no_move(word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_lake = |name: &&str| name.parse::<Square>() == Err(NoSquare::Lake);
    let lake = word
        .split_inclusive(|c: char| c.is_ascii_digit())
        .map(|part| {
            part.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).trim_start_matches(['x', 'X'])
        })
        .find(is_lake);
    match lake {
        Some(square) => write!(f, "{} is no move: {square} is part of a lake", quoted(word)),
        None => write!(f, "{} is no move; moves look like a4a5, e4xe5 and e4xe5=W95", quoted(word)),
    }
}

fn no_command(word: &str, next: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "no command is called {}; ", quoted(word))?;
    match Suggestion::of(word, next) {
        Some(meant) => write!(f, "did you mean {meant}?"),
        None => f.write_str("try help"),
    }
}

fn no_limit(word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "go takes no {}", quoted(word))?;
    match nearest(word, &[&GO_WORDS[..], &["infinite", "setup"]].concat()) {
        Some(meant) => write!(f, "; did you mean {meant}?"),
        None => write!(f, "; usage: {}", help::topic(Keyword::Go).usage),
    }
}

fn no_rank(word: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{} is no rank; ", quoted(word))?;
    match nearest(word, &Rank::ALL.map(Rank::name)).filter(|_| word.len() > 1) {
        Some(meant) => write!(f, "did you mean {meant}?"),
        None => f.write_str("ranks are F, S, 2 to 9, M and B"),
    }
}

/// Part of a line as it may be repeated in an answer: short and ASCII.
fn quoted(word: &str) -> String {
    const SHOWN: usize = 40;
    let mut text: String = word.chars().take(SHOWN).flat_map(char::escape_default).collect();
    if word.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    format!("\"{text}\"")
}
