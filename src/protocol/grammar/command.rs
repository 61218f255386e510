//! Commands as they are after reading: nothing later looks at the line again.

use crate::protocol::grammar::keyword::Keyword;
use outflank_engine::search::Limits;
use outflank_rules::rules::{Action, Played, Preset, Rank, Setup, Side, Square};
use std::fmt;

/// The words of `go` that something has to follow.
pub(crate) const GO_WORDS: [&str; 8] =
    ["movetime", "nodes", "depth", "rtime", "btime", "rinc", "binc", "searchmoves"];

/// One step of a `rules` line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum RuleWord {
    /// Resets every key to the preset's.
    Preset(Preset),
    /// Sets one key.
    Key(String, String),
}

/// A ply as the host tells it.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct ReportedPly {
    /// The ply, with its result if that was reported.
    pub(crate) played: Played,
    /// Whether an `x` says that it is a strike.
    pub(crate) strike: bool,
}

/// What a `go` asks for.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Go {
    /// A setup.
    Setup,
    /// An action.
    Action {
        /// When to end.
        limits: Limits,
        /// The actions to consider, or none for all.
        only: Vec<Action>,
    },
}

/// Which pieces a `belief` is about.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Pieces {
    /// The one on a square.
    On(Square),
    /// Every hidden enemy piece, then the unknown dead.
    All,
    /// Our pieces as the enemy may see them.
    Ours,
    /// The unknown dead of the enemy.
    Dead,
}

/// How much `bench` measures.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct BenchSize {
    /// Nodes for each action, unless it is the usual number.
    pub nodes: Option<u64>,
    /// Threads to search on; only one gives equal signatures.
    pub threads: usize,
}

/// How a game ended: who won, nobody in a draw.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct GameResult(pub Option<Side>);

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(side) => side.fmt(f),
            None => f.write_str("draw"),
        }
    }
}

/// One line of the host.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Command {
    /// `sei`
    Sei,
    /// `isready`
    IsReady,
    /// `setoption name <n> [value <v>]`
    SetOption {
        /// Which option.
        name: String,
        /// The option's value; empty where none was given.
        value: String,
    },
    /// `rules [<preset>] [key=value ...]`; prints when nothing follows.
    Rules(Vec<RuleWord>),
    /// `newgame [red|blue] [rules ...]`
    NewGame {
        /// Our side, where it is given.
        side: Option<Side>,
        /// Changes to the rules.
        rules: Vec<RuleWord>,
    },
    /// `setup red|blue <40|?>`
    Setup(Side, Setup),
    /// `setup red|blue auto`
    SetupAuto(Side),
    /// `position <SPN> [moves ...]`
    Position {
        /// The text of the position.
        spn: String,
        /// What was played from there.
        moves: Vec<ReportedPly>,
    },
    /// `play <mv> ...`
    Play(Vec<ReportedPly>),
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
        /// Who won, if anybody.
        result: GameResult,
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
    HeatMap {
        /// Of which rank.
        rank: Rank,
        /// Whether it is about our pieces as the enemy may see them.
        ours: bool,
    },
    /// `eval`
    Eval,
    /// `why <mv>`
    ExplainMove(Action),
    /// `why <square>`
    ExplainPiece(Square),
    /// `perft <n>`
    Perft(u32),
    /// `bench [<nodes>] [threads <n>]`
    Bench(BenchSize),
    /// `help [<cmd>]`
    Help(Option<Keyword>),
}

impl Command {
    /// The word that its line begins with.
    pub(crate) const fn keyword(&self) -> Keyword {
        match self {
            Command::Sei => Keyword::Sei,
            Command::IsReady => Keyword::IsReady,
            Command::SetOption { .. } => Keyword::SetOption,
            Command::Rules(_) => Keyword::Rules,
            Command::NewGame { .. } => Keyword::NewGame,
            Command::Setup(..) | Command::SetupAuto(_) => Keyword::Setup,
            Command::Position { .. } => Keyword::Position,
            Command::Play(_) => Keyword::Play,
            Command::Undo(_) => Keyword::Undo,
            Command::History => Keyword::History,
            Command::Status => Keyword::Status,
            Command::Go(_) => Keyword::Go,
            Command::Stop => Keyword::Stop,
            Command::Wait => Keyword::Wait,
            Command::Quit => Keyword::Quit,
            Command::GameOver { .. } => Keyword::GameOver,
            Command::Belief { .. } | Command::Sample(_) => Keyword::Belief,
            Command::Legal => Keyword::Legal,
            Command::Draw | Command::HeatMap { .. } => Keyword::Draw,
            Command::Eval => Keyword::Eval,
            Command::ExplainMove(_) | Command::ExplainPiece(_) => Keyword::Why,
            Command::Perft(_) => Keyword::Perft,
            Command::Bench(_) => Keyword::Bench,
            Command::Help(_) => Keyword::Help,
        }
    }
}
