//! What decided recorded games: material lost and how, the fate of the top pieces, leads and what became of them.
//!
//! [`game`] replays a record and keeps its strikes and what became of each piece; [`army`] is one side's share of it,
//! with what it lost ([`loss`]). The [`Report`] adds armies up player by player: one JSON object, and by
//! [`std::fmt::Display`] tables for people.

pub mod army;
pub mod command;
pub mod game;
pub mod loss;
mod sections;
mod tables;

use crate::figures::Spread;
use army::Score;
use outflank::rules::Rank;
use outflank_record::EndReason;
use serde::Serialize;
use std::collections::BTreeMap;

/// The top pieces whose fate is reported.
pub const TOP: [Rank; 5] = [Rank::Marshal, Rank::General, Rank::Colonel, Rank::Major, Rank::Spy];
/// The pieces whose first reveal is reported.
pub const REVEALED: [Rank; 3] = [Rank::Marshal, Rank::General, Rank::Colonel];

/// The expected score, in thousandths, from which on a game counts as thought won.
pub const WINNING: u16 = 850;

/// What was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Question {
    /// The files of records.
    pub files: Vec<String>,
    /// Games in them.
    pub games: u64,
    /// Players that the figures are about; empty for everybody.
    pub about: Vec<String>,
}

/// The whole answer.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was asked.
    #[serde(flatten)]
    pub question: Question,
    /// What pieces are worth here.
    pub points: BTreeMap<char, u32>,
    /// The players by name.
    pub players: Vec<PlayerReport>,
}

/// One figure over all games of a player, and over those that it won, drew, lost.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct ByGames<T> {
    /// All games.
    pub all: T,
    /// Games won.
    pub won: T,
    /// Games drawn.
    pub drawn: T,
    /// Games lost.
    pub lost: T,
}

impl<T> ByGames<T> {
    /// What `figure` says of the games with these scores.
    pub(crate) fn of(figure: impl Fn(&[Score]) -> T) -> ByGames<T> {
        ByGames {
            all: figure(&Score::ALL),
            won: figure(&[Score::Won]),
            drawn: figure(&[Score::Drawn]),
            lost: figure(&[Score::Lost]),
        }
    }
}

/// One player's games.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerReport {
    /// Its name.
    pub name: String,
    /// How its games went.
    pub games: GamesReport,
    /// What it lost, kind by kind; the last is all of them.
    pub losses: Vec<LossReport>,
    /// What it took.
    pub taken: ByGames<Taken>,
    /// What became of its top pieces.
    pub fates: Vec<FateReport>,
    /// How its top pieces became known.
    pub reveals: Vec<RevealReport>,
    /// What became of its leads, the smallest first.
    pub leads: Vec<LeadReport>,
    /// How what it expected to score came out, the lowest first; empty if it did not say.
    pub expectations: Vec<ExpectationReport>,
    /// How what it expected changed from turn to turn, by what was done; empty if it did not say.
    pub changes: Vec<ChangeReport>,
    /// What became of games that it thought won.
    pub conversion: Option<ConversionReport>,
}

/// How games went.
#[derive(Clone, Debug, Serialize)]
pub struct GamesReport {
    /// Games played.
    pub games: usize,
    /// Games won.
    pub won: usize,
    /// Games drawn.
    pub drawn: usize,
    /// Games lost.
    pub lost: usize,
    /// Why they ended.
    pub endings: Vec<EndingReport>,
    /// Their plies.
    pub plies: Spread,
    /// Strikes in them, of both sides.
    pub strikes: usize,
    /// Plies for each strike.
    pub plies_a_strike: Option<f64>,
}

/// A way in which games ended.
#[derive(Clone, Debug, Serialize)]
pub struct EndingReport {
    /// `won`, `drawn` or `lost`.
    pub score: &'static str,
    /// The reason.
    pub reason: EndReason,
    /// How many games.
    pub games: usize,
}

/// What was lost in one way.
#[derive(Clone, Debug, Serialize)]
pub struct LossReport {
    /// The kind of event.
    pub kind: &'static str,
    /// The figures.
    #[serde(flatten)]
    pub games: ByGames<Lost>,
}

