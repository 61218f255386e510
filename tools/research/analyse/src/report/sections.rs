//! The sections of the report, each computed from a player's armies.

use super::army::{Army, Expected, Fall, Fate, Lead, Score, TurnKind, Way};
use super::game::LEADS;
use super::loss::{Kind, Loss};
use super::{
    ByGames, ChangeReport, ConversionReport, EndingReport, ExpectationReport, FateReport, GamesReport,
    LeadReport, LossReport, Lost, PlayerReport, Question, REVEALED, Report, RevealReport, TOP, Taken,
    TakerReport, WINNING,
};
use crate::calibration::{Calibration, bounds};
use crate::figures::{Spread, share};
use outflank::rules::Rank;
use outflank_record::points::{POINTS, points};
use outflank_record::{EndReason, MOST_SCORE};
use std::cmp::Reverse;
use std::collections::BTreeMap;

impl Report {
    /// What the games of these players say.
    pub fn new(question: Question, players: &BTreeMap<String, Vec<Army>>) -> Report {
        let points = POINTS.iter().map(|(rank, points)| (rank.letter(), *points)).collect();
        let players = players.iter().map(|(name, armies)| PlayerReport::of(name, armies)).collect();
        Report { question, points, players }
    }
}

impl PlayerReport {
    /// What a player's games say.
    pub fn of(name: &str, armies: &[Army]) -> PlayerReport {
        PlayerReport {
            name: name.to_owned(),
            games: games(armies),
            losses: losses(armies),
            taken: taken(armies),
            fates: fates(armies),
            reveals: reveals(armies),
            leads: leads(armies),
            expectations: expectations(armies),
            changes: changes(armies),
            conversion: conversion(armies),
        }
    }
}

fn with_score<'a>(armies: &'a [Army], scores: &'a [Score]) -> impl Iterator<Item = &'a Army> {
    armies.iter().filter(|army| scores.contains(&army.score))
}

fn games(armies: &[Army]) -> GamesReport {
    let of = |score| with_score(armies, &[score]).count();
    let mut endings = BTreeMap::<(Score, EndReason), usize>::new();
    for army in armies {
        *endings.entry((army.score, army.reason)).or_default() += 1;
    }
    let ending = |((score, reason), games): ((Score, EndReason), usize)| EndingReport {
        score: score.name(),
        reason,
        games,
    };
    let plies: u64 = armies.iter().map(|army| u64::from(army.plies)).sum();
    let strikes = armies.iter().map(|army| army.strikes).sum();
    GamesReport {
        games: armies.len(),
        won: of(Score::Won),
        drawn: of(Score::Drawn),
        lost: of(Score::Lost),
        endings: endings.into_iter().map(ending).collect(),
        plies: Spread::of(armies.iter().map(|army| army.plies)),
        strikes,
        plies_a_strike: share(plies as f64, strikes),
    }
}

fn losses(armies: &[Army]) -> Vec<LossReport> {
    let report = |kind: Option<Kind>| LossReport {
        kind: kind.map_or("all", Kind::name),
        games: ByGames::of(|scores| lost(armies, kind, scores)),
    };
    Kind::ALL.map(Some).into_iter().chain([None]).map(report).collect()
}

/// What was lost in one way, or in all, in games with these scores.
fn lost(armies: &[Army], kind: Option<Kind>, scores: &[Score]) -> Lost {
    let games = with_score(armies, scores).count();
    let all = with_score(armies, scores).flat_map(|army| &army.losses);
    let losses: Vec<&Loss> = all.filter(|loss| kind.is_none_or(|kind| kind == loss.kind)).collect();
    let sum = |figure: fn(&Loss) -> u32| losses.iter().map(|loss| u64::from(figure(loss))).sum();
    let (points, paid): (u64, u64) = (sum(|loss| loss.points), sum(|loss| loss.paid));
    let a_game = |points: u64| share(points as f64, games);
    Lost { count: losses.len(), points, a_game: a_game(points), paid, paid_a_game: a_game(paid) }
}

