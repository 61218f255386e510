//! What our player knows at each node of a search, kept in step with the tree.
//!
//! Own ranks are known; each enemy piece has rank probabilities, fixed at the root and conditioned in the tree by
//! cutting them down to the set of ranks that the tree's position still allows. What each of our pieces could win
//! from each enemy piece, and the other way round, is kept in one evaluation per enemy piece; a ply of the tree works
//! out at most two of them, and taking it back restores them. Where few worlds are left, the odds of strikes come
//! from all of them instead.

use super::flag_attack::FlagAttack;
use super::flag_defence::FlagDefence;
use super::odds::{Odds, shown};
use super::params;
use super::paths::PathDistances;
use super::piece::{Known, PieceEvaluation, PieceEvaluations, Place};
use super::race::Scene;
use super::root::{Beliefs, Enumeration, Root, hidden_value, whole_hidden_value};
use super::threat_map::ThreatMap;
use crate::belief::{Belief, RankProbabilities};
use crate::rules::{ByRank, Outcome, Piece, PieceId, Position, Rank, RankSet, Side, StrikeRules, battle};
use crate::view::{View, Visibility};
use std::sync::Arc;

/// The information state of one player along a search: what it knows at the root, and at the node that the tree has
/// reached.
#[cfg_attr(test, derive(Clone))]
pub struct InformationState {
    pub(super) root: Root,
    pub(super) pieces: PieceEvaluations,
    pub(super) sums: Sums,
    /// What our information was worth at the root beyond what it would be without a progress incentive.
    pub(super) known_at_root: f32,
    /// By how much our bombs beside our flag were worth more at the root than theirs beside what may be theirs. The
    /// more we know of their flag, the more theirs are worth: no lead of ours grows or shrinks by that.
    pub(super) guarded: f32,
    pub(super) map: ThreatMap,
    distances: PathDistances,
    pub(super) flag_defence: FlagDefence,
    pub(super) flag_attack: FlagAttack,
    /// Late in a game.
    enumeration: Option<Arc<Enumeration>>,
}

/// What the pieces add up to.
#[derive(Copy, Clone, Default)]
pub(super) struct Sums {
    pub(super) ours: f32,
    pub(super) theirs: f32,
    pub(super) revealed: f32,
    pub(super) known: f32,
    /// How many of our pieces never moved and are not known.
    pub(super) unmoved: f32,
    /// The probability, as it was at the root, that the enemy's flag is a piece that the tree still allows it to be.
    flag: f32,
}

/// What taking back a ply needs.
#[derive(Clone)]
pub(crate) struct Undo {
    sums: Sums,
    map: ThreatMap,
    piece: Option<(PieceId, Place)>,
    /// The evaluation of an enemy piece that came back.
    rescued: Option<(PieceId, Place)>,
}

/// A state of the same beliefs in another world.
#[derive(Copy, Clone)]
pub(crate) struct Like<'a> {
    /// That state.
    pub(crate) state: &'a InformationState,
    /// Whether the worlds are so near to each other that the path distances of the one serve for the other.
    pub(crate) near: bool,
}

impl InformationState {
    /// What the player of `view` knows and believes at the root.
    pub fn new(view: &View, belief: &Belief) -> InformationState {
        let beliefs = Beliefs { of_enemies: belief, of_ours: &Belief::of_ours(view) };
        InformationState::with_beliefs(view, beliefs, None)
    }

    /// The state of a view with what the enemy believes of our pieces, too. What need not be worked out again is taken from
    /// `like`, if there is one.
    pub(crate) fn with_beliefs(
        view: &View,
        beliefs: Beliefs<'_>,
        like: Option<Like<'_>>,
    ) -> InformationState {
        let (position, us) = (view.position(), view.viewer());
        let distances = match like {
            Some(Like { state, near: true }) => state.distances.clone(),
            _ => PathDistances::new(position, us, like.map(|like| &like.state.distances)),
        };
        let enumeration = match like {
            Some(like) => like.state.enumeration.clone(),
            None => Enumeration::new(beliefs.of_enemies).map(Arc::new),
        };
        let root = Root::new(view, beliefs, like.map(|like| &like.state.root));
        let mut state = InformationState {
            pieces: PieceEvaluations::new(root.army.strikers()),
            sums: Sums::default(),
            known_at_root: 0.0,
            guarded: 0.0,
            map: ThreatMap::new(),
            flag_defence: FlagDefence::new(view, beliefs.of_ours, &distances),
            flag_attack: FlagAttack::new(position, us, &root.probabilities, &distances),
            root,
            distances,
            enumeration,
        };
        state.take_in_all(position);
        state
    }

