//! What the library finds in games made by hand and in random ones.

use crate::{adventure, game, records, swapped};
use outflank::rules::{Outcome, Rank, Side};
use outflank_analyse::figures::Spread;
use outflank_analyse::report::PlayerReport;
use outflank_analyse::report::army::{Army, Change, Expected, Fall, Fate, Lead, Score, TurnKind, Way};
use outflank_analyse::report::game::Game;
use outflank_analyse::report::loss::Kind;
use outflank_record::Record;
use outflank_record::points::points;

fn armies(record: &Record) -> [Army; 2] {
    let game = Game::of(record).unwrap();
    Side::BOTH.map(|side| Army::of(&game, side))
}

fn summed(army: &Army) -> Vec<(Kind, u32, u32)> {
    army.losses.iter().map(|loss| (loss.kind, loss.points, loss.paid)).collect()
}

#[test]
fn losses_are_counted_by_kind() {
    let [red, blue] = armies(&adventure());
    let lost = [
        (Kind::Retaken, 225, 65),
        (Kind::Retaken, 80, 15),
        (Kind::OnUnmoved, 15, 0),
        (Kind::KnownOnUnmoved, 65, 0),
        (Kind::OnKnown, 15, 0),
        (Kind::KnownOnMoved, 15, 0),
    ];
    assert_eq!(summed(&red), lost);
    let lost = [(Kind::HiddenOnHidden, 65, 225), (Kind::HiddenOnHidden, 15, 80), (Kind::OnBomb, 340, 0)];
    assert_eq!(summed(&blue), lost);
    assert_eq!((red.score, blue.score), (Score::Lost, Score::Won));
    assert_eq!((red.plies, red.strikes, red.reason.name()), (22, 9, "resigned"));
    assert_eq!(blue.taken, [225, 80, 15, 65, 15, 15]);
}

#[test]
fn a_top_piece_is_followed_from_its_reveal_to_its_fall() {
    let [red, blue] = armies(&adventure());
    let fate = |army: &Army, rank| *army.pieces.iter().find(|fate| fate.rank == rank).unwrap();
    let general = Fate {
        rank: Rank::General,
        revealed: Some(6),
        way: Way::OnKnown,
        fell: Some(Fall { ply: 22, taker: Rank::Bomb, known: false, own: true }),
        before: 0,
        revealing: 225,
        after: 95,
    };
    assert_eq!(fate(&blue, Rank::General), general);
    let hidden = fate(&red, Rank::General);
    assert_eq!((hidden.revealed, hidden.way, hidden.fell), (None, Way::Never, None));
    // The Colonel showed itself at a piece that had never moved, and was taken by a hidden one.
    let colonel = red.pieces.iter().find(|fate| fate.rank == Rank::Colonel && fate.fell.is_some()).unwrap();
    let fall = Fall { ply: 6, taker: Rank::General, known: false, own: false };
    assert_eq!((colonel.way, colonel.revealing, colonel.fell), (Way::OnUnmoved, 65, Some(fall)));
    // Scouts that ran or struck from afar are known without having been struck.
    let scout = red.pieces.iter().find(|fate| fate.revealed == Some(15)).unwrap();
    assert_eq!((scout.rank, scout.way), (Rank::Scout, Way::OnUnmoved));
    assert_eq!(red.pieces.len(), 40);
}

#[test]
fn the_report_says_what_a_piece_earned() {
    let [_, blue] = armies(&adventure());
    let report = PlayerReport::of("bert", &[blue]);
    let reveal = report.reveals.iter().find(|reveal| (reveal.rank, reveal.count) == ('9', 1)).unwrap();
    assert_eq!((reveal.way, reveal.earning, reveal.plies.median), ("strikes known", 1, Some(6.0)));
    assert_eq!((reveal.earned, reveal.after, reveal.lost), (Some(225.0), Some(95.0), Some(340.0)));
    assert_eq!(reveal.net, Some(-20.0));
    let fate = report.fates.iter().find(|fate| fate.rank == '9').unwrap();
    assert_eq!((fate.lived, fate.took_until, fate.took_after), (0, Some(225.0), Some(95.0)));
    let takers: Vec<_> = fate.takers.iter().map(|by| (by.rank, by.known, by.own, by.count)).collect();
    assert_eq!(takers, [('B', false, true, 1)]);
}

