//! What each enemy piece means to us: the profits of striking it and of being struck by it, and which of our attackers it
//! can stop.
//!
//! An evaluation depends on the root and on what the piece may still be, not on where anybody stands. In a tree the same
//! few sets come back again and again, so each is worked out once.

use super::enemy_piece::{EnemyPiece, Place};
use super::odds::mass;
use super::params;
use super::root::{OwnPiece, Root};
use super::state::InformationState;
use crate::belief::RankProbabilities;
use crate::rules::{ByNumber, ByRank, Outcome, PieceId, PieceNumber, PieceSet, Rank, RankSet, battle};
use crate::view::Visibility;

/// Kinds of attackers: up to lieutenants, captains and majors, colonels and better.
pub(super) const KINDS: usize = 3;
/// The second kind.
pub(super) const MIDDLE: RankSet = RankSet::only(Rank::Captain).or(RankSet::only(Rank::Major));
/// The third.
pub(super) const STRONG: RankSet =
    RankSet::only(Rank::Colonel).or(RankSet::only(Rank::General)).or(RankSet::only(Rank::Marshal));

/// Index of the kind that a rank is of.
pub(super) fn kind(rank: Rank) -> usize {
    if STRONG.contains(rank) { 2 } else { usize::from(MIDDLE.contains(rank)) }
}

/// The evaluation of one enemy piece, by what is known of it; in points.
#[derive(Copy, Clone)]
pub(super) struct PieceEvaluation {
    /// What it may be.
    pub(super) enemy: EnemyPiece,
    /// The value of what we know of it.
    pub(super) known: f32,
    /// Whether it may stop a runner of ours, by the runner's kind.
    pub(super) stops: [bool; KINDS],
    /// Where its rank is known: our pieces that beat it by striking.
    pub(super) beaten_by: PieceSet,
    /// Attack value: the expected profit of each of our pieces striking it.
    pub(super) attack: ByNumber<f32>,
    /// Where its rank is known: our pieces that it has to fear until it knows them.
    pub(super) fears: PieceSet,
    /// What being beside it is worth to these at least.
    pub(super) bluff: f32,
    /// Threat value: the expected profit of it striking each of our pieces, by what it has been shown
    /// of that piece; it strikes where the attack probability says so, and only where that profits it.
    pub(super) threat: ByNumber<[f32; Visibility::ALL.len()]>,
}

impl PieceEvaluation {
    /// The evaluation of a piece that does not stand.
    pub(super) const BLANK: PieceEvaluation = PieceEvaluation {
        enemy: EnemyPiece::GONE,
        known: 0.0,
        stops: [false; KINDS],
        beaten_by: PieceSet::EMPTY,
        attack: ByNumber::filled(0.0),
        fears: PieceSet::EMPTY,
        bluff: 0.0,
        threat: ByNumber::filled([0.0; Visibility::ALL.len()]),
    };

    /// The evaluation of a standing enemy piece.
    fn new(root: &Root, id: PieceId, enemy: &EnemyPiece) -> PieceEvaluation {
        let &EnemyPiece { set, revealed, probabilities, .. } = enemy;
        let certain = revealed || set.single().is_some();
        let fully_known: f32 =
            Rank::ALL.into_iter().map(|rank| known_value(rank) * probabilities[rank]).sum();
        let mut piece = PieceEvaluation { enemy: *enemy, ..PieceEvaluation::BLANK };
        for rank in Rank::ALL {
            let chance = probabilities[rank];
            piece.known += known_value(rank) * if certain { chance } else { chance * chance };
        }
        piece.known *= root.progress;
        piece.stops = stops(&probabilities);
        if let Some(rank) = set.single() {
            piece.beaten_by = root.army.beating(rank);
            piece.fears = root.feared[rank];
            piece.bluff = params::bluff() * root.theirs()[rank];
        }
        let to_learn = (fully_known * root.progress - piece.known).max(0.0);
        let exchange = Exchange::new(root, id, &probabilities);
        let beside_flag = params::beside_flag() * mass(&probabilities, root.army.openers);
        for own in &root.army.pieces {
            if own.rank.is_mobile() {
                let shown = own.rank == Rank::Scout || !root.army.silent;
                piece.attack[own.id] = exchange.attack(own) + if shown { to_learn } else { 0.0 };
            }
            piece.threat[own.id] = if own.rank == Rank::Flag {
                [beside_flag; Visibility::ALL.len()]
            } else {
                exchange
                    .threat(own)
                    .map(|threat| threat * if certain { 1.0 } else { params::unknown_threat() })
            };
        }
        piece
    }
}

/// Whether a piece may stop a runner of ours, by the runner's kind: one that it can only lose to does not.
fn stops(probabilities: &RankProbabilities) -> [bool; KINDS] {
    let least = [params::may_stop(), params::may_stop_middle(), params::may_stop_strong()];
    let ranks = [RankSet::MOBILE, MIDDLE.or(STRONG), STRONG];
    std::array::from_fn(|kind| mass(probabilities, ranks[kind]) >= least[kind])
}

/// The value of knowing an enemy piece for sure, by its rank.
fn known_value(rank: Rank) -> f32 {
    params::known_scale() * params::known_value(rank)
}

/// Each of our ranks against one enemy piece.
struct Exchange<'a> {
    root: &'a Root,
    probabilities: &'a RankProbabilities,
    /// The ranks that the enemy piece may have.
    possible: RankSet,
    /// By our rank and, in order, by theirs of `possible`: what a strike brings, times the probability of that rank.
    shares: ByRank<[f32; Rank::COUNT]>,
    /// By our rank: theirs that may profit from a strike, each with its profit times its probability.
    profits: ByRank<Profits>,
}