fn taken(armies: &[Army]) -> ByGames<Taken> {
    ByGames::of(|scores| {
        let games = with_score(armies, scores).count();
        let taken: Vec<u32> = with_score(armies, scores).flat_map(|army| army.taken.clone()).collect();
        let points = taken.iter().map(|points| u64::from(*points)).sum();
        Taken { count: taken.len(), points, a_game: share(points as f64, games) }
    })
}

/// The pieces of one rank.
fn pieces(armies: &[Army], rank: Rank) -> Vec<&Fate> {
    armies.iter().flat_map(|army| &army.pieces).filter(|fate| fate.rank == rank).collect()
}

/// The mean of a figure of pieces.
fn mean(pieces: &[&Fate], figure: impl Fn(&Fate) -> f64) -> Option<f64> {
    share(pieces.iter().map(|fate| figure(fate)).sum(), pieces.len())
}

fn fates(armies: &[Army]) -> Vec<FateReport> {
    TOP.into_iter().map(|rank| fate(rank, &pieces(armies, rank))).collect()
}

fn fate(rank: Rank, pieces: &[&Fate]) -> FateReport {
    let lived = pieces.iter().filter(|fate| fate.fell.is_none()).count();
    FateReport {
        rank: rank.letter(),
        pieces: pieces.len(),
        lived,
        lived_share: share(lived as f64, pieces.len()),
        fell: Spread::of(pieces.iter().filter_map(|fate| Some(fate.fell?.ply))),
        takers: takers(pieces),
        revealed: Spread::of(pieces.iter().filter_map(|fate| fate.revealed)),
        took_until: mean(pieces, |fate| f64::from(fate.before + fate.revealing)),
        took_after: mean(pieces, |fate| f64::from(fate.after)),
    }
}

fn takers(pieces: &[&Fate]) -> Vec<TakerReport> {
    let mut counts = BTreeMap::<(Reverse<Rank>, bool, bool), usize>::new();
    for Fall { taker, known, own, .. } in pieces.iter().filter_map(|fate| fate.fell) {
        *counts.entry((Reverse(taker), known, own)).or_default() += 1;
    }
    let report = |((Reverse(rank), known, own), count): ((Reverse<Rank>, _, _), _)| TakerReport {
        rank: rank.letter(),
        known,
        own,
        count,
    };
    let mut takers: Vec<TakerReport> = counts.into_iter().map(report).collect();
    takers.sort_by_key(|taker| Reverse(taker.count));
    takers
}

fn reveals(armies: &[Army]) -> Vec<RevealReport> {
    let of_rank = |rank| {
        let pieces = pieces(armies, rank);
        Way::ALL.into_iter().filter_map(move |way| reveal(rank, way, &pieces))
    };
    REVEALED.into_iter().flat_map(of_rank).collect()
}

/// How many of the pieces of a rank were revealed in one way, if any.
fn reveal(rank: Rank, way: Way, pieces: &[&Fate]) -> Option<RevealReport> {
    let those: Vec<&Fate> = pieces.iter().copied().filter(|fate| fate.way == way).collect();
    let own = |fate: &Fate| if fate.fell.is_some() { f64::from(points(fate.rank)) } else { 0.0 };
    let (earned, after) = (|fate: &Fate| f64::from(fate.revealing), |fate: &Fate| f64::from(fate.after));
    (!those.is_empty()).then(|| RevealReport {
        rank: rank.letter(),
        way: way.name(),
        count: those.len(),
        share: share(those.len() as f64, pieces.len()),
        plies: Spread::of(those.iter().filter_map(|fate| fate.revealed)),
        earning: those.iter().filter(|fate| fate.revealing > 0).count(),
        earned: mean(&those, earned),
        after: mean(&those, after),
        lost: mean(&those, own),
        net: mean(&those, |fate| earned(fate) + after(fate) - own(fate)),
    })
}