/// Red's Marshal on e4 takes 9, 8, 2, 7, 7: of 3,760 points it leads by 10% in ply 7, by 20% in ply 13.
#[test]
fn leads_begin_where_material_says() {
    let plies = "e4e5 a7a6 e5e6 j7j6 e6xe7=WM9 i7i6 e7xf7=WM8 b7b6 f7xf8=WM2 i6i5 f8xg8=WM7 j6j5 g8xg9=WM7 \
                 b6b5 a4a5";
    let setups = [swapped(&[(34, 22), (30, 20)]), swapped(&[(35, 21)])];
    let [red, blue] = armies(&game(setups, plies, Side::Red));
    // One of the miners moved on.
    let lead = |ply| Lead { ply, rest: 15 - ply, miners: 5, idle: 4 };
    assert_eq!(red.leads, [Some(lead(7)), Some(lead(13)), None]);
    assert_eq!(blue.leads, [None; 3]);
    let report = PlayerReport::of("anna", &[red]);
    let leads: Vec<_> = report.leads.iter().map(|lead| (lead.percent, lead.games, lead.won)).collect();
    assert_eq!(leads, [(10, 1, 1), (20, 1, 1), (30, 0, 0)]);
    assert_eq!(report.leads[0].to_win, Spread { count: 1, mean: Some(8.0), median: Some(8.0) });
    assert_eq!((report.leads[1].miners, report.leads[1].idle), (Some(5.0), Some(4.0)));
}

/// Pieces that each side lost, with the points, by the results in the record alone.
fn recount(record: &Record) -> [(usize, u32); 2] {
    let mut lost = [(0, 0); 2];
    for (ply, played) in record.actions().unwrap().into_iter().enumerate() {
        let Some(verdict) = played.verdict else { continue };
        let ranks = [verdict.striker.unwrap(), verdict.defender.unwrap()];
        let fallen = [verdict.outcome != Outcome::Win, verdict.outcome != Outcome::Loss];
        for (index, rank) in ranks.into_iter().enumerate().filter(|(index, _)| fallen[*index]) {
            let side = &mut lost[(ply + index) % 2];
            *side = (side.0 + 1, side.1 + points(rank));
        }
    }
    lost
}

const RULES: [&str; 5] = [
    "isf barrage=on plies=300",
    "isf plies=600",
    "1961 plies=600",
    "gravon silent=on plies=600",
    "gameboard rescue=on silent=on plies=800",
];

#[test]
fn every_strike_is_of_one_kind_and_sums_agree() {
    let mut strikes = 0;
    for record in RULES.into_iter().flat_map(|rules| records(rules, 4, false)) {
        let expected = recount(&record);
        let armies = armies(&record);
        for (index, army) in armies.iter().enumerate() {
            let lost = (army.losses.len(), army.losses.iter().map(|loss| loss.points).sum());
            assert_eq!(lost, expected[index]);
            let taken = (army.taken.len(), army.taken.iter().sum());
            assert_eq!(taken, expected[1 - index]);
            assert!(army.losses.iter().map(|loss| loss.paid).sum::<u32>() <= taken.1);
            let took: u32 = army.pieces.iter().map(|fate| fate.before + fate.revealing + fate.after).sum();
            assert_eq!(took, taken.1);
            assert_eq!(army.pieces.iter().filter(|fate| fate.fell.is_some()).count(), lost.0);
            strikes += lost.0;
        }
    }
    assert!(strikes > 300, "{strikes}");
}

