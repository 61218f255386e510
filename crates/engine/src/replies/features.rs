//! The features of an action, and what each is worth for an enemy whose rank is not known: their expectations.

use super::scene::{Kind, Meeting, Plain, RankKey, Scene, Sink};
use crate::belief::RankProbabilities;
use crate::rules::{Action, Piece, Position, Rank, RankSet};
use crate::view::View;

/// A feature of an action of the enemy. Its place among the weights.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub struct Feature(u16);

impl Feature {
    /// How many there are.
    pub const COUNT: usize = RankKey::COUNT * Rank::COUNT + 2 * Meeting::COUNT * Kind::COUNT + Plain::COUNT;

    /// Below [`Feature::COUNT`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What a piece of a rank does.
    pub(super) const fn of_rank(key: RankKey, rank: Rank) -> Feature {
        Feature((key.index() * Rank::COUNT + rank.index()) as u16)
    }

    /// How a piece that the other side knows, or not, meets a piece of a kind.
    pub(super) const fn of_meeting(is_known: bool, meeting: Meeting, kind: Kind) -> Feature {
        let before = RankKey::COUNT * Rank::COUNT;
        let place = (is_known as usize * Meeting::COUNT + meeting.index()) * Kind::COUNT + kind as usize;
        Feature((before + place) as u16)
    }

    /// What does not depend on ranks.
    pub(super) const fn of_plain(plain: Plain) -> Feature {
        let before = RankKey::COUNT * Rank::COUNT + 2 * Meeting::COUNT * Kind::COUNT;
        Feature((before + plain.index()) as u16)
    }
}

/// The probabilities of a piece that moves: those of its mobile ranks, and what they add up to.
pub(super) fn if_mobile(probabilities: &RankProbabilities) -> (impl Fn(Rank) -> f32 + '_, f32) {
    let mobile: f32 = RankSet::MOBILE.iter().map(|rank| probabilities[rank]).sum();
    (move |rank| probabilities[rank] / mobile, mobile)
}

/// The features of an action of the enemy of `view`'s player, who is to move, each with how much it holds: its chance
/// by the rank of the piece. `probabilities` is what is believed of that.
pub fn features(view: &View, action: Action, probabilities: &RankProbabilities) -> Vec<(Feature, f32)> {
    let scene = Scene::new(view.position());
    let mut found = Found { position: view.position(), probabilities, is_known: false, features: Vec::new() };
    if let Some(id) = view.position().piece_at(action.from) {
        found.is_known = view.position().piece(id).ranks.single().is_some();
        scene.visit(action, &mut found);
    }
    found.features
}

struct Found<'a> {
    position: &'a Position,
    probabilities: &'a RankProbabilities,
    is_known: bool,
    features: Vec<(Feature, f32)>,
}

impl Found<'_> {
    /// For each mobile rank that the piece may have, the feature that holds then.
    fn expect(&mut self, feature: impl Fn(Rank) -> Feature) {
        let (chance, mobile) = if_mobile(self.probabilities);
        if mobile > 0.0 {
            let ranks = RankSet::MOBILE.iter().filter(|&rank| self.probabilities[rank] > 0.0);
            self.features.extend(ranks.map(|rank| (feature(rank), chance(rank))));
        }
    }
}

impl Sink for Found<'_> {
    fn rank(&mut self, key: RankKey) {
        self.expect(|rank| Feature::of_rank(key, rank));
    }

    fn meet(&mut self, meeting: Meeting, other: &Piece) {
        let (is_known, aggressor) = (self.is_known, self.position.rules().aggressor);
        let kind = |rank| Kind::of(rank, other, aggressor);
        self.expect(|rank| Feature::of_meeting(is_known, meeting, kind(rank)));
    }

    fn plain(&mut self, plain: Plain) {
        self.features.push((Feature::of_plain(plain), 1.0));
    }
}