    /// Takes in all pieces at the root.
    fn take_in_all(&mut self, position: &Position) {
        let us = self.root.us;
        for id in PieceId::of(us.enemy()) {
            self.refresh(position, id, false);
        }
        for id in PieceId::of(us).chain(PieceId::of(us.enemy())) {
            self.count(position.piece(id), id, 1.0);
            self.place(position, id);
        }
        self.chase_off(position);
        self.guarded = self.guarded(position);
        self.known_at_root = self.sums.known * (1.0 - 1.0 / self.root.progress);
    }

    /// Makes striking an enemy that roams among our pieces worth more by a share of what it threatens.
    fn chase_off(&mut self, position: &Position) {
        let us = self.root.us;
        for id in PieceId::of(us.enemy()) {
            let piece = self.pieces.of(id.into());
            let threat = self.map.threat_of(id.into(), piece, &self.distances.theirs) * params::chase_off();
            let mut share = ByRank::filled(0.0);
            for rank in RankSet::MOBILE.iter() {
                let odds = self.odds(position, rank, id);
                share[rank] = threat * (odds.win + odds.tie);
            }
            let attack = &mut self.pieces.of_mut(id.into()).attack;
            for (own, rank) in
                position.pieces(us).filter_map(|(own, piece)| Some((own, piece.ranks.single()?)))
            {
                if rank.is_mobile() {
                    attack[own] += share[rank];
                }
            }
            self.place(position, id);
        }
    }

    /// What the bombs beside flags add to our standing pieces, less what they add to the enemy's.
    fn guarded(&self, position: &Position) -> f32 {
        let (us, guards) = (self.root.us, &self.root.flag_guards);
        let standing = |side| position.pieces(side).filter(|(_, piece)| piece.is_alive());
        let ours = standing(us).filter(|(_, piece)| piece.ranks == RankSet::only(Rank::Bomb));
        let ours: f32 = ours.map(|(id, _)| guards[id.side()][id]).sum();
        let theirs = standing(us.enemy());
        let theirs: f32 =
            theirs.map(|(id, _)| self.piece(id).probabilities[Rank::Bomb] * guards[id.side()][id]).sum();
        ours - theirs
    }

    /// Adds a piece's share to the sums, or takes it out with `sign` -1.
    pub(super) fn count(&mut self, piece: &Piece, id: PieceId, sign: f32) {
        if !piece.is_alive() {
            return;
        }
        if id.side() == self.root.us {
            let Some(rank) = piece.ranks.single() else { return };
            let lost = whole_hidden_value(rank) - hidden_value(piece, rank);
            self.sums.revealed += sign * self.root.unsuspected[id] * lost;
            if shown(piece) == Visibility::Unmoved {
                self.sums.unmoved += sign;
            }
            if rank != Rank::Flag {
                self.sums.ours += sign * self.root.value(id, rank);
            }
        } else {
            let evaluation = self.pieces.of(id.into());
            self.sums.theirs += sign * evaluation.value;
            self.sums.known += sign * evaluation.known;
            if piece.ranks.contains(Rank::Flag) {
                self.sums.flag += sign * self.root.probabilities[id][Rank::Flag];
            }
        }
    }

    /// Takes in where a piece stands.
    pub(super) fn place(&mut self, position: &Position, id: PieceId) {
        let square = position.piece(id).square;
        if id.side() == self.root.us {
            let shown = shown(position.piece(id));
            self.map.place_ours(id.into(), square, shown, &self.pieces, &self.distances);
        } else {
            self.map.place_theirs(id.into(), square, &self.pieces, &self.distances);
        }
    }

    /// Takes in a ply: `changed` are the pieces it touched as they were before it, `position` is after it. `strike`
    /// says that both showed their ranks.
    pub(crate) fn make(&mut self, position: &Position, changed: &[(PieceId, Piece)], strike: bool) -> Undo {
        let mut undo = Undo { sums: self.sums, map: self.map.clone(), piece: None, rescued: None };
        for &(id, old) in changed {
            self.count(&old, id, -1.0);
            if id.side() != self.root.us && (strike || old.ranks != position.piece(id).ranks) {
                undo.piece = Some((id, self.refresh(position, id, strike)));
            }
            self.count(position.piece(id), id, 1.0);
            self.place(position, id);
        }
        undo
    }

    /// Takes in what the rescue of the last ply changed, if it made one; `undo` is what [`InformationState::make`]
    /// gave for the ply.
    pub(crate) fn make_rescue(&mut self, position: &Position, undo: &mut Undo) {
        let Some((&(id, _), others)) = position.last_rescue().split_last() else { return };
        let mover = position.history().last().and_then(|last| position.piece_at(last.action.to));
        for (other, old) in others.iter().filter(|(other, old)| old.is_alive() && Some(*other) != mover) {
            self.count(old, *other, -1.0);
            self.count(position.piece(*other), *other, 1.0);
            self.place(position, *other);
        }
        if id.side() != self.root.us {
            undo.rescued = Some((id, self.refresh(position, id, false)));
        }
        self.count(position.piece(id), id, 1.0);
        self.place(position, id);
    }

