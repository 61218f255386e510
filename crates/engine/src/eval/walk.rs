//! The walk of one thread through the tree: the position, what our player knows there, and what the evaluator keeps of
//! it, all in step.

use super::evaluator::{Evaluator, Situation, Strike};
use super::hand_made::{HandMade, OtherWorld, Sums};
use super::root::Beliefs;
use super::state::{self, InformationState};
use crate::belief::Belief;
use crate::rules::{Action, Piece, PieceId, Played, Position, Rank, RankSet, Square};
use crate::view::View;

/// Where one thread is in the tree. It is small, as trees are handed on with it; what it knows is not.
pub struct Walk<E: Evaluator> {
    evaluator: E,
    pub(crate) position: Box<Position>,
    pub(crate) known: Box<InformationState>,
    state: Box<E::State>,
}

/// A ply that was made: what taking it back needs.
pub struct Made<E: Evaluator> {
    known: state::Undo,
    state: E::Undo,
}

impl<E: Evaluator> Walk<E> {
    /// At the root: at what the player of `view` knows and believes.
    pub fn new(evaluator: E, view: &View, belief: &Belief) -> Walk<E> {
        let position = Box::new(view.position().clone());
        let known = Box::new(InformationState::new(view, belief));
        let state = Box::new(evaluator.begin(Situation { position: &position, known: &known }));
        Walk { evaluator, position, known, state }
    }

    /// What is the case here, as our player knows it.
    pub fn situation(&self) -> Situation<'_> {
        Situation { position: &self.position, known: &self.known }
    }

    /// What the evaluator keeps.
    pub const fn state(&self) -> &E::State {
        &self.state
    }

    /// Makes a ply with what is supposed of a strike; `None` if it cannot be made.
    pub fn play(&mut self, played: Played) -> Option<Made<E>> {
        self.play_noting(played, |_| ())
    }

    /// [`Walk::play`], which gives the action to `note` if it can be made.
    pub(crate) fn play_noting(
        &mut self,
        Played { action, verdict }: Played,
        note: impl FnOnce(Action),
    ) -> Option<Made<E>> {
        let touched = [action.from, action.to].map(|square| {
            let id = self.position.piece_at(square)?;
            Some((id, *self.position.piece(id)))
        });
        let strike = verdict.is_some() && self.shows_enemy(action.from);
        self.position.suppose(Played { action, verdict }).ok()?;
        note(action);
        let changed: &[_] = match touched {
            [Some(mover), Some(victim)] => &[mover, victim],
            [Some(mover), None] => &[mover],
            [None, _] => &[],
        };
        let known = self.known.make(&self.position, changed, strike);
        let now = Situation { position: &self.position, known: &self.known };
        let all;
        let changed = match self.position.last_rescue() {
            [] => changed,
            rescue => {
                all = with_rescue(changed, rescue);
                &all
            }
        };
        // Made where it is returned: it is large.
        Some(Made { known, state: self.evaluator.observe(&mut self.state, now, changed) })
    }

    /// Whether a strike from a square shows us the enemy's rank: under `silent` it does not where we strike, but with a
    /// scout.
    fn shows_enemy(&self, from: Square) -> bool {
        let striker = self.position.piece_at(from).filter(|id| id.side() == self.known.us());
        let untold = |id| self.position.piece(id).ranks != RankSet::only(Rank::Scout);
        !self.position.rules().silent || !striker.is_some_and(untold)
    }

    /// Takes back the latest ply.
    pub fn undo(&mut self, made: Made<E>) {
        self.position.undo();
        self.known.unmake(&made.known);
        self.evaluator.undo(&mut self.state, made.state);
    }

    /// What the position is worth for our player, in points.
    pub fn evaluate(&mut self) -> f32 {
        let now = Situation { position: &self.position, known: &self.known };
        self.evaluator.evaluate(&mut self.state, now)
    }

    /// What a strike of ours gains: see [`Evaluator::gain`].
    pub(crate) fn gain(&self, strike: Strike) -> f32 {
        self.evaluator.gain(&self.state, self.situation(), strike)
    }

    /// What a strike of the enemy's gains it: see [`Evaluator::danger`].
    pub(crate) fn danger(&self, strike: Strike) -> f32 {
        self.evaluator.danger(&self.state, self.situation(), strike)
    }
}

/// What a ply changed together with what its rescue did, each piece once, as it was before both.
fn with_rescue(changed: &[(PieceId, Piece)], rescue: &[(PieceId, Piece)]) -> Vec<(PieceId, Piece)> {
    let mut all = changed.to_vec();
    for &(id, old) in rescue {
        if all.iter().all(|(other, _)| *other != id) {
            all.push((id, old));
        }
    }
    all
}

impl Walk<HandMade> {
    /// At the root of a view with what the enemy believes of our pieces, too. What need not be worked out again is taken
    /// from `like`: a walk with the same beliefs in another world, and whether the worlds are so near to each other that
    /// the path distances of the one serve for the other.
    pub(crate) fn with_beliefs(
        view: &View,
        beliefs: Beliefs<'_>,
        like: Option<(&Walk<HandMade>, bool)>,
    ) -> Walk<HandMade> {
        let position = Box::new(view.position().clone());
        let known = InformationState::with_beliefs(view, beliefs, like.map(|(walk, _)| &*walk.known));
        let like = like.map(|(walk, near)| OtherWorld { sums: &walk.state, near });
        let state = Sums::new(Situation { position: &position, known: &known }, like);
        Walk { evaluator: HandMade, position, known: Box::new(known), state: Box::new(state) }
    }
}