/// The first so many of the list count.
type Profits = ([(Rank, f32); Rank::COUNT], usize);

const NO_PROFITS: ByRank<Profits> = ByRank::filled(([(Rank::Flag, 0.0); Rank::COUNT], 0));

impl Exchange<'_> {
    fn new<'a>(root: &'a Root, enemy: PieceId, probabilities: &'a RankProbabilities) -> Exchange<'a> {
        let possible: RankSet = Rank::ALL.into_iter().filter(|rank| probabilities[*rank] != 0.0).collect();
        let mut shares = ByRank::filled([0.0; Rank::COUNT]);
        for own in root.army.ranks.iter().filter(|own| own.is_mobile()) {
            let ours = root.ours()[own];
            for (share, rank) in shares[own].iter_mut().zip(possible.iter()) {
                let theirs = root.value(enemy, rank);
                *share = probabilities[rank]
                    * match battle(own, rank, root.army.strike_rules) {
                        Outcome::Win => theirs,
                        Outcome::Tie => theirs - ours + root.lead * (theirs + ours),
                        Outcome::Loss => -ours,
                    };
            }
        }
        let mut exchange = Exchange { root, probabilities, possible, shares, profits: NO_PROFITS };
        for own in root.army.ranks.iter() {
            exchange.profits[own] = exchange.profits(own, root.ours()[own]);
        }
        exchange
    }

    /// The ranks that profit from striking a piece of ours of this rank and value.
    fn profits(&self, own: Rank, ours: f32) -> Profits {
        let (mut list, mut count) = NO_PROFITS[own];
        for rank in self.possible.iter().filter(|rank| rank.is_mobile()) {
            let profit = match battle(rank, own, self.root.army.strike_rules) {
                Outcome::Win => ours,
                Outcome::Tie => ours - self.root.theirs()[rank],
                Outcome::Loss => continue,
            };
            list[count] = (rank, self.probabilities[rank] * profit.max(0.0));
            count += 1;
        }
        (list, count)
    }

    /// What we can expect of striking with this piece.
    fn attack(&self, own: &OwnPiece) -> f32 {
        let shares = &self.shares[own.rank][..self.possible.len()];
        shares.iter().fold(-own.hidden, |profit, share| profit + share)
    }

    /// What the enemy can expect of striking this piece, doing it only with ranks that profit.
    fn threat(&self, own: &OwnPiece) -> [f32; Visibility::ALL.len()] {
        let guarding = own.rank == Rank::Bomb;
        let bomb = guarding.then(|| self.profits(own.rank, self.root.value(own.id, own.rank)));
        let (list, count) = bomb.as_ref().unwrap_or(&self.profits[own.rank]);
        let mut threat = [0.0; Visibility::ALL.len()];
        for &(rank, expected) in &list[..*count] {
            for shown in Visibility::ALL {
                let strikes = self.root.attack_probabilities.of(rank, own.id.into(), shown);
                threat[shown as usize] += expected * strikes;
            }
        }
        threat
    }
}

/// An evaluation of each enemy piece.
#[cfg_attr(test, derive(Clone))]
pub(super) struct PieceEvaluations {
    /// By place, as the information state has it.
    all: Vec<PieceEvaluation>,
    current: ByNumber<Place>,
    /// Of each current evaluation the probabilities that the piece is a miner and that it can move, side by side for
    /// who asks for many.
    miner: ByNumber<f32>,
    mobile: ByNumber<f32>,
    /// Our pieces that may strike.
    strikers: PieceSet,
}

impl PieceEvaluations {
    /// No enemy stands yet; of our pieces those in the set may strike.
    pub(super) fn new(strikers: PieceSet) -> PieceEvaluations {
        let none = ByNumber::filled(0.0);
        PieceEvaluations {
            all: vec![PieceEvaluation::BLANK],
            current: ByNumber::default(),
            miner: none,
            mobile: none,
            strikers,
        }
    }

    /// The probability that each enemy piece is a miner.
    pub(super) const fn miners(&self) -> &ByNumber<f32> {
        &self.miner
    }

    /// The probability that each enemy piece can move.
    pub(super) const fn movers(&self) -> &ByNumber<f32> {
        &self.mobile
    }

    /// Our pieces that may strike.
    pub(super) const fn strikers(&self) -> PieceSet {
        self.strikers
    }

    /// Whether our piece of this number may strike.
    pub(super) const fn may_strike(&self, number: PieceNumber) -> bool {
        self.strikers.contains(number)
    }

    /// The evaluation of the enemy piece of this number.
    pub(super) fn of(&self, number: PieceNumber) -> &PieceEvaluation {
        &self.all[self.current[number].index()]
    }

    pub(super) fn of_mut(&mut self, number: PieceNumber) -> &mut PieceEvaluation {
        &mut self.all[self.current[number].index()]
    }

    /// Gives an enemy piece the evaluation of what it is in `state`; returns where its old one is, if that is another.
    pub(super) fn follow(&mut self, state: &InformationState, id: PieceId) -> Option<(PieceNumber, Place)> {
        let (number, place) = (PieceNumber::from(id), state.enemies.place(id));
        if self.current[number] == place {
            return None;
        }
        if place.index() == self.all.len() {
            self.all.push(PieceEvaluation::new(&state.root, id, state.piece(id)));
        }
        Some((number, self.take(number, place)))
    }

    /// Gives a piece the evaluation at `place`; returns where its old one is.
    pub(super) fn take(&mut self, number: PieceNumber, place: Place) -> Place {
        let before = std::mem::replace(&mut self.current[number], place);
        let EnemyPiece { probabilities, mobile, .. } = self.of(number).enemy;
        (self.miner[number], self.mobile[number]) = (probabilities[Rank::Miner], mobile);
        before
    }
}
