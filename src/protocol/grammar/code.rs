//! The words behind `error`.

use outflank_rules::named_enum::named_enum;

named_enum! {
    /// The first word after `error`: what a host may decide on. The text behind it is for people.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Code {
        /// No command has this name.
        Unknown = "unknown",
        /// The words do not fit the command.
        Syntax = "syntax",
        /// The line is not text.
        Encoding = "encoding",
        /// The line is too long.
        TooLong = "too-long",
        /// No option has this name.
        Option = "option",
        /// The option does not take this value.
        Value = "value",
        /// A rule or preset is unknown, or takes another value.
        Rules = "rules",
        /// The setup cannot be read or does not fit the army.
        Setup = "setup",
        /// The position cannot be read.
        Position = "position",
        /// The text is no move.
        Move = "move",
        /// The move cannot be made.
        Illegal = "illegal",
        /// Our own move would break a repetition rule.
        Repetition = "repetition",
        /// The reported result contradicts what is known.
        Result = "result",
        /// The strike needs its result.
        ResultNeeded = "result-needed",
        /// Too late: the game has begun.
        Started = "started",
        /// Our setup has not been reported.
        NoSetup = "no-setup",
        /// The enemy is to move.
        NotOurTurn = "not-our-turn",
        /// The game is over.
        GameOver = "game-over",
        /// An earlier line failed, so the game may not be the host's.
        Desynced = "desynced",
        /// The answer would need ranks that are hidden.
        Hidden = "hidden",
        /// No piece stands there.
        Empty = "empty",
        /// Fewer plies were made than are to be taken back.
        Undo = "undo",
        /// The revealed board is not this game's.
        Reveal = "reveal",
        /// No world fits what was reported.
        World = "world",
        /// A fault of the engine.
        Internal = "internal",
    }
}
