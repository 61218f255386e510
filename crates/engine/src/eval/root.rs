//! What stays the same in a whole search: all that the evaluation takes from the root alone.
//!
//! Late in a game that is all that the hidden pieces may be, taken together ([`Enumeration`]). Probabilities piece by piece
//! forget that one of two pieces is the bomb and the other the flag. Where few worlds are left they are listed, and what
//! the tree finds out about one piece is known of all others.

use super::odds::AttackProbabilities;
use super::params;
use super::piece_value::{PieceValues, army_value, both_armies, living, piece_values};
use crate::belief::{Belief, RankProbabilities};
use crate::rules::{
    ByNumber, ByRank, BySide, Outcome, Piece, PieceId, PieceSet, Position, Rank, RankSet, Side, Square,
    StrikeRules, battle,
};
use crate::view::View;
use std::sync::Arc;

/// What holds for a whole search.
#[derive(Clone)]
pub(super) struct Root {
    /// The player it is evaluated for.
    pub(super) us: Side,
    /// Of each enemy piece the probabilities of its ranks.
    pub(super) probabilities: ByNumber<RankProbabilities>,
    /// How likely the enemy strikes each of our pieces.
    pub(super) attack_probabilities: Arc<AttackProbabilities>,
    /// The piece values of each side.
    pub(super) values: BySide<PieceValues>,
    /// Progress incentive, from 1. Grows while nothing is struck: the longer a game stands still, the more known
    /// information and targets are worth and the less threats count.
    pub(super) progress: f32,
    /// How far we are ahead, as a share of both armies: what a point of even trade is worth to us.
    pub(super) lead: f32,
    /// The value of both whole armies.
    pub(super) both_armies: f32,
    /// Of each piece: what it adds to a bomb to stand beside the flag, or where it may be.
    pub(super) flag_guards: BySide<ByNumber<f32>>,
    /// Of each of our pieces: the share of the value of being unknown that the enemy's suspicion leaves.
    pub(super) unsuspected: ByNumber<f32>,
    /// How likely the enemy takes our flag for it; 1 where it knows.
    pub(super) aware: f32,
    /// By the rank of a known enemy piece: our pieces that it has to fear.
    pub(super) feared: ByRank<PieceSet>,
    /// Our army.
    pub(super) army: OwnArmy,
}

impl Root {
    /// The root of a search for the player of `view`; `like` is a root of the same beliefs, if there is one.
    pub(super) fn new(view: &View, beliefs: Beliefs<'_>, like: Option<&Root>) -> Root {
        let Beliefs { of_enemies: belief, of_ours: about_us } = beliefs;
        let (position, us) = (view.position(), view.viewer());
        let army = position.rules().army();
        let mut probabilities = ByNumber::filled(ByRank::filled(0.0));
        for (id, piece) in belief.pieces() {
            probabilities[*id] = *piece;
        }
        let dead = |side| position.pieces(side).filter(|(_, piece)| !piece.is_alive());
        let lost =
            dead(us).map(|(_, piece)| ByRank::from_fn(|rank| f32::from(piece.ranks == RankSet::only(rank))));
        let won = dead(us.enemy()).map(|(id, _)| probabilities[id]);
        let (own, enemy) = (&living(&army, lost), &living(&army, won));
        let (ours, theirs) = (piece_values(own, enemy), piece_values(enemy, own));
        let both_armies = both_armies(&army);
        let strike_rules = position.rules().strike_rules();
        let attack_probabilities = match like.filter(|like| (like.ours(), like.theirs()) == (&ours, &theirs))
        {
            Some(like) => like.attack_probabilities.clone(),
            None => Arc::new(AttackProbabilities::new(
                position,
                about_us,
                &ours,
                &theirs,
                view.behaviours().blind_strikes(us.enemy()),
                strike_rules,
            )),
        };
        let unsuspected = unsuspected(position, us, about_us);
        Root {
            us,
            probabilities,
            attack_probabilities,
            lead: (army_value(&ours, own) - army_value(&theirs, enemy)) / both_armies,
            both_armies,
            values: BySide::from_fn(|side| if side == us { ours } else { theirs }),
            progress: progress_incentive(position),
            flag_guards: flag_guards(position, &probabilities),
            unsuspected,
            aware: aware(position, us, about_us),
            feared: feared(position, us, about_us),
            army: OwnArmy::new(position, us, &unsuspected),
        }
    }

    /// Our piece values.
    pub(super) fn ours(&self) -> &PieceValues {
        &self.values[self.us]
    }

    /// The enemy's piece values.
    pub(super) fn theirs(&self) -> &PieceValues {
        &self.values[self.us.enemy()]
    }

    /// The value of a piece of either side if it has this rank, where it stands at the root.
    pub(super) fn value(&self, id: PieceId, rank: Rank) -> f32 {
        let guard = if rank == Rank::Bomb { self.flag_guards[id.side()][id] } else { 0.0 };
        self.values[id.side()][rank] + guard
    }