fn leads(armies: &[Army]) -> Vec<LeadReport> {
    let report = |(index, percent)| {
        let leads = armies.iter().filter_map(|army| Some((army.score, army.leads[index]?)));
        lead(percent, &leads.collect::<Vec<_>>())
    };
    LEADS.into_iter().enumerate().map(report).collect()
}

fn lead(percent: u32, leads: &[(Score, Lead)]) -> LeadReport {
    let of = |score| leads.iter().filter(move |lead| lead.0 == score).map(|lead| lead.1);
    let miners = |figure: fn(&Lead) -> u32| {
        share(leads.iter().map(|lead| f64::from(figure(&lead.1))).sum(), leads.len())
    };
    LeadReport {
        percent,
        games: leads.len(),
        won: of(Score::Won).count(),
        drawn: of(Score::Drawn).count(),
        lost: of(Score::Lost).count(),
        began: Spread::of(leads.iter().map(|lead| lead.1.ply)),
        to_win: Spread::of(of(Score::Won).map(|lead| lead.rest)),
        miners: miners(|lead| lead.miners),
        idle: miners(|lead| lead.idle),
    }
}

/// What was expected and what came of it, bin by bin; none if no score was reported.
fn expectations(armies: &[Army]) -> Vec<ExpectationReport> {
    let games: Vec<Calibration> = armies.iter().map(expectation).collect();
    let mut whole = Calibration::default();
    for game in &games {
        whole.merge(game);
    }
    whole.bins(|number, bin| ExpectationReport {
        percent: bounds(number),
        plies: bin.predictions,
        games: games.iter().filter(|game| game.0[number].predictions > 0).count(),
        expected: bin.mean(),
        scored: bin.share(),
    })
}

fn expectation(army: &Army) -> Calibration {
    let mut game = Calibration::default();
    for Expected { score, .. } in &army.expected {
        game.note(f64::from(*score) / f64::from(MOST_SCORE), army.score.points());
    }
    game
}

/// How expectations changed, by what was done; none if no score was reported.
fn changes(armies: &[Army]) -> Vec<ChangeReport> {
    let of = |kind| change(armies, kind);
    TurnKind::ALL.into_iter().map(of).filter(|report| report.turns > 0).collect()
}

fn change(armies: &[Army], kind: TurnKind) -> ChangeReport {
    let all = armies.iter().flat_map(|army| &army.changes).filter(|change| change.kind == kind);
    let changes: Vec<f64> = all.map(|change| f64::from(change.change) / 1000.0).collect();
    let sum: f64 = changes.iter().sum();
    let turns = changes.len();
    let mean = share(sum, turns);
    let squares = mean.map(|mean| changes.iter().map(|change| (change - mean).powi(2)).sum::<f64>());
    let games = armies.iter().filter(|army| !army.changes.is_empty()).count();
    ChangeReport {
        kind: kind.name(),
        turns,
        turns_a_game: share(turns as f64, games),
        change: mean,
        error: squares.filter(|_| turns > 1).map(|sum| (sum / (turns * (turns - 1)) as f64).sqrt()),
        a_game: share(sum, games),
    }
}

/// What became of games once thought won; `None` if no score was reported.
fn conversion(armies: &[Army]) -> Option<ConversionReport> {
    if armies.iter().all(|army| army.expected.is_empty()) {
        return None;
    }
    let first = |army: &Army| Some(army.expected.iter().find(|expected| expected.score >= WINNING)?.ply);
    let thought: Vec<(&Army, u32)> = armies.iter().filter_map(|army| Some((army, first(army)?))).collect();
    let of = |score| thought.iter().filter(move |(army, _)| army.score == score);
    Some(ConversionReport {
        games: thought.len(),
        won: of(Score::Won).count(),
        drawn: of(Score::Drawn).count(),
        lost: of(Score::Lost).count(),
        began: Spread::of(thought.iter().map(|(_, ply)| *ply)),
        to_win: Spread::of(of(Score::Won).map(|(army, ply)| army.plies - ply)),
    })
}
