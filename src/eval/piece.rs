//! What each enemy piece means to us: the profits of striking it and of being struck by it.

use super::attack_probability::Visibility;
use super::odds::mass;
use super::params::{BESIDE_FLAG, KNOWN_VALUE, UNKNOWN_THREAT};
use super::root::{OwnPiece, PIECES, Root};
use crate::belief::RankProbabilities;
use crate::rules::{ByRank, Outcome, PieceId, Rank, RankSet, battle};

/// The evaluation of one enemy piece, by what is known of it; in points.
#[derive(Copy, Clone)]
pub(crate) struct PieceEvaluation {
    /// Its expected value.
    pub(super) value: f32,
    /// The value of what we know of it.
    pub(super) known: f32,
    /// The ranks it may have; none for a piece that does not stand.
    pub(super) set: RankSet,
    /// The probability of each.
    pub(super) probabilities: RankProbabilities,
    /// Whether its rank has been shown in the tree, whichever it was.
    pub(super) revealed: bool,
    /// The probability that it can move.
    pub(crate) mobile: f32,
    /// Attack value: the expected profit of each of our pieces striking it, by number.
    pub(crate) attack: [f32; PIECES],
    /// Threat value: the expected profit of it striking each of our pieces, by number and by what it has been shown
    /// of that piece; it strikes where the attack probability says so, and only where that profits it.
    pub(crate) threat: [[f32; Visibility::COUNT]; PIECES],
}

impl PieceEvaluation {
    /// The evaluation of a piece that does not stand.
    pub(super) const BLANK: PieceEvaluation = PieceEvaluation {
        value: 0.0,
        known: 0.0,
        set: RankSet::EMPTY,
        probabilities: ByRank::filled(0.0),
        revealed: false,
        mobile: 0.0,
        attack: [0.0; PIECES],
        threat: [[0.0; Visibility::COUNT]; PIECES],
    };

    /// The evaluation of a standing enemy piece that may have the ranks of `set`, and whose rank may have been shown.
    pub(super) fn new(root: &Root, id: PieceId, set: RankSet, revealed: bool) -> PieceEvaluation {
        let probabilities = root.within(id, set);
        let certain = revealed || set.single().is_some();
        let fully_known: f32 =
            KNOWN_VALUE.values().zip(probabilities.values()).map(|(value, chance)| value * chance).sum();
        let mut piece = PieceEvaluation { set, probabilities, revealed, ..PieceEvaluation::BLANK };
        for rank in Rank::ALL {
            let chance = probabilities[rank];
            if rank != Rank::Flag {
                piece.value += chance * root.value(id, rank);
            }
            piece.known += KNOWN_VALUE[rank] * if certain { chance } else { chance * chance };
        }
        piece.known *= root.progress;
        piece.mobile = mass(&probabilities, RankSet::MOBILE);
        let to_learn = (fully_known * root.progress - piece.known).max(0.0);
        for own in &root.army.pieces {
            let exchange = Exchange { root, probabilities: &probabilities, own, enemy: id };
            let number = own.id.number();
            if own.rank.is_mobile() {
                let told = own.rank == Rank::Scout || !root.army.silent;
                piece.attack[number] = exchange.attack() + if told { to_learn } else { 0.0 };
            }
            piece.threat[number] = if own.rank == Rank::Flag {
                [BESIDE_FLAG * mass(&probabilities, root.army.openers); Visibility::COUNT]
            } else {
                exchange.threat().map(|threat| threat * if certain { 1.0 } else { UNKNOWN_THREAT })
            };
        }
        piece
    }
}

/// One of our pieces against one of theirs.
struct Exchange<'a> {
    root: &'a Root,
    probabilities: &'a RankProbabilities,
    own: &'a OwnPiece,
    enemy: PieceId,
}

impl Exchange<'_> {
    /// What we can expect of striking.
    fn attack(&self) -> f32 {
        let own = self.own.rank;
        let ours = self.root.ours()[own];
        let mut profit = -self.own.hidden;
        for rank in Rank::ALL {
            let theirs = self.root.value(self.enemy, rank);
            profit += self.probabilities[rank]
                * match battle(own, rank, self.root.army.aggressor) {
                    Outcome::Win => theirs,
                    Outcome::Tie => theirs - ours + self.root.lead * (theirs + ours),
                    Outcome::Loss => -ours,
                };
        }
        profit
    }

    /// What the enemy can expect of striking, doing it only with ranks that profit.
    fn threat(&self) -> [f32; Visibility::COUNT] {
        let OwnPiece { id, rank: own, .. } = *self.own;
        let ours = self.root.value(id, own);
        let mut threat = [0.0; Visibility::COUNT];
        for rank in RankSet::MOBILE.iter() {
            let profit = match battle(rank, own, self.root.army.aggressor) {
                Outcome::Win => ours,
                Outcome::Tie => ours - self.root.theirs()[rank],
                Outcome::Loss => 0.0,
            };
            let expected = self.probabilities[rank] * profit.max(0.0);
            for shown in Visibility::ALL {
                let strikes = self.root.attack_probabilities.of(rank, id.number(), shown);
                threat[shown as usize] += expected * strikes;
            }
        }
        threat
    }
}
