//! What can be wrong with a line, one type for each family of commands.

use super::command::Keyword;
use crate::rules::{
    Ending, PlayError, Repetition, RulesError, SetupError, Side, SpnError, Square,
};
use std::fmt;

/// The first word after `error`: what a host may decide on. The text behind it is for people.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Code {
    /// No command has this name.
    Unknown,
    /// The words do not fit the command.
    Syntax,
    /// The line is not text.
    Encoding,
    /// The line is too long.
    TooLong,
    /// No option has this name.
    Option,
    /// The option does not take this value.
    Value,
    /// A rule or preset is unknown, or takes another value.
    Rules,
    /// The setup cannot be read or does not fit the army.
    Setup,
    /// The position cannot be read.
    Position,
    /// The text is no move.
    Move,
    /// The move cannot be made.
    Illegal,
    /// Our own move would break a repetition rule.
    Repetition,
    /// The told result contradicts what is known.
    Result,
    /// The strike needs its result.
    ResultNeeded,
    /// Too late: the game has begun.
    Started,
    /// Our setup has not been told.
    NoSetup,
    /// The enemy is to move.
    NotOurTurn,
    /// The game is over.
    GameOver,
    /// An earlier line failed, so the game may not be the host's.
    Desynced,
    /// The answer would need ranks that are hidden.
    Hidden,
    /// No piece stands there.
    Empty,
    /// Fewer plies were made than are to be taken back.
    Undo,
    /// The revealed board is not this game's.
    Reveal,
    /// No world fits what was told.
    World,
    /// A fault of the engine.
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: [Code; 25] = [
        Code::Unknown,
        Code::Syntax,
        Code::Encoding,
        Code::TooLong,
        Code::Option,
        Code::Value,
        Code::Rules,
        Code::Setup,
        Code::Position,
        Code::Move,
        Code::Illegal,
        Code::Repetition,
        Code::Result,
        Code::ResultNeeded,
        Code::Started,
        Code::NoSetup,
        Code::NotOurTurn,
        Code::GameOver,
        Code::Desynced,
        Code::Hidden,
        Code::Empty,
        Code::Undo,
        Code::Reveal,
        Code::World,
        Code::Internal,
    ];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Unknown => "unknown",
            Code::Syntax => "syntax",
            Code::Encoding => "encoding",
            Code::TooLong => "too-long",
            Code::Option => "option",
            Code::Value => "value",
            Code::Rules => "rules",
            Code::Setup => "setup",
            Code::Position => "position",
            Code::Move => "move",
            Code::Illegal => "illegal",
            Code::Repetition => "repetition",
            Code::Result => "result",
            Code::ResultNeeded => "result-needed",
            Code::Started => "started",
            Code::NoSetup => "no-setup",
            Code::NotOurTurn => "not-our-turn",
            Code::GameOver => "game-over",
            Code::Desynced => "desynced",
            Code::Hidden => "hidden",
            Code::Empty => "empty",
            Code::Undo => "undo",
            Code::Reveal => "reveal",
            Code::World => "world",
            Code::Internal => "internal",
        }
    }
}

/// A line that cannot be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ReadError {
    /// Longer than [`super::LINE_LIMIT`].
    TooLong,
    /// Not UTF-8.
    Encoding,
    /// No such command.
    Unknown(String),
    /// The words do not fit the command.
    Syntax(Keyword),
    /// The word is no move.
    Move(String),
    /// The setup cannot be read.
    Setup(SetupError),
    /// No preset has this name.
    Rules(RulesError),
}

impl ReadError {
    const fn code(&self) -> Code {
        match self {
            ReadError::TooLong => Code::TooLong,
            ReadError::Encoding => Code::Encoding,
            ReadError::Unknown(_) => Code::Unknown,
            ReadError::Syntax(_) => Code::Syntax,
            ReadError::Move(_) => Code::Move,
            ReadError::Setup(_) => Code::Setup,
            ReadError::Rules(_) => Code::Rules,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::TooLong => f.write_str("the line is over 1 MiB"),
            ReadError::Encoding => f.write_str("the line is not text"),
            ReadError::Unknown(word) => write!(f, "no command is called {}; try help", quoted(word)),
            ReadError::Syntax(keyword) => write!(f, "usage: {}", keyword.usage()),
            ReadError::Move(word) => write!(f, "{} is no move", quoted(word)),
            ReadError::Setup(error) => error.fmt(f),
            ReadError::Rules(error) => error.fmt(f),
        }
    }
}

/// A `setoption` that is refused.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum OptionError {
    /// No option has this name.
    Unknown(String),
    /// The option does not take this value; what it takes.
    Value(&'static str, &'static str),
}

impl OptionError {
    const fn code(&self) -> Code {
        match self {
            OptionError::Unknown(_) => Code::Option,
            OptionError::Value(..) => Code::Value,
        }
    }
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "no option is called {}", quoted(name)),
            OptionError::Value(name, takes) => write!(f, "{name} takes {takes}"),
        }
    }
}