    /// The probabilities of an enemy piece within a set of ranks; they sum to one.
    pub(super) fn within(&self, id: PieceId, set: RankSet) -> RankProbabilities {
        let mut probabilities = self.probabilities[id];
        let mut sum = 0.0;
        for rank in Rank::ALL {
            if set.contains(rank) {
                sum += probabilities[rank];
            } else {
                probabilities[rank] = 0.0;
            }
        }
        if sum <= f32::EPSILON {
            // The root's belief left nothing of this set: fall back to all its ranks alike.
            let share = 1.0 / set.len().max(1) as f32;
            return ByRank::from_fn(|rank| if set.contains(rank) { share } else { 0.0 });
        }
        probabilities.map(|chance| chance / sum)
    }
}

/// What the enemy's belief leaves of each secret of ours.
fn unsuspected(position: &Position, us: Side, about_us: &Belief) -> ByNumber<f32> {
    let mut unsuspected = ByNumber::filled(1.0);
    for (id, piece) in position.pieces(us) {
        if let (Some(rank), Some(probabilities)) = (piece.ranks.single(), about_us.probabilities(id)) {
            unsuspected[id] -= params::suspected() * probabilities[rank];
        }
    }
    unsuspected
}

/// How likely the enemy takes our flag for it.
fn aware(position: &Position, us: Side, about_us: &Belief) -> f32 {
    let flag = position.pieces(us).find(|(_, piece)| piece.ranks == RankSet::only(Rank::Flag));
    let probabilities = flag.and_then(|(flag, _)| about_us.probabilities(flag));
    probabilities.map_or(1.0, |probabilities| probabilities[Rank::Flag])
}

/// By the rank of a known enemy piece: the hidden pieces of ours that it has to fear, by what the enemy believes of
/// them.
fn feared(position: &Position, us: Side, about_us: &Belief) -> ByRank<PieceSet> {
    let strike_rules = position.rules().strike_rules();
    let hidden = || position.pieces(us).filter(|(_, piece)| piece.learned.single().is_none());
    ByRank::from_fn(|rank| {
        if !rank.is_mobile() || rank < Rank::Captain {
            return PieceSet::EMPTY;
        }
        let beats = |own: &Rank| own.is_mobile() && battle(*own, rank, strike_rules) == Outcome::Win;
        let is_feared = |(id, _): &(PieceId, &Piece)| {
            about_us.probabilities(*id).is_some_and(|probabilities| {
                let chance: f32 = Rank::ALL.into_iter().filter(beats).map(|own| probabilities[own]).sum();
                chance >= params::fear_least()
            })
        };
        hidden().filter(is_feared).map(|(id, _)| id).collect()
    })
}

/// How much a position that stands still makes us go for progress; 1 while it does not.
fn progress_incentive(position: &Position) -> f32 {
    let fallen = Side::BOTH.map(|side| position.pieces(side).filter(|(_, piece)| !piece.is_alive()).count());
    let pace = params::opening_pace() + params::pace() * (fallen[0] + fallen[1]) as u32;
    let behind = position.ply().saturating_sub(pace) as f32 / params::behind();
    (1.0 + behind.max(position.quiet() as f32 / params::standstill())).min(params::most_incentive())
}

/// What standing beside a flag is worth to a bomb: the probability that each neighbour is the flag, added up.
fn flag_guards(position: &Position, probabilities: &ByNumber<RankProbabilities>) -> BySide<ByNumber<f32>> {
    let mut guards = BySide::filled(ByNumber::filled(0.0));
    for side in Side::BOTH {
        for (id, piece) in position.pieces(side) {
            let flag = match piece.ranks.single() {
                Some(rank) => f32::from(u8::from(rank == Rank::Flag)),
                None => probabilities[id][Rank::Flag],
            };
            let square = piece.square.filter(|_| flag > 0.0);
            for next in square.into_iter().flat_map(Square::neighbours) {
                if let Some(guard) = position.piece_at(next).filter(|guard| guard.side() == side) {
                    guards[side][guard] += flag * (1.0 + 2.0 * flag * flag) * params::flag_guard();
                }
            }
        }
    }
    guards
}

/// Our army at the root, the dead as well: a rescue may bring them back.
#[derive(Clone)]
pub(super) struct OwnArmy {
    /// Those of known rank: all, but in a study.
    pub(super) pieces: Vec<OwnPiece>,
    /// The ranks of those.
    pub(super) ranks: RankSet,
    /// The enemy ranks that can get at our flag.
    pub(super) openers: RankSet,
    /// Who wins a strike.
    pub(super) strike_rules: StrikeRules,
    /// The rule `silent`.
    pub(super) silent: bool,
}

/// One of our pieces at the root.
#[derive(Clone)]
pub(super) struct OwnPiece {
    /// Which.
    pub(super) id: PieceId,
    /// Its rank.
    pub(super) rank: Rank,
    /// The value of what is left to hide of it.
    pub(super) hidden: f32,
}

