//! What an action is described by, as far as its worth may depend on it.

use outflank::belief::Belief;
use outflank::engine::Engine;
use outflank::policy::{self, Evaluation, linear::Feature, linear::features};
use outflank::search::Candidate;
use std::fmt;

/// A number that each action of a turn has.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Covariate {
    /// What the search expects of it, in points of evaluation. Only where the policy plays along.
    Searched,
    /// By how many nats the network of self-play likes it less than its favourite move, none to -4. Only where the policy
    /// plays along.
    SelfPlay,
    /// By how many nats the network of strong players' moves likes it less than its favourite move, as with `SelfPlay`.
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

/// The most nats by which a network's dislike of an action counts, half of what counts at the root: a straight line
/// fitted to all of them would follow the few that are far off.
const MOST_NATS: f32 = 4.0;

/// What the covariates of a turn's actions are taken from.
pub(super) struct Described<'a> {
    player: &'a Engine,
    belief: Belief,
    /// What each network says, with the logarithm for its favourite move; `None` without the policy.
    networks: Option<Vec<(Covariate, Evaluation, f32)>>,
}

impl Described<'_> {
    /// The turn of `player`; `policy` tells whether its policy plays along.
    pub(super) fn new(player: &Engine, policy: bool) -> Described<'_> {
        let networks = policy.then(|| {
            let said = policy::evaluate_each(player.view()).into_iter().flatten();
            let all = [Covariate::SelfPlay, Covariate::StrongPlayers].into_iter().zip(said);
            all.map(|(network, said)| {
                let favourite = favourite(player, &said);
                (network, said, favourite)
            })
            .collect()
        });
        Described { player, belief: player.belief(), networks }
    }

    /// The covariates of an action that are not 0.
    pub(super) fn covariates(&self, candidate: &Candidate) -> Vec<(Covariate, f32)> {
        let features = features(self.player.view(), &self.belief, candidate.action);
        let mut found: Vec<_> =
            features.into_iter().map(|feature| (Covariate::Feature(feature), 1.0)).collect();
        if let Some(networks) = &self.networks {
            found.push((Covariate::Searched, candidate.points));
            found.extend(networks.iter().map(|(network, said, favourite)| {
                // Under rules in which the networks are asked they know every action.
                let logarithm = said.logarithm(candidate.action).unwrap_or(*favourite);
                (*network, (logarithm - favourite).clamp(-MOST_NATS, 0.0))
            }));
        }
        found
    }
}

/// How likely a network chooses the move that it likes best, as a logarithm: strikes do not count.
fn favourite(player: &Engine, said: &Evaluation) -> f32 {
    let position = player.view().position();
    let moves =
        said.actions.iter().zip(&said.log_probabilities).filter(|(action, _)| !position.is_strike(**action));
    moves.map(|(_, logarithm)| *logarithm).fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_place_of_its_own() {
        assert!(Covariate::all().map(Covariate::index).eq(0..Covariate::COUNT));
    }
}
