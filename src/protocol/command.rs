//! Commands as they are after reading: nothing later looks at the line again.

use super::bench::Extent;
use super::help;
use crate::rules::{Action, Played, Preset, Rank, Setup, Side, Square};
use crate::search::Limits;

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

    /// The word on the wire.
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

    /// How the command is written.
    pub const fn usage(self) -> &'static str {
        help::topic(self).usage
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

/// One step of a `rules` line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum RuleWord {
    /// Resets every key to the preset's.
    Preset(Preset),
    /// Sets one key.
    Key(String, String),
}

/// What a `go` asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Go {
    /// A setup.
    Setup,
    /// An action: when to end, and the actions to consider, or none for all.
    Action(Limits, Vec<Action>),
}

/// Which pieces a `belief` is about.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(super) enum Pieces {
    /// The one on a square.
    On(Square),
    /// Every hidden enemy piece, then the unknown dead.
    All,
    /// Our pieces as the enemy may see them.
    Ours,
    /// The unknown dead of the enemy.
    Dead,
}

/// One line of the host.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Command {
    /// `sei`
    Sei,
    /// `isready`
    IsReady,
    /// `setoption name <n> [value <v>]`
    SetOption {
        /// Which option.
        name: String,
        /// Its value; empty where none was told.
        value: String,
    },
    /// `rules [<preset>] [key=value ...]`; prints when nothing follows.
    Rules(Vec<RuleWord>),
    /// `newgame [red|blue] [rules ...]`
    NewGame {
        /// Our side, where it is told.
        side: Option<Side>,
        /// Changes to the rules.
        rules: Vec<RuleWord>,
    },
    /// `setup red|blue <40|?>`
    Setup(Side, Setup),
    /// `position <SPN> [moves ...]`
    Position {
        /// The text of the position.
        spn: String,
        /// What was played from there.
        moves: Vec<Played>,
    },
    /// `play <mv> ...`
    Play(Vec<Played>),
    /// `undo [n]`
    Undo(u32),
    /// `history`
    History,
    /// `status`
    Status,
    /// `go ...`
    Go(Go),
    /// `stop`
    Stop,
    /// `wait`
    Wait,
    /// `quit`
    Quit,
    /// `gameover red|blue|draw [reveal <board>]`
    GameOver {
        /// The winner; `None` is a draw.
        winner: Option<Side>,
        /// The board with every rank, in SPN.
        reveal: Option<String>,
    },
    /// `belief [...] [json]`
    Belief {
        /// Which pieces.
        pieces: Pieces,
        /// Whether the answer is one line of JSON.
        json: bool,
    },
    /// `belief sample <n>`
    Sample(usize),
    /// `legal`
    Legal,
    /// `d`
    Draw,
    /// `d <rank> [ours]`
    Map {
        /// Of which rank.
        rank: Rank,
        /// Whether it is about our pieces as the enemy may see them.
        ours: bool,
    },
    /// `eval`
    Eval,
    /// `why <mv>`
    Why(Action),
    /// `why <square>`
    Suspect(Square),
    /// `perft <n>`
    Perft(u32),
    /// `bench [<nodes>] [threads <n>]`
    Bench(Extent),
    /// `help [<cmd>]`
    Help(Option<Keyword>),
}
