//! Strikes: how one of ours may end, and how likely an enemy piece strikes one of ours that it does not know.
//!
//! The enemy reasons as we do, from what it has been shown: a strike is as likely as it is profitable by the enemy's
//! belief about us. So a piece that never moved is safe from high ranks, which fear a bomb, and one that moved is not.

use super::params;
use super::piece_value::PieceValues;
use crate::belief::{Belief, RankProbabilities};
use crate::math;
use crate::rules::{
    ByNumber, ByRank, Outcome, Piece, PieceId, PieceNumber, Position, Rank, RankSet, Square, StrikeRules,
    defenders,
};
use crate::view::Visibility;
use crate::view::blind_strikes::BlindStrikes;

/// The probabilities of how a strike by one of our pieces on an enemy piece ends.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Odds {
    /// Our piece takes the flag.
    pub(crate) flag: f32,
    /// Our piece wins, and what it takes is not the flag.
    pub(crate) win: f32,
    /// Both pieces fall.
    pub(crate) tie: f32,
    /// Our piece falls.
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

/// What the enemy can tell of one of our pieces. One of which it can tell that it is no bomb counts as moved.
pub(super) fn shown(ours: &Piece) -> Visibility {
    Visibility::of(ours.learned, !ours.learned.contains(Rank::Bomb))
}

/// The probability that each enemy rank strikes each of our pieces when it can.
pub(crate) struct AttackProbabilities {
    /// While the piece never moved.
    unmoved: ByNumber<ByRank<f32>>,
    /// Once it has.
    moved: ByNumber<ByRank<f32>>,
}

impl AttackProbabilities {
    /// `belief` is the enemy's about us in `position`, `ours` and `theirs` the piece values of either side, `strikes`
    /// what the enemy's known strong pieces have made of hidden ones beside them.
    pub(crate) fn new(
        position: &Position,
        belief: &Belief,
        ours: &PieceValues,
        theirs: &PieceValues,
        strikes: BlindStrikes,
        strike_rules: StrikeRules,
    ) -> AttackProbabilities {
        let mut tables = [ByNumber::filled(ByRank::filled(1.0)); 2];
        let mut prizes = *ours;
        prizes[Rank::Flag] = params::flag_prize();
        let factors = rate_factors(strikes);
        for (id, probabilities) in belief.pieces() {
            let way = params::way_to_flag() * params::flag_prize() * flag_beside(position, belief, *id);
            let stakes = Stakes { prizes: &prizes, way, own: theirs, strike_rules };
            let shown = [RankSet::ALL, RankSet::MOBILE].into_iter().zip(factors);
            for ((shown, factor), table) in shown.zip(&mut tables) {
                for striker in RankSet::MOBILE.iter() {
                    let profit = stakes.profit(striker, probabilities, shown);
                    let factor = if striker >= Rank::Major { factor } else { 1.0 };
                    table[*id][striker] = (factor * attack_probability(profit)).min(1.0);
                }
            }
        }
        let [unmoved, moved] = tables;
        AttackProbabilities { unmoved, moved }
    }

    /// The probability that an enemy of rank `striker` strikes our piece of this number; 1 where it knows the rank.
    pub(crate) fn of(&self, striker: Rank, number: PieceNumber, shown: Visibility) -> f32 {
        match shown {
            Visibility::Unmoved => self.unmoved[number][striker],
            Visibility::Moved => self.moved[number][striker],
            Visibility::Known => 1.0,
        }
    }
}

/// How many times as often as profit alone says the enemy strikes with a strong piece what never moved, and what has
/// moved, by what it has done so far in this game.
fn rate_factors(strikes: BlindStrikes) -> [f32; 2] {
    let weight = params::stranger_weight();
    let unmoved = strikes.unmoved.rate(params::strikes_unmoved(), weight) / params::profit_says_unmoved();
    let moved = strikes.moved.rate(params::strikes_moved(), weight) / params::profit_says_moved();
    [unmoved, moved]
}

/// How likely the enemy takes one of the pieces beside this one of ours for the flag.
fn flag_beside(position: &Position, belief: &Belief, id: PieceId) -> f32 {
    let neighbours = position.piece(id).square.into_iter().flat_map(Square::neighbours);
    let beside =
        neighbours.filter_map(|square| position.piece_at(square)).filter(|next| next.side() == id.side());
    beside.filter_map(|next| Some(belief.probabilities(next)?[Rank::Flag])).sum::<f32>().min(1.0)
}

/// What a strike at a piece is about.
struct Stakes<'a> {
    /// What it takes, by rank.
    prizes: &'a PieceValues,
    /// What standing there is worth.
    way: f32,
    /// What it loses, by the striker's rank.
    own: &'a PieceValues,
    /// Whether the striker wins against its equal.
    strike_rules: StrikeRules,
}

impl Stakes<'_> {
    /// What the striker expects of a piece of these chances, cut down to the ranks of `shown`.
    fn profit(&self, striker: Rank, probabilities: &RankProbabilities, shown: RankSet) -> f32 {
        let &Stakes { prizes, way, own, strike_rules } = self;
        let (mut profit, mut whole) = (0.0, 0.0);
        for outcome in Outcome::ALL {
            for rank in defenders(striker, outcome, strike_rules).iter().filter(|&rank| shown.contains(rank))
            {
                let chance = probabilities[rank];
                whole += chance;
                profit += chance
                    * match outcome {
                        Outcome::Win => prizes[rank] + way,
                        Outcome::Tie => prizes[rank] - own[striker],
                        Outcome::Loss => -own[striker],
                    };
            }
        }
        if whole > 0.0 { profit / whole } else { 0.0 }
    }
}

fn attack_probability(profit: f32) -> f32 {
    params::unreasonable()
        + (1.0 - 2.0 * params::unreasonable()) / (1.0 + math::exp(-profit / params::profit_spread()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::blind_strikes::Share;

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

    #[test]
    fn who_lets_hidden_pieces_stand_is_expected_to_go_on() {
        let of = |chances, taken| {
            let unmoved = Share { chances, taken };
            rate_factors(BlindStrikes { unmoved, ..BlindStrikes::default() })[0]
        };
        let stranger = of(0, 0);
        assert!(stranger < 0.5 && of(20, 0) < stranger / 2.0);
        assert!(of(5, 4) > 1.0 && of(5, 4) > of(5, 2));
    }
}
