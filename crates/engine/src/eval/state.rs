//! What our player knows at each node of a search, kept in step with the tree.
//!
//! Own ranks are known; each enemy piece has rank probabilities, fixed at the root and conditioned in the tree by
//! cutting them down to the set of ranks that the tree's position still allows. Where few worlds are left, the odds of
//! strikes come from all of them instead.

use super::enemy_piece::{EnemyPiece, EnemyPieces, Place};
use super::odds::{Odds, shown};
use super::params;
use super::root::{Beliefs, Enumeration, Root};
use crate::belief::{Belief, RankProbabilities};
use crate::rules::{Outcome, Piece, PieceId, Position, Rank, RankSet, Side, StrikeRules, battle};
use crate::view::View;
use std::sync::Arc;

/// The information state of one player along a search: what it knows at the root, and at the node that the tree has
/// reached. Every search keeps it, whichever evaluator it asks.
#[cfg_attr(test, derive(Clone))]
pub struct InformationState {
    pub(super) root: Root,
    pub(super) enemies: EnemyPieces,
    pub(super) left: Left,
    /// By how much our bombs beside our flag were worth more at the root than theirs beside what may be theirs. The
    /// more we know of their flag, the more theirs are worth: no lead of ours grows or shrinks by that.
    guarded: f32,
    /// Late in a game.
    enumeration: Option<Arc<Enumeration>>,
}

/// Who is left.
#[derive(Copy, Clone, Default)]
pub(super) struct Left {
    /// The value of our pieces.
    ours: f32,
    /// The expected value of the enemy's.
    theirs: f32,
    /// The probability, as it was at the root, that the enemy's flag is a piece that the tree still allows it to be.
    flag: f32,
}

/// What taking back a ply needs.
pub(super) struct Undo {
    left: Left,
    piece: Option<(PieceId, Place)>,
    /// What an enemy piece that came back was before.
    rescued: Option<(PieceId, Place)>,
}

impl InformationState {
    /// What the player of `view` knows and believes at the root.
    pub fn new(view: &View, belief: &Belief) -> InformationState {
        let beliefs = Beliefs { of_enemies: belief, of_ours: &Belief::of_ours(view) };
        InformationState::with_beliefs(view, beliefs, None)
    }

    /// The state of a view with what the enemy believes of our pieces, too. What need not be worked out again is taken from
    /// `like`, a state of the same beliefs in another world, if there is one.
    pub(super) fn with_beliefs(
        view: &View,
        beliefs: Beliefs<'_>,
        like: Option<&InformationState>,
    ) -> InformationState {
        let (position, us) = (view.position(), view.viewer());
        let enumeration = match like {
            Some(like) => like.enumeration.clone(),
            None => Enumeration::new(beliefs.of_enemies).map(Arc::new),
        };
        let root = Root::new(view, beliefs, like.map(|like| &like.root));
        let (enemies, left) = (EnemyPieces::new(), Left::default());
        let mut state = InformationState { root, enemies, left, guarded: 0.0, enumeration };
        for id in PieceId::of(us.enemy()) {
            state.narrow(position, id, false);
        }
        for id in PieceId::of(us).chain(PieceId::of(us.enemy())) {
            state.count(position.piece(id), id, 1.0);
        }
        state.guarded = state.guarded(position);
        state
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

    /// Counts a piece as left, or takes it out with `sign` -1.
    fn count(&mut self, piece: &Piece, id: PieceId, sign: f32) {
        if !piece.is_alive() {
            return;
        }
        if id.side() != self.root.us {
            self.left.theirs += sign * self.piece(id).value;
            if piece.ranks.contains(Rank::Flag) {
                self.left.flag += sign * self.root.probabilities[id][Rank::Flag];
            }
        } else if let Some(rank) = piece.ranks.single()
            && rank != Rank::Flag
        {
            self.left.ours += sign * self.root.value(id, rank);
        }
    }

    /// Takes in a ply and its rescue: `changed` are the mover and whom it struck as they were before it, `position` is
    /// after it. `strike` says that both showed their ranks.
    pub(super) fn make(&mut self, position: &Position, changed: &[(PieceId, Piece)], strike: bool) -> Undo {
        let mut undo = Undo { left: self.left, piece: None, rescued: None };
        for &(id, old) in changed {
            self.count(&old, id, -1.0);
            if id.side() != self.root.us && (strike || old.ranks != position.piece(id).ranks) {
                undo.piece = Some((id, self.narrow(position, id, strike)));
            }
            self.count(position.piece(id), id, 1.0);
        }
        let Some((&(id, _), others)) = position.last_rescue().split_last() else { return undo };
        let mover = position.history().last().and_then(|last| position.piece_at(last.action.to));
        for (other, old) in others.iter().filter(|(other, old)| old.is_alive() && Some(*other) != mover) {
            self.count(old, *other, -1.0);
            self.count(position.piece(*other), *other, 1.0);
        }
        if id.side() != self.root.us {
            undo.rescued = Some((id, self.narrow(position, id, false)));
        }
        self.count(position.piece(id), id, 1.0);
        undo
    }

    /// Takes a ply back.
    pub(super) fn unmake(&mut self, undo: &Undo) {
        self.left = undo.left;
        for (id, place) in [undo.rescued, undo.piece].into_iter().flatten() {
            self.enemies.take(id, place);
        }
    }

    /// Takes in what an enemy piece may be now; `revealed` says that its rank has been shown, whichever it was. Returns
    /// where in the list it was.
    fn narrow(&mut self, position: &Position, id: PieceId, revealed: bool) -> Place {
        let piece = position.piece(id);
        if !piece.exists() || !piece.is_alive() {
            return self.enemies.take(id, Place::default());
        }
        let secret = piece.ranks.single().is_none();
        let revealed = secret && (revealed || self.piece(id).revealed);
        self.enemies.narrow(&self.root, id, piece.ranks, revealed)
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

    /// What an enemy piece may be.
    pub(crate) fn piece(&self, id: PieceId) -> &EnemyPiece {
        self.enemies.of(id)
    }

    /// Who is left, in points. The same lead is worth more the less is left to fight with.
    pub fn material(&self) -> f32 {
        let Left { ours, theirs, .. } = self.left;
        (ours - theirs - self.guarded)
            * (1.0 + params::endgame() * (1.0 - (ours + theirs) / self.root.both_armies))
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
        let surer = if jointly.is_some() { flag } else { (flag / self.left.flag.max(f32::EPSILON)).min(1.0) };
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
}