#[test]
fn the_kinds_add_up_to_all() {
    let records = records("isf plies=600", 8, false);
    let armies: Vec<Army> = records.iter().map(|record| armies(record)[0].clone()).collect();
    let report = PlayerReport::of("anna", &armies);
    let (all, kinds) = report.losses.split_last().unwrap();
    assert_eq!((all.kind, kinds.len()), ("all", Kind::ALL.len()));
    assert_eq!(kinds.iter().map(|kind| kind.games.all.count).sum::<usize>(), all.games.all.count);
    assert_eq!(kinds.iter().map(|kind| kind.games.all.points).sum::<u64>(), all.games.all.points);
    for losses in &report.losses {
        let games = losses.games;
        assert_eq!(games.won.points + games.drawn.points + games.lost.points, games.all.points);
    }
    let expected: u64 = records.iter().map(|record| u64::from(recount(record)[0].1)).sum();
    assert_eq!(all.games.all.points, expected);
    for rank in ['M', '9', '8'] {
        let shares =
            report.reveals.iter().filter(|reveal| reveal.rank == rank).filter_map(|reveal| reveal.share);
        assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

/// The adventure, in which Blue wins, with these expected scores of its first plies.
fn expecting(scores: &[&str]) -> [Army; 2] {
    let mut record = adventure();
    record.candidates = scores.iter().map(|score| format!("a4a5 {score}")).collect();
    record.candidates.resize(record.moves.len(), String::new());
    armies(&record)
}

#[test]
fn expected_scores_are_compared_with_what_games_brought() {
    let [red, blue] = expecting(&["520", "470", "1000", "850", "390"]);
    let expected = |ply, score| Expected { ply, score };
    assert_eq!(red.expected, [expected(1, 520), expected(3, 1000), expected(5, 390)]);
    assert_eq!(blue.expected, [expected(2, 470), expected(4, 850)]);
    let lost = PlayerReport::of("anna", &[red]);
    let bins: Vec<_> =
        lost.expectations.iter().map(|bin| (bin.percent, bin.plies, bin.expected, bin.scored)).collect();
    let bin = |from, to, expected| ((from, to), 1, Some(expected), Some(0.0));
    assert_eq!(bins, [bin(35, 45, 0.39), bin(45, 55, 0.52), bin(95, 100, 1.0)]);
    let conversion = lost.conversion.unwrap();
    assert_eq!((conversion.games, conversion.won, conversion.lost), (1, 0, 1));
    let [_, modest] = expecting(&["520", "470", "480", "840"]);
    let both = PlayerReport::of("bert", &[blue, modest]);
    let bins: Vec<_> = both.expectations.iter().map(|bin| (bin.percent, bin.plies, bin.games)).collect();
    assert_eq!(bins, [((45, 55), 2, 2), ((75, 85), 1, 1), ((85, 95), 1, 1)]);
    let conversion = both.conversion.unwrap();
    assert_eq!((conversion.games, conversion.won, conversion.began.median), (1, 1, Some(4.0)));
    assert_eq!(conversion.to_win, Spread { count: 1, mean: Some(18.0), median: Some(18.0) });
}

/// Red waits in plies 1 and 3, its Colonel and its Captain strike at what never moved in plies 5 and 11, and Blue's
/// General takes the Colonel in between; in ply 15 its Scout runs into a Captain, in ply 17 a Scout strikes the known
/// General, and after ply 19 that General strikes, which is Blue's turn at a hidden piece that moved.
#[test]
fn expectations_change_by_what_was_done() {
    let scores = [
        "500", "", "510", "", "520", "", "470", "", "480", "", "490", "", "440", "", "445", "", "430", "",
        "425", "600", "400", "590",
    ];
    let [red, blue] = expecting(&scores);
    let change = |kind, change| Change { kind, change };
    let changes = [
        change(TurnKind::Quiet, 10),
        change(TurnKind::Quiet, 10),
        change(TurnKind::StrongOnUnmoved, -50),
        change(TurnKind::Quiet, 10),
        change(TurnKind::Quiet, 10),
        change(TurnKind::WeakOnUnmoved, -50),
        change(TurnKind::Quiet, 5),
        change(TurnKind::ScoutOnUnmoved, -15),
        change(TurnKind::OnKnown, -5),
        change(TurnKind::Struck, -25),
    ];
    assert_eq!(red.changes, changes);
    assert_eq!(blue.changes, [change(TurnKind::OnMoved, -10)]);
    let report = PlayerReport::of("anna", &[red]);
    let quiet = &report.changes[0];
    assert_eq!((quiet.kind, quiet.turns, quiet.turns_a_game), ("no strike", 5, Some(5.0)));
    let near = |value: Option<f64>, expected: f64| (value.unwrap() - expected).abs() < 1e-9;
    assert!(near(quiet.change, 0.009) && near(quiet.error, 0.001) && near(quiet.a_game, 0.045));
    assert_eq!(report.changes.len(), 6);
    assert_eq!((report.changes[1].turns, report.changes[1].error), (1, None));
}

#[test]
fn who_tells_no_score_has_no_expectations() {
    let [red, _] = armies(&adventure());
    let report = PlayerReport::of("anna", &[red]);
    assert!(report.expectations.is_empty() && report.changes.is_empty() && report.conversion.is_none());
}

#[test]
fn a_record_that_did_not_go_so_is_refused() {
    let mut record = adventure();
    record.moves[4] = "e6xe7=W84".to_owned();
    let refused = Game::of(&record).unwrap_err();
    assert!(format!("{refused:#}").contains("ply 5"), "{refused:#}");
}
