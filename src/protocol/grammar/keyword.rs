//! The first words of lines.

use outflank_rules::named_enum::named_enum;

named_enum! {
    /// The first word of a line.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Keyword (exactly) {
        /// Names the engine and its options.
        Sei = "sei",
        /// Asks whether all earlier lines are answered.
        IsReady = "isready",
        /// Sets an option.
        SetOption = "setoption",
        /// Chooses or prints the rule system.
        Rules = "rules",
        /// Clears the game.
        NewGame = "newgame",
        /// Tells an army.
        Setup = "setup",
        /// Tells a whole position.
        Position = "position",
        /// Tells what was played.
        Play = "play",
        /// Takes plies back.
        Undo = "undo",
        /// Prints the plies.
        History = "history",
        /// Prints the state.
        Status = "status",
        /// Starts to think.
        Go = "go",
        /// Ends the thinking.
        Stop = "stop",
        /// Holds later lines while thinking.
        Wait = "wait",
        /// Ends the program.
        Quit = "quit",
        /// Tells how the game ended.
        GameOver = "gameover",
        /// Asks what hidden pieces may be.
        Belief = "belief",
        /// Asks for the legal moves.
        Legal = "legal",
        /// Draws the board.
        Draw = "d",
        /// Asks for the evaluation.
        Eval = "eval",
        /// Asks about one move.
        Why = "why",
        /// Counts sequences of plies.
        Perft = "perft",
        /// Measures the engine.
        Bench = "bench",
        /// Teaches the protocol.
        Help = "help",
    }
}

impl Keyword {
    /// The keyword that a line begins with: its name, or `exit`, by which people leave other programs.
    pub fn typed(word: &str) -> Option<Keyword> {
        Keyword::from_name(word).or_else(|| (word == "exit").then_some(Keyword::Quit))
    }

    /// Whether the line is taken at once, even behind `wait`.
    pub const fn is_urgent(self) -> bool {
        matches!(self, Keyword::IsReady | Keyword::Stop | Keyword::Status | Keyword::Quit)
    }

    /// Whether the line ends a search in progress: it changes what is thought about, or needs the thinker.
    pub const fn interrupts(self) -> bool {
        match self {
            Keyword::SetOption
            | Keyword::Rules
            | Keyword::NewGame
            | Keyword::Setup
            | Keyword::Position
            | Keyword::Play
            | Keyword::Undo
            | Keyword::Go
            | Keyword::GameOver
            | Keyword::Why
            | Keyword::Perft
            | Keyword::Bench => true,
            Keyword::Sei
            | Keyword::IsReady
            | Keyword::History
            | Keyword::Status
            | Keyword::Stop
            | Keyword::Wait
            | Keyword::Quit
            | Keyword::Belief
            | Keyword::Legal
            | Keyword::Draw
            | Keyword::Eval
            | Keyword::Help => false,
        }
    }
}
