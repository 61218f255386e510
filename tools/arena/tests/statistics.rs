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

/// The ratio of a test in normalized Elo.
fn normalized(sample: &Sample, elo0: f64, elo1: f64) -> f64 {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Normalized }.ratio(sample)
}

/// What the ratio counts a score's share as that was hardly seen, if at all.
fn regular(counts: &[u64]) -> Vec<f64> {
    let size = counts.iter().sum::<u64>() as f64;
    let shares: Vec<f64> = counts.iter().map(|&count| (count as f64 / size).max(1e-3 / size)).collect();
    let sum: f64 = shares.iter().sum();
    shares.into_iter().map(|share| share / sum).collect()
}

/// The mean logarithm of a distribution's probabilities over what was seen; minus infinity if one is none.
fn fit(shares: &[f64], found: &[f64]) -> f64 {
    if found.iter().any(|&chance| chance <= 0.0) {
        return f64::NEG_INFINITY;
    }
    shares.iter().zip(found).map(|(share, chance)| share * chance.ln()).sum()
}

/// The best fit of three scores whose mean lies `wanted` deviations above a half, by trying means: a mean and the
/// deviation that goes with it leave a single distribution.
fn best_of_games(shares: &[f64], wanted: f64) -> f64 {
    let at = |over: f64| {
        let (mean, variance) = (0.5 + over, (over / wanted).powi(2));
        let square = variance + mean * mean;
        let drawn = 4.0 * (mean - square);
        let won = mean - drawn / 2.0;
        fit(shares, &[1.0 - drawn - won, drawn, won])
    };
    // Means near a half and near an end need the closest look.
    let tries = (1..5000).map(|index| f64::from(index) / 5000.0);
    best_over(tries.flat_map(|part| [0.5 * part.powi(3), 0.5 - 0.5 * part.powi(6)]), |over| {
        at(over * wanted.signum())
    })
}

/// The best of all these tries, and of what lies between its neighbours.
fn best_over(tries: impl Iterator<Item = f64>, at: impl Fn(f64) -> f64) -> f64 {
    let mut overs: Vec<f64> = tries.collect();
    overs.sort_unstable_by(f64::total_cmp);
    let found: Vec<f64> = overs.iter().map(|over| at(*over)).collect();
    let best = (1..overs.len() - 1).max_by(|one, other| found[*one].total_cmp(&found[*other])).unwrap();
    let (mut low, mut high) = (overs[best - 1], overs[best + 1]);
    for _ in 0..40 {
        let [left, right] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if at(left) > at(right) {
            high = right;
        } else {
            low = left;
        }
    }
    at(f64::midpoint(low, high)).max(found[best])
}

#[test]
fn normalized_ratios_of_games_are_those_of_brute_force() {
    let bounds = [-4000.0, -800.0, -300.0, -60.0, -2.0, 3.0, 150.0, 231.0, 232.0, 500.0, 4000.0];
    for games in [[10, 0, 0], [0, 10, 0], [0, 0, 10], [7, 0, 1], [3, 4, 5], [1, 30, 2], [0, 900, 100]] {
        let (sample, shares) = (Sample::Games(games), regular(&games));
        let best: Vec<f64> =
            bounds.iter().map(|elo| best_of_games(&shares, elo / 347.435_585_522_601_46)).collect();
        for index in 1..bounds.len() {
            let ratio = normalized(&sample, bounds[index - 1], bounds[index]);
            let expected = sample.size() as f64 * (best[index] - best[index - 1]);
            let near = 2e-3 * (1.0 + expected.abs());
            assert!((ratio - expected).abs() < near, "{games:?} {index}: {ratio} {expected}");
        }
    }
}

/// Distributions over five scores with this mean and variance that have three scores at most: all others lie between.
fn corners(mean: f64, variance: f64) -> Vec<[f64; 5]> {
    let mut found = Vec::new();
    for (one, two, three) in
        (0..5).flat_map(|a| (a + 1..5).flat_map(move |b| (b + 1..5).map(move |c| (a, b, c))))
    {
        let places = [one, two, three];
        let score = |place: usize| place as f64 / 4.0;
        let mut chances = [0.0; 5];
        for own in places {
            let [left, right] =
                match places.iter().copied().filter(|&other| other != own).collect::<Vec<_>>()[..] {
                    [left, right] => [score(left), score(right)],
                    _ => unreachable!("three places, one of them taken out"),
                };
            // Who expects (x - left) * (x - right) sees nothing of the two others.
            let moment = variance + mean * mean - (left + right) * mean + left * right;
            chances[own] = moment / ((score(own) - left) * (score(own) - right));
        }
        if chances.iter().all(|&chance| chance >= 0.0) {
            found.push(chances);
        }
    }
    found
}

