//! Playing below full strength, for opponents who want a chance.
//!
//! Two things weaken a level, both geometrically: it visits fewer nodes, whatever the clock would allow, and each of
//! the root's actions is taken to be better or worse than it is by random noise. With Gumbel's distribution that is
//! the same as a softmax: an action is chosen with a chance that falls exponentially with what it gives away, so
//! blunders stay rarer than small errors at every level. Two things make it err as people do: the learned policy, at a
//! high temperature, says what is plausible; and the noise never favours a strike that is known to lose.

use super::params;
use crate::math;
use crate::rng::Rng;

/// How strong to play: 1 is the weakest, 20 full strength.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub struct Level(u8);

impl Default for Level {
    fn default() -> Level {
        Level::FULL
    }
}

impl Level {
    /// Full strength.
    pub const FULL: Level = Level(20);

    /// The level of a number from 1 to 20; `None` for any other.
    pub fn new(number: u64) -> Option<Level> {
        (1..=20).contains(&number).then_some(Level(number as u8))
    }

    /// The level's number, 1 to 20.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether it is below full strength.
    pub const fn is_weaker(self) -> bool {
        self.0 < Level::FULL.0
    }

    /// The nodes it visits at most.
    pub(super) fn most_nodes(self) -> Option<u64> {
        let steps = i32::from(self.0) - 1;
        self.is_weaker().then(|| (params::fewest_nodes() * math::powi(params::more_nodes(), steps)) as u64)
    }

    /// By how much it takes an action to be better than it is, in points of evaluation.
    pub(super) fn noise(self, rng: &mut Rng) -> f32 {
        if !self.is_weaker() {
            return 0.0;
        }
        let chance = rng.unit().clamp(1e-6, 1.0 - 1e-6);
        -self.scale() * math::ln(-math::ln(chance))
    }

    /// Points that an action loses for each factor of e by which the learned policy chooses it less often than its
    /// favourite.
    pub(super) fn policy_weight(self) -> f32 {
        if !self.is_weaker() {
            return params::policy_weight();
        }
        (self.scale() / params::level_temperature()).max(params::policy_weight())
    }

    /// The most such factors that count.
    pub(super) fn policy_floor(self) -> f32 {
        if self.is_weaker() { params::level_policy_floor() } else { params::policy_floor() }
    }

    /// The scale of the noise, in points of evaluation.
    fn scale(self) -> f32 {
        params::least_noise() * math::powi(params::more_noise(), self.below())
    }

    /// Levels that it is below the first that errs.
    fn below(self) -> i32 {
        i32::from(Level::FULL.0 - 1) - i32::from(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> impl Iterator<Item = Level> {
        (1..=20).filter_map(Level::new)
    }

    #[test]
    fn each_level_visits_more_and_errs_less_than_the_one_below() {
        let nodes: Vec<u64> = levels().map(|level| level.most_nodes().unwrap_or(u64::MAX)).collect();
        assert!(nodes.windows(2).all(|pair| pair[0] < pair[1]), "{nodes:?}");
        let spread = |level: Level| {
            let mut rng = Rng::new(3);
            let noise: Vec<f32> = (0..500).map(|_| level.noise(&mut rng)).collect();
            let mean = noise.iter().sum::<f32>() / 500.0;
            noise.iter().map(|error| (error - mean).abs()).sum::<f32>()
        };
        let spreads: Vec<f32> = levels().map(spread).collect();
        assert!(spreads.windows(2).all(|pair| pair[0] > pair[1]), "{spreads:?}");
        assert_eq!(spreads.last(), Some(&0.0));
    }

    #[test]
    fn weak_levels_listen_to_the_policy_more_and_full_strength_as_ever() {
        let weights: Vec<f32> = levels().map(Level::policy_weight).collect();
        assert!(weights.windows(2).all(|pair| pair[0] >= pair[1]), "{weights:?}");
        assert!(weights[0] > 10.0 * weights[19] && (weights[19] - params::policy_weight()).abs() < 1e-6);
    }

    #[test]
    fn there_are_twenty() {
        assert_eq!(levels().count(), 20);
        assert!(Level::new(0).is_none() && Level::new(21).is_none());
        assert_eq!(Level::default(), Level::FULL);
    }
}
