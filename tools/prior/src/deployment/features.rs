//! What is looked at in a setup.

use outflank::belief::{Belief, RankProbabilities};
use outflank::deployment::heuristic_score;
use outflank::rules::{Cell, Rank, Setup, Side, Square};

/// How many features there are.
pub const COUNT: usize = NAMES.len();

/// The features' names, in the order of [`Features::of`].
pub const NAMES: [&str; 27] = [
    "open sides of the flag",
    "row of the flag",
    "flag's way to the edge",
    "weak pieces near the flag",
    "middling pieces near the flag",
    "strong pieces near the flag",
    "bombs on the front row",
    "bombs on the second row",
    "bombs before open files",
    "decoys: bombs side by side",
    "bombs on the other wing",
    "scouts on the front row",
    "scouts before open files",
    "scouts at home",
    "miners at home",
    "miners on the front row",
    "row of the spy",
    "spy to the nearest of M, 9",
    "row of the Marshal",
    "row of the general",
    "rows of colonels",
    "rows of majors",
    "rows of captains",
    "Marshal and general apart",
    "strength behind lakes",
    "flag's wing, strength",
    "nats the belief lacks",
];

/// Looks at setups, and knows what the engine's belief says of an army nobody has seen move.
pub struct Features {
    probabilities: Vec<RankProbabilities>,
}

/// A setup's pieces by place.
struct Army<'a>(&'a Setup);

impl Army<'_> {
    fn rank(&self, place: usize) -> Option<Rank> {
        match self.0.0[place] {
            Cell::Known(rank) => Some(rank),
            Cell::Hidden | Cell::Empty => None,
        }
    }

    fn places(&self, is: impl Fn(Rank) -> bool) -> Vec<usize> {
        (0..40).filter(|&place| self.rank(place).is_some_and(&is)).collect()
    }

    fn count(&self, is: impl Fn(Rank) -> bool, there: impl Fn(usize) -> bool) -> f64 {
        self.places(is).into_iter().filter(|&place| there(place)).count() as f64
    }

    fn rows(&self, rank: Rank) -> f64 {
        let places = self.places(|other| other == rank);
        places.iter().map(|place| (place / 10) as f64).sum::<f64>() / places.len().max(1) as f64
    }

    fn place(&self, rank: Rank) -> usize {
        self.places(|other| other == rank).first().copied().unwrap_or(0)
    }
}

fn apart(one: usize, two: usize) -> usize {
    (one / 10).abs_diff(two / 10) + (one % 10).abs_diff(two % 10)
}

/// Whether no lake lies before the file.
fn is_open(place: usize) -> bool {
    Square::new((place % 10) as u8, 4).is_some()
}

fn is_strong(rank: Rank) -> bool {
    matches!(rank, Rank::Colonel | Rank::General | Rank::Marshal)
}

fn is_middling(rank: Rank) -> bool {
    matches!(rank, Rank::Lieutenant | Rank::Captain | Rank::Major)
}

fn is_weak(rank: Rank) -> bool {
    matches!(rank, Rank::Spy | Rank::Scout | Rank::Miner | Rank::Sergeant)
}

/// How many sides of the flag no bomb stands on.
pub fn open_sides(setup: &Setup) -> f64 {
    let army = Army(setup);
    let square = Square::of_setup(Side::Red, army.place(Rank::Flag));
    let places =
        square.into_iter().flat_map(Square::neighbours).filter_map(|next| next.setup_place(Side::Red));
    places.filter(|&place| army.rank(place) != Some(Rank::Bomb)).count() as f64
}

impl Features {
    /// Asks the engine's belief what it expects of a whole army.
    ///
    /// # Errors
    /// If the engine cannot see an army of hidden pieces.
    pub fn new() -> anyhow::Result<Features> {
        let belief = Belief::of_enemies(&crate::fit::opening()?);
        Ok(Features {
            probabilities: belief.pieces().iter().map(|(_, probabilities)| *probabilities).collect(),
        })
    }

    /// How badly the engine's belief guesses the setup before anyone has moved, in nats a piece.
    pub fn surprise(&self, setup: &Setup) -> f64 {
        let army = Army(setup);
        let nats = |(place, probabilities): (usize, &RankProbabilities)| {
            army.rank(place).map_or(0.0, |rank| -f64::from(probabilities[rank]).ln())
        };
        self.probabilities.iter().enumerate().map(nats).sum::<f64>() / self.probabilities.len() as f64
    }

