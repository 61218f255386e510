//! The words behind `error`.

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
    /// The reported result contradicts what is known.
    Result,
    /// The strike needs its result.
    ResultNeeded,
    /// Too late: the game has begun.
    Started,
    /// Our setup has not been reported.
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
    /// No world fits what was reported.
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

    /// The word as it stands in a line.
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
