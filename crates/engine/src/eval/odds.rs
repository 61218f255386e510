//! How a strike of ours may end.

use super::params;
use crate::belief::RankProbabilities;
use crate::rules::{Outcome, Rank, RankSet, StrikeRules, defenders};

/// The probabilities of how a strike by one of our pieces on an enemy piece ends.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Odds {
    /// It takes the flag.
    pub(crate) flag: f32,
    /// It wins otherwise.
    pub(crate) win: f32,
    /// Both fall.
    pub(crate) tie: f32,
    /// It falls.
    pub(crate) loss: f32,
    /// The part of that in which it falls to a bomb.
    pub(crate) bomb: f32,
}

impl Odds {
    /// The odds of a strike by `striker` on a piece of these probabilities, which is the flag with the probability
    /// `flag` by what is known of others.
    pub(super) fn new(
        striker: Rank,
        probabilities: &RankProbabilities,
        flag: f32,
        strike_rules: StrikeRules,
    ) -> Odds {
        let mass = |outcome| mass(probabilities, defenders(striker, outcome, strike_rules));
        let alone = probabilities[Rank::Flag];
        let rest = if alone < 1.0 { (1.0 - flag) / (1.0 - alone) } else { 0.0 };
        let (win, tie, loss) =
            (rest * (mass(Outcome::Win) - alone), rest * mass(Outcome::Tie), rest * mass(Outcome::Loss));
        let stays = defenders(striker, Outcome::Loss, strike_rules).contains(Rank::Bomb);
        let bomb = if stays { rest * probabilities[Rank::Bomb] } else { 0.0 };
        Odds { flag, win, tie, loss, bomb }
    }

    /// The odds of a strike that is chosen for its odds: a piece that is believed too weak gets struck, one that is
    /// believed too strong does not.
    pub(super) fn chosen(self) -> Odds {
        let (flag, loss) = (self.flag * params::chosen_flag(), self.loss * params::chosen_loss());
        let bomb = self.bomb * params::chosen_loss();
        let whole = flag + self.win + self.tie + loss;
        if whole <= 0.0 {
            return self;
        }
        let share = |part: f32| part / whole;
        Odds {
            flag: share(flag),
            win: share(self.win),
            tie: share(self.tie),
            loss: share(loss),
            bomb: share(bomb),
        }
    }
}

/// The probability of any rank of a set.
pub(crate) fn mass(probabilities: &RankProbabilities, set: RankSet) -> f32 {
    set.iter().map(|rank| probabilities[rank]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strike_that_is_chosen_is_trusted_less_unless_it_is_certain() {
        let believed = Odds { flag: 0.1, win: 0.5, tie: 0.1, loss: 0.3, bomb: 0.1 };
        let odds = believed.chosen();
        assert!((odds.flag + odds.win + odds.tie + odds.loss - 1.0).abs() < 1e-6, "{odds:?}");
        assert!((odds.win / odds.tie - believed.win / believed.tie).abs() < 1e-4);
        assert!((odds.bomb / odds.loss - believed.bomb / believed.loss).abs() < 1e-4);
        assert!(odds.loss > believed.loss && odds.win < believed.win && odds.flag < 0.6 * believed.flag);
        for certain in
            [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
        {
            let [flag, win, tie, loss] = certain;
            let odds = Odds { flag, win, tie, loss, bomb: 0.0 }.chosen();
            let same = [odds.flag, odds.win, odds.tie, odds.loss].into_iter().zip(certain);
            assert!(same.into_iter().all(|(odds, certain)| (odds - certain).abs() < 1e-6), "{odds:?}");
        }
    }
}