impl OwnArmy {
    fn new(position: &Position, us: Side, unsuspected: &ByNumber<f32>) -> OwnArmy {
        let piece = |(id, piece): (PieceId, &Piece)| {
            let rank = piece.ranks.single()?;
            Some(OwnPiece { id, rank, hidden: unsuspected[id] * hidden_value(piece, rank) })
        };
        let rules = position.rules();
        let pieces: Vec<OwnPiece> = position.pieces(us).filter_map(piece).collect();
        OwnArmy {
            ranks: pieces.iter().map(|own| own.rank).collect(),
            pieces,
            openers: openers(position, us),
            strike_rules: rules.strike_rules(),
            silent: rules.silent,
        }
    }

    /// Our pieces that beat an enemy piece of this rank by striking it.
    pub(super) fn beating(&self, rank: Rank) -> PieceSet {
        let beats = |own: &&OwnPiece| {
            own.rank.is_mobile() && battle(own.rank, rank, self.strike_rules) == Outcome::Win
        };
        self.pieces.iter().filter(beats).map(|own| own.id).collect()
    }

    /// Our pieces that may strike.
    pub(super) fn strikers(&self) -> PieceSet {
        let movers = self.pieces.iter().filter(|own| own.rank.is_mobile());
        movers.map(|own| own.id).collect()
    }
}

/// The enemy ranks that can get at our flag: only miners while bombs stand all around it.
fn openers(position: &Position, us: Side) -> RankSet {
    let is = |id: PieceId, rank| id.side() == us && position.piece(id).ranks == RankSet::only(rank);
    let bomb = |square| position.piece_at(square).is_some_and(|id| is(id, Rank::Bomb));
    let flag = position.pieces(us).find(|&(id, _)| is(id, Rank::Flag)).and_then(|(_, flag)| flag.square);
    let closed = flag.is_some_and(|square| square.neighbours().all(bomb));
    if closed { RankSet::only(Rank::Miner) } else { RankSet::MOBILE }
}

/// The value of a piece of ours being unknown to the enemy, by its rank, while it never moved.
pub(super) fn whole_hidden_value(rank: Rank) -> f32 {
    params::hidden_scale() * params::hidden_value(rank) + params::unknown_value() + params::unmoved_value()
}

/// The value of what is left to hide of one of our pieces.
pub(super) fn hidden_value(piece: &Piece, rank: Rank) -> f32 {
    if piece.learned.single().is_some() {
        return 0.0;
    }
    if !piece.moved {
        return whole_hidden_value(rank);
    }
    // A piece that has moved is at least no bomb: part of the secret is out.
    let by_rank = params::hidden_scale() * params::hidden_value(rank);
    by_rank * params::hidden_share_of_moved() + params::unknown_value()
}

/// What either player believes of the other's pieces.
#[derive(Copy, Clone)]
pub(crate) struct Beliefs<'a> {
    /// What our player believes of the enemy's.
    pub(crate) of_enemies: &'a Belief,
    /// What the enemy believes of ours.
    pub(crate) of_ours: &'a Belief,
}

/// The most worlds that are listed. With more, a look at them costs more time than a node of the tree.
const MOST: usize = 200;

/// All worlds of a belief, each with its probability.
#[derive(Clone)]
pub(super) struct Enumeration {
    /// The pieces whose rank differs from world to world.
    open: Vec<PieceId>,
    /// The probability of each world.
    shares: Vec<f32>,
    /// World by world the ranks of the open pieces.
    ranks: Vec<Rank>,
}

impl Enumeration {
    /// The worlds of the belief at the root, if they are few and not just one.
    pub(super) fn new(belief: &Belief) -> Option<Enumeration> {
        let worlds = belief.worlds(MOST)?;
        let first = worlds.first()?.world.ranks();
        let differs = |at: &usize| worlds.iter().any(|weighted| weighted.world.ranks()[*at] != first[*at]);
        let open: Vec<usize> = (0..first.len()).filter(differs).collect();
        let ranks = worlds.iter().flat_map(|weighted| open.iter().map(|&at| weighted.world.ranks()[at].1));
        Some(Enumeration {
            ranks: ranks.collect(),
            shares: worlds.iter().map(|weighted| weighted.share).collect(),
            open: open.iter().map(|&at| first[at].0).collect(),
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.shares.len() as u32
    }

    /// The probabilities of an enemy piece in the worlds that fit all that `position` still allows of every piece;
    /// `None` if none does, or all agree about this piece.
    pub(super) fn probabilities(&self, position: &Position, id: PieceId) -> Option<RankProbabilities> {
        let at = self.open.iter().position(|&open| open == id)?;
        let sets: Vec<RankSet> = self.open.iter().map(|&open| allowed(position.piece(open))).collect();
        let mut probabilities = ByRank::filled(0.0);
        for (world, share) in self.ranks.chunks(self.open.len()).zip(&self.shares) {
            if world.iter().zip(&sets).all(|(rank, set)| set.contains(*rank)) {
                probabilities[world[at]] += share;
            }
        }
        let sum: f32 = probabilities.values().sum();
        (sum > 0.0).then(|| probabilities.map(|chance| chance / sum))
    }
}

/// The ranks a piece may have while the game goes on: what was struck down was no flag.
fn allowed(piece: &Piece) -> RankSet {
    if piece.is_alive() { piece.ranks } else { piece.ranks.without(RankSet::only(Rank::Flag)) }
}
