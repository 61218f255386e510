//! What is looked at in a setup.

use crate::book::surprise_at;
use outflank::belief::{Belief, RankProbabilities};
use outflank::deployment::{heuristic_score, open_sides};
use outflank::rules::{Cell, Rank, RankSet, Ruleset, Setup, Side, Square};
use std::fmt;

/// Sergeants to captains.
const MIDDLING: RankSet =
    RankSet::only(Rank::Sergeant).or(RankSet::only(Rank::Lieutenant)).or(RankSet::only(Rank::Captain));
/// Colonels and better.
const STRONG: RankSet =
    RankSet::only(Rank::Colonel).or(RankSet::only(Rank::General)).or(RankSet::only(Rank::Marshal));
/// What is counted near the flag; how it is closed in is told by its open sides.
const NEAR_FLAG: [RankSet; 8] = [
    RankSet::only(Rank::Scout),
    RankSet::only(Rank::Miner),
    RankSet::only(Rank::Spy),
    MIDDLING,
    RankSet::only(Rank::Major),
    RankSet::only(Rank::Colonel),
    RankSet::only(Rank::General),
    RankSet::only(Rank::Marshal),
];
/// How near, in steps.
const NEAR: [usize; 3] = [1, 2, 3];
/// Whose distance is looked at: that of the nearest two.
const APART: [(Rank, Rank); 7] = [
    (Rank::Spy, Rank::Marshal),
    (Rank::Spy, Rank::General),
    (Rank::Marshal, Rank::General),
    (Rank::Spy, Rank::Flag),
    (Rank::General, Rank::Flag),
    (Rank::Marshal, Rank::Flag),
    (Rank::Colonel, Rank::Flag),
];
/// Of whom it is asked whether they stand on the same wing.
const WINGS: [(Rank, Rank); 4] = [
    (Rank::Marshal, Rank::General),
    (Rank::Marshal, Rank::Flag),
    (Rank::General, Rank::Flag),
    (Rank::Spy, Rank::Flag),
];

/// Something of a setup that a number can tell; the same for its mirror image, but for what the belief lacks.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Feature {
    /// Sides of the flag without a bomb.
    OpenSides,
    /// Whether the flag stands on the row; 2 stands for 2 and 3.
    FlagRow(usize),
    /// Whether the flag is so many steps from the nearer edge.
    FlagFile(usize),
    /// Pieces of these ranks within so many steps of the flag.
    NearFlag(RankSet, usize),
    /// Pieces of the rank on the row; 0 is the back row.
    Row(Rank, usize),
    /// Pieces of the rank on the front row with no lake before them.
    OpenFront(Rank),
    /// Steps between the nearest two of these ranks.
    Apart(Rank, Rank),
    /// Whether these two stand on the same wing.
    SameWing(Rank, Rank),
    /// Pieces that could move and have bombs, the flag and edges on every side.
    Enclosed,
    /// Pairs of bombs side by side, away from the flag.
    Decoys,
    /// Bombs on the wing where the flag is not.
    OtherWingBombs,
    /// Colonels and better with a lake before their file.
    BehindLakes,
    /// Colonels and better on the flag's wing.
    FlagWingStrength,
    /// Nats a piece that the belief lacks.
    Surprise,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = |ranks: RankSet| ranks.iter().map(Rank::letter).collect::<String>();
        match *self {
            Feature::OpenSides => write!(f, "open sides of the flag"),
            Feature::FlagRow(row) => write!(f, "flag on row {row}"),
            Feature::FlagFile(steps) => write!(f, "flag {steps} from the edge"),
            Feature::NearFlag(ranks, steps) => write!(f, "{} within {steps} of the flag", letters(ranks)),
            Feature::Row(rank, row) => write!(f, "{rank} on row {row}"),
            Feature::OpenFront(rank) => write!(f, "{rank} in front, no lake"),
            Feature::Apart(one, other) => write!(f, "steps from {one} to {other}"),
            Feature::SameWing(one, other) => write!(f, "{one} and {other} on one wing"),
            Feature::Enclosed => write!(f, "pieces closed in"),
            Feature::Decoys => write!(f, "bombs side by side, not at the flag"),
            Feature::OtherWingBombs => write!(f, "bombs on the wing without the flag"),
            Feature::BehindLakes => write!(f, "strong pieces behind lakes"),
            Feature::FlagWingStrength => write!(f, "strong pieces on the flag's wing"),
            Feature::Surprise => write!(f, "nats the belief lacks"),
        }
    }
}