    /// Takes a ply back.
    pub(crate) fn unmake(&mut self, undo: Undo) {
        self.sums = undo.sums;
        self.map = undo.map;
        for (id, place) in [undo.rescued, undo.piece].into_iter().flatten() {
            self.pieces.take(id.into(), Some(place));
        }
    }

    /// The player whose information it is.
    pub const fn us(&self) -> Side {
        self.root.us
    }

    /// The value of a piece of `side` by its rank alone.
    pub fn piece_value(&self, side: Side, rank: Rank) -> f32 {
        self.root.values[side][rank]
    }

    /// How many worlds are left, where they are few enough to reckon with each.
    pub(crate) fn worlds(&self) -> Option<u32> {
        self.enumeration.as_ref().map(|enumeration| enumeration.count())
    }

    /// The evaluation of an enemy piece.
    pub(crate) fn piece(&self, id: PieceId) -> &PieceEvaluation {
        self.pieces.of(id.into())
    }

    /// Gives an enemy piece the evaluation by what is known of it now; `revealed` says that its rank has been shown,
    /// whichever it was. Returns where its old one is.
    fn refresh(&mut self, position: &Position, id: PieceId, revealed: bool) -> Place {
        let piece = position.piece(id);
        if !piece.exists() || !piece.is_alive() {
            return self.pieces.take(id.into(), None);
        }
        let secret = piece.ranks.single().is_none();
        let known = Known { set: piece.ranks, revealed: secret && (revealed || self.piece(id).revealed) };
        let place = self.pieces.find(id, known).unwrap_or_else(|| {
            let evaluation = PieceEvaluation::new(&self.root, id, known.set, known.revealed);
            self.pieces.keep(id, known, &evaluation)
        });
        self.pieces.take(id.into(), Some(place))
    }

    /// The rank probabilities of an enemy piece within its present set, and late in a game within all present sets;
    /// they sum to one.
    pub fn conditioned(&self, position: &Position, id: PieceId) -> RankProbabilities {
        self.jointly(position, id).unwrap_or_else(|| self.alone(position, id))
    }

    /// Its rank probabilities given all that the position allows of any piece, late in a game.
    fn jointly(&self, position: &Position, id: PieceId) -> Option<RankProbabilities> {
        self.enumeration.as_ref()?.probabilities(position, id)
    }

    /// Its rank probabilities given its own set.
    fn alone(&self, position: &Position, id: PieceId) -> RankProbabilities {
        let (piece, set) = (self.piece(id), position.piece(id).ranks);
        if piece.set == set { piece.probabilities } else { self.root.within(id, set) }
    }

    /// How a strike by our `striker` on the enemy piece would end.
    pub(crate) fn odds(&self, position: &Position, striker: Rank, id: PieceId) -> Odds {
        let jointly = self.jointly(position, id);
        let probabilities = jointly.unwrap_or_else(|| self.alone(position, id));
        let flag = probabilities[Rank::Flag];
        // The flag is somewhere: what the tree has ruled out makes the rest likelier. Worlds know that.
        let surer = if jointly.is_some() { flag } else { (flag / self.sums.flag.max(f32::EPSILON)).min(1.0) };
        let odds = Odds::new(striker, &probabilities, surer, position.rules().strike_rules());
        if striker == Rank::Miner || jointly.is_some() { odds } else { odds.chosen() }
    }

    /// The probability that an enemy of rank `striker` strikes our piece when it can.
    pub(crate) fn attack_probability(&self, position: &Position, striker: Rank, ours: PieceId) -> f32 {
        self.root.attack_probabilities.of(striker, ours.into(), shown(position.piece(ours)))
    }

    /// Whether an enemy of rank `striker` would gain by striking our piece, were it to know it.
    pub(crate) fn is_profitable(&self, striker: Rank, ours: Rank, strike_rules: StrikeRules) -> bool {
        match battle(striker, ours, strike_rules) {
            Outcome::Win => true,
            Outcome::Tie => self.root.ours()[ours] >= self.root.theirs()[striker],
            Outcome::Loss => false,
        }
    }

    /// The sum of what enemy pieces have in reach.
    pub(super) fn threat(&self) -> f32 {
        let threat = self.map.threat(&self.pieces, &self.distances.ours);
        if params::domination() > 0.0 {
            threat + params::domination() * self.map.dominated(&self.pieces, &self.distances)
        } else {
            threat
        }
    }

    /// What races for the flags depend on at `position`, which the state has followed.
    pub(super) fn scene<'a>(&'a self, position: &'a Position) -> Scene<'a> {
        Scene { position, us: self.root.us, pieces: &self.pieces, map: &self.map, distances: &self.distances }
    }
}
