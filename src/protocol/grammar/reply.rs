//! Answers, one value for each line.

use crate::protocol::grammar::error::CommandError;
use crate::protocol::grammar::option_name::OptionName;
use outflank_engine::belief::{RankProbabilities, parts_per_million};
use outflank_engine::search::{Info, Score};
use outflank_rules::rules::{Ending, Outcome, Played, Rank, Repetition, Ruleset, Setup, Side, Spn, Square};
use std::fmt;
use std::time::Duration;

/// The protocol's version.
pub const PROTOCOL: u32 = 1;

/// An enemy move that breaks only a repetition rule.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Warning {
    /// The move's text.
    pub text: String,
    /// The rule.
    pub rule: Repetition,
}

/// Where a piece of a belief stands.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) enum Place {
    /// On the board.
    On(Square),
    /// Among the unknown dead, counted from 1.
    Dead(usize),
}

/// What is believed of one piece.
#[derive(Clone, Debug)]
pub(crate) struct Believed {
    /// Where it stands.
    pub place: Place,
    /// Whether it has moved.
    pub moved: bool,
    /// What it may be.
    pub probabilities: RankProbabilities,
}

/// The state of the session in one line.
#[derive(Clone, Debug)]
pub(crate) struct Status {
    /// Whether it thinks.
    pub thinking: bool,
    /// Plies made.
    pub ply: u32,
    /// Whose turn it is.
    pub turn: Side,
    /// `red`, `blue`, `both` or `none`.
    pub ours: &'static str,
    /// Whether an earlier line failed.
    pub desynced: bool,
    /// The seed of this session.
    pub seed: u64,
    /// How the game ended: by the board, or because the host said so.
    pub ending: Option<Ending>,
    /// Whether the host said that the game is over.
    pub closed: bool,
}

/// How a `go` ends.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Best {
    /// The action's text.
    Action(String),
    /// We give up.
    Resign,
    /// There is no action, or none can be asked for.
    None,
}

/// A count of sequences of plies.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub(crate) struct Count {
    /// Plies.
    pub depth: u32,
    /// Sequences.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// Whether it was broken off.
    pub stopped: bool,
}

/// One answer; most are one line, drawings and JSON-free lists come as one reply for each line.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// `id name`, `id version` and `protocol`; whose name.
    Identity(&'static str),
    /// `option name ...`
    Option(OptionName),
    /// `seiok`
    SeiOk,
    /// `readyok`
    ReadyOk,
    /// `rules preset=...`
    Rules(Ruleset),
    /// `undo <n> ply <p> turn <side>`
    Undone(u32, u32, Side),
    /// `history <mv> ...`
    History(Vec<Played>),
    /// `status ...`
    Status(Status),
    /// `info depth ...`; the flag says whether several lines were asked for.
    Info(Box<Info>, bool),
    /// `info string ...`
    Remark(String),
    /// `bestmove ...`
    BestMove(Best),
    /// `bestsetup <40>`
    BestSetup(Setup),
    /// `belief <sq> ...`
    Belief(Believed),
    /// `belief json [...]`
    BeliefJson(Vec<Believed>),
    /// `world <sq>=<rank> ...`
    World(Vec<(Place, Rank)>),
    /// `legal <mv> ...`
    Legal(Vec<String>),
    /// `eval <name> <value>`
    Eval(&'static str, i32),
    /// `why ...`
    Why(String),
    /// `perft ...`
    Perft(Count),
    /// `bench ...`
    Bench(String),
    /// A line for people: two blanks and the text.
    Drawn(String),
    /// `spn <SPN>`
    Spn(Box<Spn>),
    /// `error <code> <text>`
    Error(CommandError),
    /// `warning repetition <mv> ...`
    Warning(Warning),
}

/// Longest text behind an error code, in characters.
const ERROR_TEXT: usize = 200;

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Identity(name) => {
                writeln!(f, "id name {name}")?;
                writeln!(f, "id version {}", env!("CARGO_PKG_VERSION"))?;
                write!(f, "protocol {PROTOCOL}")
            }
            Reply::Option(option) => option.fmt(f),
            Reply::SeiOk => f.write_str("seiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Rules(rules) => write!(f, "rules {rules}"),
            Reply::Undone(plies, ply, turn) => write!(f, "undo {plies} ply {ply} turn {turn}"),
            Reply::History(plies) => write_list(f, "history", plies),
            Reply::Status(status) => status.fmt(f),
            Reply::Info(info, several) => write_info(f, info, *several),
            Reply::Remark(text) => write!(f, "info string {text}"),
            Reply::BestMove(Best::Action(text)) => write!(f, "bestmove {text}"),
            Reply::BestMove(Best::Resign) => f.write_str("bestmove resign"),
            Reply::BestMove(Best::None) => f.write_str("bestmove none"),
            Reply::BestSetup(setup) => write!(f, "bestsetup {setup}"),
            Reply::Belief(believed) => believed.fmt(f),
            Reply::BeliefJson(pieces) => write_json(f, pieces),
            Reply::World(ranks) => {
                f.write_str("world")?;
                ranks.iter().try_for_each(|(place, rank)| write!(f, " {place}={rank}"))
            }
            Reply::Legal(moves) => write_list(f, "legal", moves),
            Reply::Eval(name, value) => write!(f, "eval {name} {value}"),
            Reply::Why(text) => write!(f, "why {text}"),
            Reply::Perft(count) => count.fmt(f),
            Reply::Bench(text) => write!(f, "bench {text}"),
            Reply::Drawn(text) => write!(f, "  {text}"),
            Reply::Spn(spn) => write!(f, "spn {spn}"),
            Reply::Error(error) => {
                write!(f, "error {} {}", error.code().name(), one_line(&error.to_string()))
            }
            Reply::Warning(warning) => {
                write!(f, "warning repetition {} breaks the rule {}", warning.text, warning.rule.name())
            }
        }
    }
}