/// Moves as far in a direction as is best.
fn climb(shares: &[f64], point: [f64; 5], direction: [f64; 5]) -> [f64; 5] {
    let (mut low, mut high) = (f64::MIN, f64::MAX);
    for (chance, step) in point.into_iter().zip(direction) {
        let end = -chance / step;
        if step > 0.0 {
            low = low.max(end);
        } else if step < 0.0 {
            high = high.min(end);
        }
    }
    let at = |way: f64| std::array::from_fn(|place| point[place] + way * direction[place]);
    // The fit is concave: it rises up to the best place and falls behind it.
    let rises = |point: [f64; 5]| {
        let slopes = shares.iter().zip(point).zip(direction);
        slopes.map(|((share, chance), step)| share * step / chance).sum::<f64>() > 0.0
    };
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        *(if rises(at(middle)) { &mut low } else { &mut high }) = middle;
    }
    at(f64::midpoint(low, high))
}

/// The best fit of five scores with a mean so far from a half, and the deviation that goes with it: from the middle of
/// all that there are, up along ways that change neither.
fn best_of_pairs_at(shares: &[f64], over: f64, wanted: f64) -> f64 {
    // Each leaves one score alone: the way along an edge, where its share is as low as it may be.
    const WAYS: [[f64; 5]; 5] = [
        [0.0, 1.0, -3.0, 3.0, -1.0],
        [1.0, 0.0, -6.0, 8.0, -3.0],
        [1.0, -2.0, 0.0, 2.0, -1.0],
        [3.0, -8.0, 6.0, 0.0, -1.0],
        [1.0, -3.0, 3.0, -1.0, 0.0],
    ];
    let corners = corners(0.5 + over, (over / wanted).powi(2));
    let count = corners.len() as f64;
    let mut point =
        std::array::from_fn(|place| corners.iter().map(|corner| corner[place]).sum::<f64>() / count);
    for _ in 0..if corners.is_empty() { 0 } else { 20 } {
        let before = point;
        point = WAYS.into_iter().fold(point, |point, way| climb(shares, point, way));
        // And the way that these have led together.
        let led: [f64; 5] = std::array::from_fn(|place| point[place] - before[place]);
        if led.iter().all(|step| step.abs() < 1e-12) {
            break;
        }
        point = climb(shares, point, led);
    }
    if corners.is_empty() { f64::NEG_INFINITY } else { fit(shares, &point) }
}

/// The best fit of five scores, by trying means.
fn best_of_pairs(shares: &[f64], wanted: f64) -> f64 {
    let at = |over: f64| best_of_pairs_at(shares, over * wanted.signum(), wanted);
    // Beyond this no distribution has so large a deviation; near it and near a half it needs the closest look.
    let most = 0.5 / (1.0 + wanted.powi(-2)).sqrt();
    let tries = (1..90).map(|index| f64::from(index) / 90.0);
    best_over(tries.flat_map(|part| [most * part.powi(3), most * (1.0 - part.powi(5))]), at)
}

#[test]
fn normalized_ratios_of_pairs_are_those_of_brute_force() {
    let bounds = [-1500.0, -300.0, -5.0, 60.0, 232.0, 1500.0];
    for pairs in [[5, 0, 0, 0, 0], [0, 0, 5, 0, 0], [1, 6, 45, 38, 98], [0, 9, 0, 0, 3]] {
        let (sample, shares) = (Sample::Pairs(pairs), regular(&pairs));
        let best: Vec<f64> = bounds
            .iter()
            .map(|elo| best_of_pairs(&shares, elo / 347.435_585_522_601_46 * 2f64.sqrt()))
            .collect();
        for index in 1..bounds.len() {
            let ratio = normalized(&sample, bounds[index - 1], bounds[index]);
            let expected = sample.size() as f64 * (best[index] - best[index - 1]);
            let near = 2e-3 * (1.0 + expected.abs());
            assert!((ratio - expected).abs() < near, "{pairs:?} {index}: {ratio} {expected}");
        }
    }
}

#[test]
fn the_further_off_a_hypothesis_the_less_likely_it_is() {
    let all = |least: i32| (least..=400).map(|step| f64::from(step) * 10.0);
    for (lost, won) in [([5, 0, 0, 0, 0], [0, 0, 0, 0, 5]), ([3, 2, 1, 0, 0], [0, 0, 1, 2, 3])] {
        for model in Model::ALL {
            let of = |elo0: f64, elo1: f64, counts| {
                Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }.ratio(&Sample::Pairs(counts))
            };
            let mut last = 0.0;
            for elo in all(1) {
                let ratio = of(0.0, elo, lost);
                assert!(ratio < last, "{model:?} {elo}: {ratio} {last}");
                assert!((of(-elo, 0.0, won) + ratio).abs() < 1e-6 * (1.0 - ratio), "{model:?} {elo}");
                last = ratio;
            }
        }
        assert!(normalized(&Sample::Pairs(lost), 1e9, 2e9).abs() < 1e-9, "both count as the furthest");
    }
}
