//! The curve over a game: what was expected of it, or who had more material.

use outflank::engine::{Control, Engine, Request, Settings, Stopwatch};
use outflank::rules::{Action, Played, Rank, Side};
use outflank::search::{Budget, Info, Score};
use outflank_record::points::points;
use outflank_record::{Record, Replay};
use serde::{Deserialize, Serialize};
use std::sync::atomic::AtomicBool;

/// Points of a piece of this rank, for sums that rise and fall.
pub fn points_of(rank: Rank) -> i32 {
    points(rank).cast_signed()
}

/// Steps of a search's line that are kept.
const STEPS: usize = 6;

/// A curve, with a value before the first ply and after each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Curve {
    /// Searches of so many nodes made for the page, each by the side to move with its own knowledge.
    Search {
        /// Nodes of each search.
        nodes: u64,
        /// What each found; none after the end.
        values: Vec<Option<Searched>>,
    },
    /// The points in 1/1000 that the side to move expected of its best action when it played.
    Record {
        /// None where the record has no score.
        values: Vec<Option<u16>>,
    },
    /// Material by the truth: Red's points less Blue's.
    Material {
        /// The differences.
        values: Vec<i32>,
    },
}

/// What a search said of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    /// Win, draw and loss in permille for the side to move.
    pub wdl: [u16; 3],
    /// The line it expected, as `e3e4 j7xj6`.
    pub line: String,
    /// What was played instead, if the search chose another action.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<Other>,
}

/// What was played where the search chose another action, by what the player knew.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    /// Win, draw and loss in permille of what was played.
    pub played: [u16; 3],
    /// The action that the search prefers, as `e3e4` or `j7xj6`.
    pub better: String,
    /// Win, draw and loss of that one.
    pub best: [u16; 3],
    /// What was given away by it, in permille of the points.
    pub cost: u16,
    /// Further actions that a search finds nearly as good as its best, where the cost is worth a question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
}

impl Curve {
    /// The curve that a record can have with searches of so many nodes (0 for none), before any value.
    pub fn new(record: &Record, nodes: u64) -> Curve {
        if nodes > 0 {
            Curve::Search { nodes, values: Vec::new() }
        } else if record.candidates.iter().any(|line| !line.is_empty()) {
            Curve::Record { values: Vec::new() }
        } else {
            Curve::Material { values: Vec::new() }
        }
    }

    /// Adds the value of where the replay stands.
    pub fn add(&mut self, replay: &Replay, record: &Record) {
        match self {
            Curve::Search { nodes, values } => {
                let played = record.moves.get(replay.ply() as usize).map(String::as_str);
                values.push(if replay.is_running() { search(replay, *nodes, played) } else { None });
            }
            Curve::Record { values } => {
                values.push(record.expected(replay.ply() as usize));
            }
            Curve::Material { values } => {
                values.push(material(replay, Side::Red) - material(replay, Side::Blue));
            }
        }
    }
}

/// From so many permille of the points on a cost is looked at again, by a search with so many times the nodes, and the
/// lower one counts: a short search overrates what it prefers.
const DOUBTED: u16 = 10;
const AGAIN: u64 = 4;
/// How many actions are looked at for being nearly as good as the best, and how near in permille of the points.
const LINES: usize = 5;
const ALIKE: u16 = 10;

/// What the side to move makes of its chances, and of those that are left by what it played.
fn search(replay: &Replay, nodes: u64, played: Option<&str>) -> Option<Searched> {
    let side = replay.view(Side::Red).position().to_move();
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let mut line = String::new();
    let mut note = |info: &Info| {
        let steps = info.line_of_play.iter().take(STEPS).map(|step| step.action.text(step.strike));
        line = steps.collect::<Vec<_>>().join(" ");
    };
    let (engine, control) = (replay.player(side), Control::new(clock, stop));
    let choice = engine.search(&budget(nodes).into(), control, &mut note);
    let played = played.and_then(|text| text.parse::<Played>().ok()).map(|played| played.action);
    let other = choice.action.zip(played).filter(|(better, played)| better != played);
    let other = other.and_then(|(better, played)| weigh(engine, played, better, nodes));
    Some(Searched { wdl: shares(choice.score?), line, other })
}

fn budget(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

/// What was given away by what was played.
fn weigh(engine: &Engine, played: Action, better: Action, nodes: u64) -> Option<Other> {
    let mut engine = engine.to_think();
    engine.configure(Settings { lines: 2, ..Settings::default() });
    let first = compare(&engine, played, better, nodes)?;
    if first.cost < DOUBTED {
        return Some(first);
    }
    let second = compare(&engine, played, better, AGAIN * nodes)?;
    let other = if second.cost < first.cost { second } else { first };
    if other.cost < DOUBTED {
        return Some(other);
    }
    engine.configure(Settings { lines: LINES, ..Settings::default() });
    let alike = alike(&engine, &[played, better], nodes);
    Some(Other { alike, ..other })
}

/// Actions that are nearly as good as the best, but for `known` ones.
fn alike(engine: &Engine, known: &[Action], nodes: u64) -> Vec<String> {
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let found = engine.search(&budget(nodes).into(), Control::new(clock, stop), &mut |_| ()).candidates;
    let best = found.iter().map(|one| points_share(one.score)).max().unwrap_or(0);
    let near = found.iter().filter(|one| points_share(one.score) + ALIKE >= best);
    let others = near.map(|one| one.action).filter(|action| !known.contains(action));
    others.map(|action| action_text(engine, action)).collect()
}

/// An action as pages have it, `e3e4` or `j7xj6`.
fn action_text(engine: &Engine, action: Action) -> String {
    action.text(engine.view().position().piece_at(action.to).is_some())
}

/// What two actions are worth, searched beside each other: alone, an action is forced and not looked into.
fn compare(engine: &Engine, played: Action, better: Action, nodes: u64) -> Option<Other> {
    let (clock, stop) = (&Stopwatch::start(), &AtomicBool::new(false));
    let request = Request { budget: budget(nodes), only: vec![better, played] };
    let choice = engine.search(&request, Control::new(clock, stop), &mut |_| ());
    let of = |action| choice.candidates.iter().find(|one| one.action == action).map(|one| one.score);
    let (worse, best) = (of(played)?, of(better)?);
    let cost = points_share(best).saturating_sub(points_share(worse));
    let better = action_text(engine, better);
    Some(Other { played: shares(worse), better, best: shares(best), cost, alike: Vec::new() })
}

/// The share of the points, in permille.
const fn points_share(Score { win, draw, .. }: Score) -> u16 {
    win + draw / 2
}

const fn shares(Score { win, draw, loss }: Score) -> [u16; 3] {
    [win, draw, loss]
}

/// The points of the pieces that a side has on the board; it knows its own ranks.
fn material(replay: &Replay, side: Side) -> i32 {
    let pieces = replay.view(side).position().pieces(side);
    let living = pieces.filter(|(_, piece)| piece.is_alive());
    living.filter_map(|(_, piece)| piece.ranks.single()).map(points_of).sum()
}
