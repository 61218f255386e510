//! The same features, added up from tables that are made once a search.

use super::features::{Feature, if_mobile};
use super::scene::{Kind, Meeting, Plain, RankKey, Scene, Sink};
use super::weights::Weights;
use crate::belief::RankProbabilities;
use crate::math;
use crate::rules::{Action, ByPiece, Piece, PieceId, Position, Rank, RankSet, Side};

/// How likely each action of the enemy is, for as long as a search lasts: what is believed of the enemy's pieces, and
/// which of ours it knows, are as they were at the root.
pub struct Replies {
    us: Side,
    weights: &'static Weights,
    movers: ByPiece<Option<Box<Mover>>>,
    /// The place of each of our pieces that the enemy knows among [`Mover::met`].
    known: ByPiece<Option<u8>>,
}

/// An enemy piece that may be able to move.
struct Mover {
    /// The logarithm of the chance that it is.
    mobile: f32,
    /// What it does, by [`RankKey::index`]: the expectation of the weights.
    by_rank: [f32; RankKey::COUNT],
    /// Whether we know it.
    is_known: bool,
    /// The same for meetings with each known piece of ours, by [`Meeting::index`].
    met: Vec<[f32; Meeting::COUNT]>,
}

/// A piece that is less likely to be able to move does not.
const LEAST_MOBILE: f32 = 0.01;
/// The logit of what cannot be.
const NEVER: f32 = -30.0;

impl Replies {
    /// Tables for a search from this position, in which the enemy of `us` is believed to have what `believed` tells.
    pub fn new(position: &Position, us: Side, believed: impl Fn(PieceId) -> RankProbabilities) -> Replies {
        let weights = Weights::embedded();
        let seen: Vec<(PieceId, &Piece)> =
            position.pieces(us).filter(|(_, piece)| piece.learned.single().is_some()).collect();
        let mut known = ByPiece::filled(None);
        for (place, (id, _)) in seen.iter().enumerate() {
            known[*id] = Some(place as u8);
        }
        let aggressor = position.rules().aggressor;
        let mover = |id: PieceId| {
            let piece = position.piece(id);
            let stands = id.side() != us && piece.square.is_some();
            stands
                .then(|| Mover::new(weights, piece, &believed(id), &seen, aggressor))
                .flatten()
                .map(Box::new)
        };
        Replies { us, weights, movers: ByPiece::from_fn(mover), known }
    }

    /// For each of these actions of the enemy, who is to move, the logarithm of how likely it is, but for a constant
    /// that they share.
    pub fn scores(&self, position: &Position, actions: &[Action]) -> Vec<f32> {
        debug_assert_eq!(position.to_move(), self.us.enemy());
        let scene = Scene::new(position);
        actions.iter().map(|&action| self.score(position, &scene, action)).collect()
    }

    fn score(&self, position: &Position, scene: &Scene<'_>, action: Action) -> f32 {
        let mover = position.piece_at(action.from).and_then(|id| self.movers[id].as_deref());
        let Some(mover) = mover else { return NEVER };
        let mut sum = Sum { replies: self, position, mover, logit: mover.mobile };
        scene.visit(action, &mut sum);
        sum.logit
    }
}

impl Mover {
    /// `None` if it can hardly move.
    fn new(
        weights: &Weights,
        piece: &Piece,
        probabilities: &RankProbabilities,
        known: &[(PieceId, &Piece)],
        aggressor: bool,
    ) -> Option<Mover> {
        let (chance, mobile) = if_mobile(probabilities);
        if mobile < LEAST_MOBILE {
            return None;
        }
        let is_known = piece.ranks.single().is_some();
        let mean = |feature: &dyn Fn(Rank) -> Feature| -> f32 {
            RankSet::MOBILE.iter().map(|rank| chance(rank) * weights.of(feature(rank))).sum()
        };
        let mut by_rank = [0.0; RankKey::COUNT];
        for key in RankKey::all() {
            by_rank[key.index()] = mean(&|rank| Feature::of_rank(key, rank));
        }
        let meetings = |&(_, other): &(PieceId, &Piece)| {
            let mut met = [0.0; Meeting::COUNT];
            for meeting in Meeting::all() {
                let of = |rank| Feature::of_meeting(is_known, meeting, Kind::of(rank, other, aggressor));
                met[meeting.index()] = mean(&of);
            }
            met
        };
        let met = known.iter().map(meetings).collect();
        Some(Mover { mobile: math::ln(mobile), by_rank, is_known, met })
    }
}

/// Adds up what is told of an action.
struct Sum<'a> {
    replies: &'a Replies,
    position: &'a Position,
    mover: &'a Mover,
    /// Of what was told so far.
    logit: f32,
}

impl Sink for Sum<'_> {
    fn rank(&mut self, key: RankKey) {
        self.logit += self.mover.by_rank[key.index()];
    }

    fn meet(&mut self, meeting: Meeting, other: &Piece) {
        let id = other.square.and_then(|square| self.position.piece_at(square));
        let known = id.and_then(|id| self.replies.known[id]);
        self.logit += if let Some(place) = known {
            self.mover.met[usize::from(place)][meeting.index()]
        } else {
            let kind = if other.moved { Kind::Moved } else { Kind::Unmoved };
            self.replies.weights.of(Feature::of_meeting(self.mover.is_known, meeting, kind))
        };
    }

    fn plain(&mut self, plain: Plain) {
        self.logit += self.replies.weights.of(Feature::of_plain(plain));
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::features;
    use super::*;
    use crate::belief::Belief;
    use crate::rng::Rng;
    use crate::rules::{ByRank, Ruleset};
    use crate::test_support::awaited_after_random_plies;
    use crate::view::View;

    /// The enemy's scores from tables, and from its features.
    fn both(view: &View) -> Vec<(f32, f32)> {
        let belief = Belief::of_enemies(view);
        let position = view.position();
        let believed = |id| belief.probabilities(id).copied().unwrap_or_else(|| ByRank::filled(0.0));
        let replies = Replies::new(position, view.viewer(), believed);
        let actions = position.actions();
        let scores = replies.scores(position, &actions);
        let summed = actions.iter().map(|&action| {
            let probabilities = believed(position.piece_at(action.from).unwrap());
            let mobile: f32 = RankSet::MOBILE.iter().map(|rank| probabilities[rank]).sum();
            let score = Weights::embedded().score(&features(view, action, &probabilities));
            if mobile < LEAST_MOBILE { NEVER } else { score + math::ln(mobile) }
        });
        scores.into_iter().zip(summed).collect()
    }
    #[test]
    fn tables_add_up_to_what_the_features_say() {
        let mut rng = Rng::new(3);
        let mut compared = 0;
        for plies in [0, 31, 60, 121, 240, 361, 700] {
            let view = awaited_after_random_plies(Ruleset::default(), plies, &mut rng);
            for (table, features) in both(&view) {
                assert!((table - features).abs() < 1e-3, "{plies}: {table} {features}");
                compared += 1;
            }
        }
        assert!(compared > 60, "{compared}");
    }
}
