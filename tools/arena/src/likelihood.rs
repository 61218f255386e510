//! How likely a sample is under the likeliest distribution that has a given Elo difference.
//!
//! A distribution gives a probability to every score; the likelihood here is the mean logarithm of these over what was
//! seen. Every score has to have been seen with some share, however small: then there is a distribution for every
//! difference. The likelihood falls on both sides of the difference that was seen.

/// Mean and variance of scores, each with its share.
pub(crate) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    let variance = shares.iter().map(|(score, share)| (score - mean).powi(2) * share).sum();
    (mean, variance)
}

/// The likelihood if the mean score is `wanted`, which lies inside 0..1.
pub(crate) fn with_mean(shares: &[(f64, f64)], wanted: f64) -> f64 {
    tilted(shares, |score| score - wanted).likelihood
}

/// The likelihood if the mean score lies `wanted` of the distribution's own standard deviations above a half.
///
/// The condition, `mean - 1/2 = wanted * deviation`, is no linear one. But for every d the deviation is at most
/// `(variance about c / d + d) / 2`, whatever c, and is just that for its own d and c. A condition with this in place of
/// the deviation is linear. Those with `c = 1/2 + wanted * d` suffice, as that holds at the distribution sought: a
/// family of linear conditions, one for each d, and the best of them is the answer.
///
/// Where more is wanted than was seen, each condition asks for more than the true one, so that the likeliest of all is
/// sought. Where less is wanted, each asks for less, and it is the unlikeliest.
pub(crate) fn with_normal(shares: &[(f64, f64)], wanted: f64) -> f64 {
    if wanted < 0.0 {
        let mirrored: Vec<(f64, f64)> = shares.iter().map(|(score, share)| (1.0 - score, *share)).collect();
        return with_normal(&mirrored, -wanted);
    }
    let (mean, variance) = moments(shares);
    let excess = |deviation: f64| {
        move |score: f64| {
            let over = score - 0.5;
            over - wanted * f64::midpoint((over - wanted * deviation).powi(2) / deviation, deviation)
        }
    };
    if mean - 0.5 > wanted * variance.sqrt() {
        let at_most = |deviation: f64| {
            let found = tilted(shares, excess(deviation));
            // Where what was seen fits the condition, nothing is likelier.
            if found.slope > 0.0 { -found.likelihood } else { -seen(shares) }
        };
        return -highest(LEAST_DEVIATION, MOST_DEVIATION, at_most);
    }
    let at_least = |deviation: f64| tilted(shares, excess(deviation)).likelihood;
    spans(shares, wanted).map(|[low, high]| highest(low, high, at_least)).fold(f64::NEG_INFINITY, f64::max)
}

/// Scores lie in 0..1, so that no deviation is larger.
const MOST_DEVIATION: f64 = 0.5;
/// Less than the deviation of any sample in which every score has a share.
const LEAST_DEVIATION: f64 = 1e-9;

/// Between which deviations a condition can be met: where a single score above a half meets it. These are the ends of
/// a span for each such score, cut where others begin or end.
fn spans(shares: &[(f64, f64)], wanted: f64) -> impl Iterator<Item = [f64; 2]> {
    let root = wanted.hypot(1.0);
    let above = shares.iter().map(|(score, _)| score - 0.5).filter(|over| *over > 0.0);
    let mut ends: Vec<f64> = above
        .flat_map(|over| [over * wanted / (root * (root + 1.0)), over * (root + 1.0) / (root * wanted)])
        .map(|end| end.clamp(LEAST_DEVIATION, MOST_DEVIATION))
        .collect();
    ends.sort_unstable_by(f64::total_cmp);
    (1..ends.len()).map(move |index| [ends[index - 1], ends[index]]).filter(|[low, high]| low < high)
}

/// The highest value between two ends: the best of points in even ratios, then golden sections around it.
fn highest(low: f64, high: f64, value: impl Fn(f64) -> f64) -> f64 {
    const POINTS: i32 = 48;
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let (low, step) = (low.ln(), (high / low).ln() / f64::from(POINTS));
    let at = |place: f64| value((low + step * place).exp());
    let places = (1..POINTS).map(|place| (f64::from(place), at(f64::from(place))));
    let (middle, mut best) = places.max_by(|(_, one), (_, other)| one.total_cmp(other)).unwrap_or_default();
    let [mut left, mut right] = [middle - 1.0, middle + 1.0];
    let [mut first, mut second] = [right - GOLDEN * 2.0, left + GOLDEN * 2.0].map(|place| (place, at(place)));
    while right - left > 1e-7 {
        best = best.max(first.1).max(second.1);
        if first.1 > second.1 {
            (right, second) = (second.0, first);
            let place = right - GOLDEN * (right - left);
            first = (place, at(place));
        } else {
            (left, first) = (first.0, second);
            let place = left + GOLDEN * (right - left);
            second = (place, at(place));
        }
    }
    best
}

/// What the likeliest distribution under a linear condition says.
struct Tilted {
    likelihood: f64,
    /// How the likelihood would change with a looser condition: above 0 if what was seen exceeds it.
    slope: f64,
}

/// The likelihood of what was seen under itself.
fn seen(shares: &[(f64, f64)]) -> f64 {
    shares.iter().map(|(_, share)| share * share.ln()).sum()
}

/// The likeliest distribution under which `excess` has the mean 0: each share over `1 + t * excess`, with the `t` that
/// makes it so. Minus infinity where `excess` has the same sign everywhere: then there is none.
fn tilted(shares: &[(f64, f64)], excess: impl Fn(f64) -> f64) -> Tilted {
    let terms: Vec<(f64, f64)> = shares.iter().map(|(score, share)| (excess(*score), *share)).collect();
    let most = terms.iter().map(|(excess, _)| *excess).fold(f64::MIN, f64::max);
    let least = terms.iter().map(|(excess, _)| *excess).fold(f64::MAX, f64::min);
    let slope = terms.iter().map(|(excess, share)| excess * share).sum();
    if most <= 0.0 || least >= 0.0 {
        return Tilted { likelihood: f64::NEG_INFINITY, slope };
    }
    let t = balance(&terms, -1.0 / most, -1.0 / least);
    let lost: f64 = terms.iter().map(|(excess, share)| share * (t * excess).ln_1p()).sum();
    Tilted { likelihood: seen(shares) - lost, slope }
}

/// Where the sum of `share * excess / (1 + t * excess)` is 0. It falls as t grows, between the two ends where a share
/// would turn infinite: Newton's steps, and halves of what is left where one would leave it.
fn balance(terms: &[(f64, f64)], mut low: f64, mut high: f64) -> f64 {
    let mut t: f64 = 0.0;
    for _ in 0..200 {
        let (mut sum, mut fall) = (0.0, 0.0);
        for (excess, share) in terms {
            let part = excess / (1.0 + t * excess);
            sum += share * part;
            fall += share * part * part;
        }
        if sum > 0.0 {
            low = t;
        } else {
            high = t;
        }
        let step = sum / fall;
        let next = if t + step > low && t + step < high { t + step } else { f64::midpoint(low, high) };
        if (next - t).abs() <= 1e-15 * t.abs() || sum == 0.0 {
            break;
        }
        t = next;
    }
    t
}