/// Every feature, in the order of [`Features::of`].
fn all() -> Vec<Feature> {
    let mut all = vec![Feature::OpenSides];
    all.extend((0..3).map(Feature::FlagRow));
    all.extend((0..2).map(Feature::FlagFile));
    all.extend(NEAR_FLAG.into_iter().flat_map(|ranks| NEAR.map(|steps| Feature::NearFlag(ranks, steps))));
    let ranks = || Rank::ALL.into_iter().filter(|&rank| rank != Rank::Flag);
    all.extend(ranks().flat_map(|rank| (0..4).map(move |row| Feature::Row(rank, row))));
    all.extend(ranks().map(Feature::OpenFront));
    all.extend(APART.map(|(one, other)| Feature::Apart(one, other)));
    all.extend(WINGS.map(|(one, other)| Feature::SameWing(one, other)));
    all.extend([Feature::Enclosed, Feature::Decoys, Feature::OtherWingBombs]);
    all.extend([Feature::BehindLakes, Feature::FlagWingStrength, Feature::Surprise]);
    all
}

/// Looks at setups, and knows what the engine's belief says of an army nobody has seen move.
pub struct Features {
    list: Vec<Feature>,
    probabilities: Vec<RankProbabilities>,
}

/// A setup's pieces by place; row 0 is the back row.
struct Army<'a>(&'a Setup);

impl Army<'_> {
    fn rank(&self, place: usize) -> Option<Rank> {
        match self.0.0[place] {
            Cell::Known(rank) => Some(rank),
            Cell::Hidden | Cell::Empty => None,
        }
    }

    fn is_of(&self, place: usize, ranks: RankSet) -> bool {
        self.rank(place).is_some_and(|rank| ranks.contains(rank))
    }

    fn places(&self, ranks: RankSet) -> impl Iterator<Item = usize> {
        (0..40).filter(move |&place| self.is_of(place, ranks))
    }

    fn count(&self, ranks: RankSet, there: impl Fn(usize) -> bool) -> f64 {
        self.places(ranks).filter(|&place| there(place)).count() as f64
    }

    fn place(&self, rank: Rank) -> usize {
        self.places(RankSet::only(rank)).next().unwrap_or(0)
    }

    /// Steps between the nearest two of these ranks.
    fn apart(&self, one: Rank, other: Rank) -> usize {
        let others = || self.places(RankSet::only(other));
        let pairs =
            self.places(RankSet::only(one)).flat_map(|place| others().map(move |next| apart(place, next)));
        pairs.min().unwrap_or(0)
    }
}

fn apart(one: usize, two: usize) -> usize {
    (one / 10).abs_diff(two / 10) + (one % 10).abs_diff(two % 10)
}

/// Whether no lake lies before the file.
fn is_open(place: usize) -> bool {
    Square::new((place % 10) as u8, 4).is_some()
}

fn is_left(place: usize) -> bool {
    place % 10 < 5
}

fn neighbours(place: usize) -> impl Iterator<Item = usize> {
    let square = Square::of_setup(Side::Red, place);
    square.into_iter().flat_map(Square::neighbours).filter_map(|next| next.setup_place(Side::Red))
}

impl Features {
    /// Asks the engine's belief what it expects of a whole army.
    ///
    /// # Errors
    /// If the engine cannot see an army of hidden pieces.
    pub fn new() -> anyhow::Result<Features> {
        let belief = Belief::of_enemies(&crate::fit::opening()?);
        let probabilities = belief.pieces().iter().map(|(_, probabilities)| *probabilities).collect();
        Ok(Features { list: all(), probabilities })
    }

