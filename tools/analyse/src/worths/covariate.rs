//! What an action is described by, as far as its worth may depend on it.

use outflank::policy::linear::Feature;
use std::fmt;

/// A number that each action of a turn has.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Covariate {
    /// What the search expects of it, in points of evaluation. Only where the policy plays along.
    Searched,
    /// By how many nats the network of self-play likes it less than its favourite move, none to -4. Only where the policy
    /// plays along.
    SelfPlay,
    /// The same by the network of strong players' moves.
    StrongPlayers,
    /// Whether it is of this kind.
    Feature(Feature),
}

/// Those before the features.
const FIRST: [Covariate; 3] = [Covariate::Searched, Covariate::SelfPlay, Covariate::StrongPlayers];

impl Covariate {
    /// How many there are.
    pub const COUNT: usize = FIRST.len() + Feature::COUNT;

    /// All, in order.
    pub fn all() -> impl Iterator<Item = Covariate> {
        FIRST.into_iter().chain(Feature::all().map(Covariate::Feature))
    }

    /// Below [`Covariate::COUNT`].
    pub const fn index(self) -> usize {
        match self {
            Covariate::Searched => 0,
            Covariate::SelfPlay => 1,
            Covariate::StrongPlayers => 2,
            Covariate::Feature(feature) => FIRST.len() + feature.index(),
        }
    }
}

impl fmt::Display for Covariate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Covariate::Searched => f.write_str("a point that the search expects"),
            Covariate::SelfPlay => f.write_str("a nat of the self-play network"),
            Covariate::StrongPlayers => f.write_str("a nat of strong players' network"),
            Covariate::Feature(feature) => feature.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_place_of_its_own() {
        assert!(Covariate::all().map(Covariate::index).eq(0..Covariate::COUNT));
    }
}
