//! The first words of lines.

/// The first word of a line.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Keyword {
    /// Names the engine and its options.
    Sei,
    /// Asks whether all earlier lines are answered.
    IsReady,
    /// Sets an option.
    SetOption,
    /// Chooses or prints the rule system.
    Rules,
    /// Clears the game.
    NewGame,
    /// Tells an army.
    Setup,
    /// Tells a whole position.
    Position,
    /// Tells what was played.
    Play,
    /// Takes plies back.
    Undo,
    /// Prints the plies.
    History,
    /// Prints the state.
    Status,
    /// Starts to think.
    Go,
    /// Ends the thinking.
    Stop,
    /// Holds later lines while thinking.
    Wait,
    /// Ends the program.
    Quit,
    /// Tells how the game ended.
    GameOver,
    /// Asks what hidden pieces may be.
    Belief,
    /// Asks for the legal moves.
    Legal,
    /// Draws the board.
    Draw,
    /// Asks for the evaluation.
    Eval,
    /// Asks about one move.
    Why,
    /// Counts sequences of plies.
    Perft,
    /// Measures the engine.
    Bench,
    /// Teaches the protocol.
    Help,
}

impl Keyword {
    /// Every command, in the order of the manual.
    pub const ALL: [Keyword; 24] = [
        Keyword::Sei,
        Keyword::IsReady,
        Keyword::SetOption,
        Keyword::Rules,
        Keyword::NewGame,
        Keyword::Setup,
        Keyword::Position,
        Keyword::Play,
        Keyword::Undo,
        Keyword::History,
        Keyword::Status,
        Keyword::Go,
        Keyword::Stop,
        Keyword::Wait,
        Keyword::Quit,
        Keyword::GameOver,
        Keyword::Belief,
        Keyword::Legal,
        Keyword::Draw,
        Keyword::Eval,
        Keyword::Why,
        Keyword::Perft,
        Keyword::Bench,
        Keyword::Help,
    ];

    /// The word as it stands in a line.
    pub const fn name(self) -> &'static str {
        match self {
            Keyword::Sei => "sei",
            Keyword::IsReady => "isready",
            Keyword::SetOption => "setoption",
            Keyword::Rules => "rules",
            Keyword::NewGame => "newgame",
            Keyword::Setup => "setup",
            Keyword::Position => "position",
            Keyword::Play => "play",
            Keyword::Undo => "undo",
            Keyword::History => "history",
            Keyword::Status => "status",
            Keyword::Go => "go",
            Keyword::Stop => "stop",
            Keyword::Wait => "wait",
            Keyword::Quit => "quit",
            Keyword::GameOver => "gameover",
            Keyword::Belief => "belief",
            Keyword::Legal => "legal",
            Keyword::Draw => "d",
            Keyword::Eval => "eval",
            Keyword::Why => "why",
            Keyword::Perft => "perft",
            Keyword::Bench => "bench",
            Keyword::Help => "help",
        }
    }

    /// The command of that name.
    pub fn from_name(name: &str) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|keyword| keyword.name() == name)
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