    /// How many features there are.
    #[allow(clippy::len_without_is_empty, reason = "there are always some")]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// The features' names, in the order of [`Features::of`].
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.list.iter().map(Feature::to_string)
    }

    /// How badly the engine's belief guesses the setup before anyone has moved, in nats a piece.
    pub fn surprise(&self, setup: &Setup) -> f64 {
        surprise_at(setup, self.probabilities.iter())
    }

    /// The features of a whole army; the same for its mirror image, nearly.
    pub fn of(&self, setup: &Setup) -> Vec<f64> {
        self.list.iter().map(|&feature| self.value(feature, setup)).collect()
    }

    fn value(&self, feature: Feature, setup: &Setup) -> f64 {
        let army = Army(setup);
        let flag = army.place(Rank::Flag);
        let one_if = |is: bool| f64::from(u8::from(is));
        match feature {
            Feature::OpenSides => open_sides(setup) as f64,
            Feature::FlagRow(row) => one_if((flag / 10).min(2) == row),
            Feature::FlagFile(steps) => one_if((flag % 10).min(9 - flag % 10) == steps),
            Feature::NearFlag(ranks, steps) => army.count(ranks, |place| apart(place, flag) <= steps),
            Feature::Row(rank, row) => army.count(RankSet::only(rank), |place| place / 10 == row),
            Feature::OpenFront(rank) => {
                army.count(RankSet::only(rank), |place| place / 10 == 3 && is_open(place))
            }
            Feature::Apart(one, other) => army.apart(one, other) as f64,
            Feature::SameWing(one, other) => one_if(is_left(army.place(one)) == is_left(army.place(other))),
            Feature::Enclosed => army.count(RankSet::MOBILE, |place| {
                neighbours(place).all(|next| army.is_of(next, RankSet::IMMOBILE))
            }),
            Feature::Decoys => decoys(&army, flag),
            Feature::OtherWingBombs => {
                army.count(RankSet::only(Rank::Bomb), |place| is_left(place) != is_left(flag))
            }
            Feature::BehindLakes => army.count(STRONG, |place| !is_open(place)),
            Feature::FlagWingStrength => army.count(STRONG, |place| is_left(place) == is_left(flag)),
            Feature::Surprise => self.surprise(setup),
        }
    }
}

/// Pairs of bombs side by side, none of them beside the flag.
fn decoys(army: &Army<'_>, flag: usize) -> f64 {
    let spare = || army.places(RankSet::only(Rank::Bomb)).filter(|&bomb| apart(bomb, flag) > 1);
    let beside = |one: usize| spare().filter(|&other| other > one && apart(one, other) == 1).count();
    spare().map(beside).sum::<usize>() as f64
}

/// The one feature that stands for the rules of the trade, for comparison.
pub fn by_the_rules(setup: &Setup) -> f64 {
    f64::from(heuristic_score(&Ruleset::default(), setup))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_look_alike() {
        let setup: Setup = "32B637F353B4534268622BBS5226B4528972M74B".parse().unwrap();
        let features = Features::new().unwrap();
        let [values, mirrored] = [setup, setup.mirrored()].map(|setup| features.of(&setup));
        for ((one, other), name) in values.iter().zip(mirrored).zip(features.names()) {
            assert!((one - other).abs() < 1e-2, "{name}: {one} {other}");
        }
    }

    #[test]
    fn features_are_what_they_are_called() {
        let setup: Setup = "BFB222223333345444BB566675558S7928M672BB".parse().unwrap();
        let features = Features::new().unwrap();
        let values = features.of(&setup);
        let names: Vec<String> = features.names().collect();
        assert_eq!((names.len(), values.len()), (features.len(), features.len()));
        let expected = [
            ("open sides of the flag", 1.0),
            ("flag on row 0", 1.0),
            ("flag on row 1", 0.0),
            ("flag 0 from the edge", 0.0),
            ("flag 1 from the edge", 1.0),
            ("3 within 1 of the flag", 1.0),
            ("3 within 3 of the flag", 3.0),
            ("2 on row 0", 5.0),
            ("B on row 3", 2.0),
            ("B in front, no lake", 2.0),
            ("steps from S to M", 6.0),
            ("steps from M to 9", 3.0),
            ("M and 9 on one wing", 1.0),
            ("pieces closed in", 0.0),
            ("bombs side by side, not at the flag", 2.0),
            ("bombs on the wing without the flag", 4.0),
        ];
        for (name, value) in expected {
            let found = values[names.iter().position(|other| other == name).unwrap()];
            assert!((found - value).abs() < 1e-9, "{name}: {found}, not {value}");
        }
    }
}
