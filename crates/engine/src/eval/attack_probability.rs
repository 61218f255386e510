//! How likely an enemy piece strikes one of ours that it does not know.
//!
//! It reasons as we do, from what it has been shown: a strike is as likely as it is profitable by the enemy's belief
//! about us. So a piece that never moved is safe from high ranks, which fear a bomb, and one that moved is not.

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