/// Pieces lost.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Lost {
    /// How many.
    pub count: usize,
    /// Their points.
    pub points: u64,
    /// Points a game.
    pub a_game: Option<f64>,
    /// What the enemy paid in the same exchanges.
    pub paid: u64,
    /// That a game.
    pub paid_a_game: Option<f64>,
}

/// Pieces taken.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Taken {
    /// How many.
    pub count: usize,
    /// Their points.
    pub points: u64,
    /// Points a game.
    pub a_game: Option<f64>,
}

/// What became of the pieces of one rank.
#[derive(Clone, Debug, Serialize)]
pub struct FateReport {
    /// The rank.
    pub rank: char,
    /// How many there were.
    pub pieces: usize,
    /// How many lived to the end.
    pub lived: usize,
    /// Their share.
    pub lived_share: Option<f64>,
    /// The plies in which the others fell.
    pub fell: Spread,
    /// What took them, most first.
    pub takers: Vec<TakerReport>,
    /// The plies with which they were first known.
    pub revealed: Spread,
    /// Points that one took before it was known and in the strike that showed it.
    pub took_until: Option<f64>,
    /// Points that one took afterwards.
    pub took_after: Option<f64>,
}

/// What took pieces of one rank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TakerReport {
    /// The rank of the enemy's piece.
    pub rank: char,
    /// Whether that was known.
    pub known: bool,
    /// Whether the piece fell by its own strike.
    pub own: bool,
    /// How many it took.
    pub count: usize,
}

/// How pieces of one rank became known.
#[derive(Clone, Debug, Serialize)]
pub struct RevealReport {
    /// The rank.
    pub rank: char,
    /// What revealed them.
    pub way: &'static str,
    /// How many.
    pub count: usize,
    /// Their share among the pieces of the rank.
    pub share: Option<f64>,
    /// In which plies.
    pub plies: Spread,
    /// How many took something by it.
    pub earning: usize,
    /// Points that one took by it.
    pub earned: Option<f64>,
    /// Points that one took afterwards.
    pub after: Option<f64>,
    /// Points lost with it, then or later.
    pub lost: Option<f64>,
    /// All three together.
    pub net: Option<f64>,
}

/// What became of leads.
#[derive(Clone, Debug, Serialize)]
pub struct LeadReport {
    /// By how much, in percent of the starting material.
    pub percent: u32,
    /// Games in which there was one.
    pub games: usize,
    /// Of these, won.
    pub won: usize,
    /// Drawn.
    pub drawn: usize,
    /// Lost.
    pub lost: usize,
    /// The plies in which they began.
    pub began: Spread,
    /// Plies from there to the end, of games won.
    pub to_win: Spread,
    /// Miners that lived then, a lead.
    pub miners: Option<f64>,
    /// Those of them that never moved or struck afterwards, a lead.
    pub idle: Option<f64>,
}

/// Plies with which a player expected about the same score.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExpectationReport {
    /// Between these scores, in percent.
    pub percent: (usize, usize),
    /// How many plies.
    pub plies: u64,
    /// In how many games.
    pub games: usize,
    /// The mean of what was expected.
    pub expected: Option<f64>,
    /// The mean of what those games brought, ply by ply.
    pub scored: Option<f64>,
}

/// How what a player expected to score changed from one turn to its next, by what was done in between.
///
/// Whoever expects what comes true sees no change on average. Where strikes make it fall, they promise too much.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChangeReport {
    /// What was done.
    pub kind: &'static str,
    /// In how many turns.
    pub turns: usize,
    /// That a game.
    pub turns_a_game: Option<f64>,
    /// The mean change.
    pub change: Option<f64>,
    /// Its standard error.
    pub error: Option<f64>,
    /// The change of all such turns of a game together.
    pub a_game: Option<f64>,
}

/// Games in which a player once expected [`WINNING`] or more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConversionReport {
    /// How many games.
    pub games: usize,
    /// Of these, won.
    pub won: usize,
    /// Drawn.
    pub drawn: usize,
    /// Lost.
    pub lost: usize,
    /// The plies in which that began.
    pub began: Spread,
    /// Plies from there to the end, of games won.
    pub to_win: Spread,
}