/// A change of the game that is refused; the game stays as it was.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum GameError {
    /// Rules and setups are fixed once the game has begun.
    Started,
    /// The rules cannot be played.
    Rules(RulesError),
    /// The setup does not fit the army.
    Setup(Side, SetupError),
    /// The position cannot be read.
    Position(SpnError),
    /// A move of a list fails: which one, counted from 1, its text, and why.
    Play(usize, String, PlayError),
    /// A move of a list would break a repetition rule for our side.
    Repetition(usize, String, Repetition),
    /// Our setup is not told.
    NoSetup,
    /// The game is over.
    GameOver(String),
    /// So many plies were made here.
    Undo(usize),
}

impl GameError {
    const fn code(&self) -> Code {
        match self {
            GameError::Started => Code::Started,
            GameError::Rules(_) => Code::Rules,
            GameError::Setup(..) => Code::Setup,
            GameError::Position(_) => Code::Position,
            GameError::Play(_, _, error) => play_code(*error),
            GameError::Repetition(..) => Code::Repetition,
            GameError::NoSetup => Code::NoSetup,
            GameError::GameOver(_) => Code::GameOver,
            GameError::Undo(_) => Code::Undo,
        }
    }
}

const fn play_code(error: PlayError) -> Code {
    match error {
        PlayError::GameOver => Code::GameOver,
        PlayError::Result => Code::Result,
        PlayError::ResultNeeded => Code::ResultNeeded,
        PlayError::NoPiece(_)
        | PlayError::NotYours(_)
        | PlayError::Immobile(_)
        | PlayError::Reach
        | PlayError::OwnPiece(_)
        | PlayError::Rescue => Code::Illegal,
    }
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Started => f.write_str("only before the first ply; newgame clears the board"),
            GameError::Rules(error) => error.fmt(f),
            GameError::Setup(side, error) => write!(f, "{side}: {error}"),
            GameError::Position(error) => error.fmt(f),
            GameError::Play(number, text, error) => write!(f, "move {number}, {text}: {error}"),
            GameError::Repetition(number, text, rule) => {
                write!(f, "move {number}, {text}: it breaks the rule {}", rule.name())
            }
            GameError::NoSetup => f.write_str("our setup has not been told"),
            GameError::GameOver(how) => write!(f, "the game is over: {how}"),
            GameError::Undo(made) => write!(f, "only {made} plies can be taken back"),
        }
    }
}

/// A question that has no answer here.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum AskError {
    /// Our setup is not told.
    NoSetup,
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
    /// No piece stands there.
    Empty(Square),
    /// The move is not legal.
    Illegal(String),
    /// The revealed board has another piece, or none, on this square.
    Reveal(Square),
    /// The revealed board cannot be read.
    Board(SpnError),
    /// No world fits what was told.
    World,
}

impl AskError {
    const fn code(&self) -> Code {
        match self {
            AskError::NoSetup => Code::NoSetup,
            AskError::NotOurTurn(_) => Code::NotOurTurn,
            AskError::GameOver(_) | AskError::Closed => Code::GameOver,
            AskError::Desynced => Code::Desynced,
            AskError::Hidden => Code::Hidden,
            AskError::Empty(_) => Code::Empty,
            AskError::Illegal(_) => Code::Illegal,
            AskError::Reveal(_) | AskError::Board(_) => Code::Reveal,
            AskError::World => Code::World,
        }
    }
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AskError::NoSetup => f.write_str("our setup has not been told"),
            AskError::NotOurTurn(side) => write!(f, "{side} is to move"),
            AskError::GameOver(ending) => write!(f, "the game is over: {ending}"),
            AskError::Closed => f.write_str("the game is over: the host said so"),
            AskError::Desynced => {
                f.write_str("an earlier line failed; send position, newgame, or undo 0 if all is well")
            }
            AskError::Hidden => f.write_str("the answer depends on ranks that are hidden from us"),
            AskError::Empty(square) => write!(f, "no piece stands on {square}"),
            AskError::Illegal(text) => write!(f, "{text} is not legal here"),
            AskError::Reveal(square) => write!(f, "the revealed board is not this game's at {square}"),
            AskError::Board(error) => error.fmt(f),
            AskError::World => f.write_str("no army fits everything that was told"),
        }
    }
}

/// Why a line is answered by `error`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CommandError {
    /// It cannot be read.
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
    pub const fn code(&self) -> Code {
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

/// Part of a line as it may be repeated in an answer: short and ASCII.
fn quoted(word: &str) -> String {
    const SHOWN: usize = 40;
    let mut text: String = word.chars().take(SHOWN).flat_map(char::escape_default).collect();
    if word.chars().nth(SHOWN).is_some() {
        text.push_str("...");
    }
    format!("\"{text}\"")
}