/// Keeps an answer one short ASCII line, whatever words of the host it repeats.
fn one_line(text: &str) -> String {
    let plain = |c: char| c.is_ascii() && !c.is_ascii_control();
    let mut line = String::new();
    for c in text.chars().take(ERROR_TEXT) {
        if plain(c) { line.push(c) } else { line.extend(c.escape_default()) }
    }
    line
}

fn write_list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, word: &str, list: &[T]) -> fmt::Result {
    f.write_str(word)?;
    list.iter().try_for_each(|item| write!(f, " {item}"))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::On(square) => square.fmt(f),
            Place::Dead(number) => write!(f, "dead{number}"),
        }
    }
}

impl fmt::Display for Believed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "belief {} {}", self.place, if self.moved { "moved" } else { "still" })?;
        let parts = parts_per_million(&self.probabilities);
        Rank::ALL.into_iter().try_for_each(|rank| write!(f, " {rank} {}", parts[rank]))
    }
}

fn write_json(f: &mut fmt::Formatter<'_>, pieces: &[Believed]) -> fmt::Result {
    f.write_str("belief json [")?;
    for (index, believed) in pieces.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(f, "{comma}{{\"at\":\"{}\",\"moved\":{},\"ppm\":{{", believed.place, believed.moved)?;
        let parts = parts_per_million(&believed.probabilities);
        for rank in Rank::ALL {
            let comma = if rank == Rank::Flag { "" } else { "," };
            write!(f, "{comma}\"{rank}\":{}", parts[rank])?;
        }
        f.write_str("}}")?;
    }
    f.write_str("]")
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = if self.thinking { "thinking" } else { "idle" };
        let desync = if self.desynced { "on" } else { "off" };
        write!(f, "status {doing} ply {} turn {} ours {}", self.ply, self.turn, self.ours)?;
        write!(f, " desync {desync} seed {} ending ", self.seed)?;
        match (self.ending, self.closed) {
            (Some(ending), _) => ending.fmt(f),
            (None, true) => f.write_str("told"),
            (None, false) => f.write_str("none"),
        }
    }
}

/// Nodes a second; the whole count when no time has passed.
pub(crate) fn rate(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
}

fn write_info(f: &mut fmt::Formatter<'_>, info: &Info, several: bool) -> fmt::Result {
    write!(f, "info depth {}", info.depth)?;
    if several {
        write!(f, " multipv {}", info.line)?;
    }
    write!(f, " time {} nodes {}", info.time.as_millis(), info.nodes)?;
    write!(f, " nps {} {}", rate(info.nodes, info.time), wdl(info.score))?;
    if let Some(worlds) = info.worlds {
        write!(f, " worlds {worlds}")?;
    }
    f.write_str(" pv")?;
    info.line_of_play.iter().try_for_each(|step| write!(f, " {}", step.action.text(step.strike)))
}

/// `wdl <win> <draw> <loss>`, in permille.
pub(crate) fn wdl(score: Score) -> String {
    format!("wdl {} {} {}", score.win, score.draw, score.loss)
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, nps) = (self.nodes, rate(self.nodes, self.time));
        write!(f, "perft {} nodes {nodes} time {} nps {nps}", self.depth, self.time.as_millis())?;
        if self.stopped { f.write_str(" stopped") } else { Ok(()) }
    }
}

/// The word for an outcome in explanations.
pub(crate) const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win => "win",
        Outcome::Loss => "loss",
        Outcome::Tie => "tie",
    }
}
