//! Figures that other programs have published, found again.
//!
//! The pairs are reports of fastchess in release notes of Dual 0.3.2, Axiom 2.0.0 and Gyatso 1.4.0, and in public
//! course notes on the SPRT; the games are reports of cutechess in the change log of Midnight.

use outflank_arena::statistics::{Model, Sample, Sprt, Verdict, below, elo, score};

/// Half a unit of the last printed digit.
#[track_caller]
fn assert_printed(found: f64, printed: f64, digits: i32) {
    let tolerance = 0.5001 * 10f64.powi(-digits);
    assert!((found - printed).abs() <= tolerance, "{found} printed {printed}");
}

#[test]
fn pairs_give_published_elo() {
    let cases = [
        ([16, 82, 222, 150, 61], 52.08, 14.57, 75.87, 20.90, 100.00),
        ([49, 48, 154, 49, 60], 11.10, 21.86, 12.92, 25.38, 84.08),
        ([84, 112, 318, 184, 302], 90.22, 14.49, 99.23, 15.23, 100.00),
        ([1, 6, 45, 38, 98], 241.40, 37.08, 312.12, 35.12, 100.00),
    ];
    for (pairs, elo, reach, normal, normal_reach, superiority) in cases {
        let sample = Sample::Pairs(pairs);
        let (found, found_normal) = (sample.elo().unwrap(), sample.normal_elo().unwrap());
        assert_printed(found.value, elo, 2);
        assert_printed(found.reach(), reach, 2);
        assert_printed(found_normal.value, normal, 2);
        assert_printed(found_normal.reach(), normal_reach, 2);
        assert_printed(sample.superiority().unwrap() * 100.0, superiority, 2);
    }
}

#[test]
fn games_give_published_elo() {
    for (games, elo, reach, superiority) in
        [([276, 275, 449], 60.7, 18.5, 100.0), ([320, 298, 382], 21.6, 18.1, 99.0)]
    {
        let sample = Sample::Games(games);
        assert_printed(sample.elo().unwrap().value, elo, 1);
        assert_printed(sample.elo().unwrap().reach(), reach, 1);
        // Theirs counts decided games alone, which is not quite the same.
        assert!((sample.superiority().unwrap() * 100.0 - superiority).abs() < 0.1);
    }
}

#[test]
fn the_ratio_is_the_published_one() {
    let sprt = |elo1, beta| Sprt { elo0: 0.0, elo1, alpha: 0.05, beta, model: Model::Normalized };
    let gyatso = sprt(5.0, 0.10);
    assert_printed(gyatso.bounds().0, -2.25, 2);
    assert_printed(gyatso.bounds().1, 2.89, 2);
    let ratio = gyatso.ratio(&Sample::Pairs([1, 6, 45, 38, 98]));
    assert_printed(ratio, 2.90, 2);
    assert_eq!(gyatso.judge(ratio), Verdict::H1);
    let course = sprt(20.0, 0.05);
    assert_printed(course.bounds().0, -2.94, 2);
    assert_printed(course.ratio(&Sample::Pairs([0, 0, 2, 0, 37])), 2.96, 2);
}

#[test]
fn both_models_agree_where_nothing_is_drawn_and_differences_are_small() {
    let sample = Sample::Games([480, 0, 520]);
    let of = |model| Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model }.ratio(&sample);
    let (logistic, normalized) = (of(Model::Logistic), of(Model::Normalized));
    assert!((logistic - normalized).abs() < 0.01, "{logistic} {normalized}");
    // Two outcomes leave one distribution for each score: the ratio can be written down.
    let (zero, one) = (0.5f64, score(5.0));
    let plain = 520.0 * (one / zero).ln() + 480.0 * ((1.0 - one) / (1.0 - zero)).ln();
    assert!((logistic - plain).abs() < 1e-3, "{logistic} {plain}");
}

#[test]
fn a_test_tells_equals_from_unequals() {
    let sprt = Sprt { elo0: 0.0, elo1: 30.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Pairs([100, 200, 400, 200, 100]))), Verdict::H0);
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Pairs([50, 150, 400, 300, 150]))), Verdict::H1);
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Pairs([1, 2, 4, 2, 1]))), Verdict::Open);
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Games([0; 3]))), Verdict::Open);
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Games([0, 0, 200]))), Verdict::H1);
    assert_eq!(sprt.judge(sprt.ratio(&Sample::Games([200, 0, 0]))), Verdict::H0);
}

#[test]
fn elo_and_score_are_inverse() {
    for difference in [-800.0, -35.0, 0.0, 1.5, 400.0] {
        assert!((elo(score(difference)) - difference).abs() < 1e-9);
    }
    assert_printed(score(400.0), 0.9091, 4);
    assert_eq!((elo(0.0), elo(1.0)), (f64::NEG_INFINITY, f64::INFINITY));
}

#[test]
fn the_normal_distribution_is_that_of_tables() {
    for (deviations, share) in [(0.0, 0.5), (1.0, 0.841_345), (-1.96, 0.024_998), (3.0, 0.998_650)] {
        assert_printed(below(deviations), share, 6);
    }
}

#[test]
fn samples_without_spread_say_so() {
    assert_eq!(Sample::Games([0; 3]).elo(), None);
    let won = Sample::Games([0, 0, 7]);
    assert_eq!((won.normal_elo(), won.superiority()), (None, None));
    let elo = won.elo().unwrap();
    // Wilson's interval for seven of seven ends at 0.6457, as tables of it say.
    assert!(elo.value.is_infinite() && elo.high.is_infinite());
    assert_printed(score(elo.low), 0.6457, 4);
    let drawn = Sample::Games([0, 100, 0]).elo().unwrap();
    assert!(drawn.low < 0.0 && drawn.high > 0.0);
}