    /// The features of a whole army; the same for its mirror image, nearly.
    pub fn of(&self, setup: &Setup) -> [f64; COUNT] {
        let [guard, posts] = [guard(setup), posts(setup)];
        let mut values = [0.0; COUNT];
        for (value, found) in values.iter_mut().zip(guard.into_iter().chain(posts)) {
            *value = found;
        }
        values[COUNT - 1] = self.surprise(setup);
        values
    }
}

/// Flag and bombs.
fn guard(setup: &Setup) -> Vec<f64> {
    let army = Army(setup);
    let flag = army.place(Rank::Flag);
    let bombs = army.places(|rank| rank == Rank::Bomb);
    let is_bomb = |rank| rank == Rank::Bomb;
    let near = |is: fn(Rank) -> bool| army.count(is, |place| apart(place, flag) <= 3);
    let spare = || bombs.iter().filter(|&&bomb| apart(bomb, flag) > 1);
    let decoys =
        spare().flat_map(|one| spare().map(move |two| apart(*one, *two) == 1)).filter(|&beside| beside);
    vec![
        open_sides(setup),
        (flag / 10) as f64,
        (flag % 10).min(9 - flag % 10) as f64,
        near(is_weak),
        near(is_middling),
        near(is_strong),
        army.count(is_bomb, |place| place / 10 == 3),
        army.count(is_bomb, |place| place / 10 == 2),
        army.count(is_bomb, |place| place / 10 > 1 && is_open(place)),
        decoys.count() as f64 / 2.0,
        army.count(is_bomb, |place| (place % 10 < 5) != (flag % 10 < 5)),
    ]
}

/// Where those that move stand.
fn posts(setup: &Setup) -> Vec<f64> {
    let army = Army(setup);
    let [spy, marshal, general, flag] =
        [Rank::Spy, Rank::Marshal, Rank::General, Rank::Flag].map(|rank| army.place(rank));
    let scouts = |there: fn(usize) -> bool| army.count(|rank| rank == Rank::Scout, there);
    let miners = |there: fn(usize) -> bool| army.count(|rank| rank == Rank::Miner, there);
    vec![
        scouts(|place| place / 10 == 3),
        scouts(|place| place / 10 == 3 && is_open(place)),
        scouts(|place| place / 10 < 2),
        miners(|place| place / 10 < 2),
        miners(|place| place / 10 == 3),
        army.rows(Rank::Spy),
        apart(spy, marshal).min(apart(spy, general)) as f64,
        army.rows(Rank::Marshal),
        army.rows(Rank::General),
        army.rows(Rank::Colonel),
        army.rows(Rank::Major),
        army.rows(Rank::Captain),
        (marshal % 10).abs_diff(general % 10) as f64,
        army.count(is_strong, |place| !is_open(place)),
        army.count(is_strong, |place| (place % 10 < 5) == (flag % 10 < 5)),
    ]
}

/// The one feature that stands for today's rules of the trade, for comparison.
pub fn by_the_rules(setup: &Setup) -> f64 {
    f64::from(heuristic_score(setup))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_look_alike() {
        let setup: Setup = "32B637F353B4534268622BBS5226B4528972M74B".parse().unwrap();
        let features = Features::new().unwrap();
        for ((one, other), name) in features.of(&setup).iter().zip(features.of(&setup.mirrored())).zip(NAMES)
        {
            assert!((one - other).abs() < 1e-2, "{name}: {one} {other}");
        }
    }

    #[test]
    fn features_are_what_they_are_called() {
        let setup: Setup = "BFB222223333345444BB566675558S7928M672BB".parse().unwrap();
        let values = Features::new().unwrap().of(&setup);
        let of = |name| values[NAMES.iter().position(|&other| other == name).unwrap()];
        assert!((of("open sides of the flag") - 1.0).abs() < 1e-9);
        assert!(of("row of the flag") < 1e-9 && (of("scouts at home") - 5.0).abs() < 1e-9);
        assert!(
            (of("bombs on the front row") - 2.0).abs() < 1e-9
                && (of("bombs before open files") - 2.0).abs() < 1e-9
        );
        assert!((of("decoys: bombs side by side") - 2.0).abs() < 1e-9);
    }
}
