//! What a setup is made of: a rank on a square, and two on squares beside each other.
//!
//! A setup and its mirror image have the same features.

use crate::fit::{SQUARES, square};
use outflank::rules::{Cell, Rank, Setup};
use std::sync::LazyLock;

/// Places of a setup.
const PLACES: usize = 40;
/// What can stand on a place: a rank, or nothing, as in Barrage.
const KINDS: usize = Rank::COUNT + 1;
/// Features of one square; those of two come after them.
pub const SINGLE: usize = SQUARES * KINDS;
/// Two squares beside each other, mirror images taken together: five in each of four rows, and three rows of five, each
/// with the square ahead.
const PAIRS: usize = 4 * 5 + 3 * 5;
/// How many features there are.
pub const FEATURES: usize = SINGLE + PAIRS * KINDS * KINDS;

/// What stands on each place of a setup: a rank's index, or [`Rank::COUNT`] where nothing stands.
pub type Kinds = [u8; PLACES];

/// Two places beside each other.
#[derive(Copy, Clone, Debug)]
struct Pair {
    places: [usize; 2],
    /// The first of its features.
    base: usize,
    /// In the middle of a row: each is the other's mirror image, so it does not matter which is which.
    is_middle: bool,
}

/// All pairs, and which of them each place belongs to.
struct Pairs {
    all: Vec<Pair>,
    at: [Vec<Pair>; PLACES],
}

static PAIRS_OF: LazyLock<Pairs> = LazyLock::new(|| {
    let mut all = Vec::new();
    for place in 0..PLACES {
        let (row, file) = (place / 10, place % 10);
        if file < 9 {
            // Mirror images are read from the other side.
            let places = if file < 5 { [place, place + 1] } else { [place + 1, place] };
            all.push(Pair { places, base: pair(row * 5 + file.min(8 - file)), is_middle: file == 4 });
        }
        if row < 3 {
            let places = [place, place + 10];
            all.push(Pair { places, base: pair(20 + square(place)), is_middle: false });
        }
    }
    let of = |place: usize| all.iter().filter(|pair| pair.places.contains(&place)).copied().collect();
    let at = std::array::from_fn(of);
    Pairs { all, at }
});

const fn pair(number: usize) -> usize {
    SINGLE + number * KINDS * KINDS
}

impl Pair {
    fn feature(self, kinds: &Kinds) -> usize {
        let mut both = self.places.map(|place| usize::from(kinds[place]));
        if self.is_middle {
            both.sort_unstable();
        }
        let [one, other] = both;
        self.base + one * KINDS + other
    }
}

/// What stands where; none if a rank is not known.
pub fn kinds(setup: &Setup) -> Option<Kinds> {
    let mut kinds = [0; PLACES];
    for (kind, cell) in kinds.iter_mut().zip(setup.0) {
        *kind = match cell {
            Cell::Known(rank) => rank.index() as u8,
            Cell::Empty => Rank::COUNT as u8,
            Cell::Hidden => return None,
        };
    }
    Some(kinds)
}

/// The setup that [`kinds`] was made of.
pub fn setup(kinds: &Kinds) -> Setup {
    Setup(kinds.map(|kind| Rank::ALL.get(usize::from(kind)).map_or(Cell::Empty, |&rank| Cell::Known(rank))))
}

/// Calls `see` with each feature of the setup: 40 of one square and 66 of two.
pub fn each(kinds: &Kinds, mut see: impl FnMut(usize)) {
    for (place, &kind) in kinds.iter().enumerate() {
        see(single(place, kind));
    }
    for pair in &PAIRS_OF.all {
        see(pair.feature(kinds));
    }
}

const fn single(place: usize, kind: u8) -> usize {
    square(place) * KINDS + kind as usize
}

/// The sum of the weights of all features.
pub fn sum(kinds: &Kinds, weights: &[f64]) -> f64 {
    let mut sum = 0.0;
    each(kinds, |feature| sum += weights[feature]);
    sum
}

/// The sum of the weights of all features that have one of two places, or both.
fn sum_at(kinds: &Kinds, places: [usize; 2], weights: &[f64]) -> f64 {
    let at = |place: usize| {
        let pairs = PAIRS_OF.at[place].iter().map(|pair| weights[pair.feature(kinds)]);
        weights[single(place, kinds[place])] + pairs.sum::<f64>()
    };
    let shared = |pair: &&Pair| pair.places.contains(&places[1]);
    let twice = PAIRS_OF.at[places[0]].iter().find(shared);
    at(places[0]) + at(places[1]) - twice.map_or(0.0, |pair| weights[pair.feature(kinds)])
}

/// What exchanging two places adds to [`sum`]; they are exchanged.
pub fn exchange(kinds: &mut Kinds, places: [usize; 2], weights: &[f64]) -> f64 {
    let before = sum_at(kinds, places, weights);
    kinds.swap(places[0], places[1]);
    sum_at(kinds, places, weights) - before
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank::deployment::shuffled;
    use outflank::rng::Rng;
    use outflank::rules::Ruleset;

    fn drawn(barrage: bool, seed: u64) -> Setup {
        shuffled(&Ruleset { barrage, ..Ruleset::default() }, &mut Rng::new(seed))
    }

    fn features(setup: &Setup) -> Vec<usize> {
        let mut features = Vec::new();
        each(&kinds(setup).unwrap(), |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    #[test]
    fn mirror_images_have_the_same_features() {
        for seed in 0..50 {
            let setup = drawn(seed % 2 == 1, seed);
            let seen = features(&setup);
            assert_eq!(seen, features(&setup.mirrored()));
            assert!(seen.len() == 106 && seen.iter().all(|&feature| feature < FEATURES));
            assert_eq!(super::setup(&kinds(&setup).unwrap()), setup);
        }
        assert_eq!(kinds(&Setup::HIDDEN), None);
    }

    #[test]
    fn an_exchange_adds_what_the_whole_sum_gains() {
        let mut rng = Rng::new(6);
        let weights: Vec<f64> = (0..FEATURES).map(|_| f64::from(rng.unit())).collect();
        let mut now = kinds(&drawn(false, 7)).unwrap();
        for _ in 0..2000 {
            let before = sum(&now, &weights);
            let places = [rng.below(40), rng.below(40)];
            if places[0] != places[1] {
                let gain = exchange(&mut now, places, &weights);
                assert!((sum(&now, &weights) - before - gain).abs() < 1e-9, "{places:?}");
            }
        }
    }
}
