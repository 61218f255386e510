//! A sparse network in the evaluator's seat: what it says of a position, and its policy at the root.
//!
//! No host can choose it: it has learned positions in which its player is to move, and of others it says what they were
//! worth if it were. A search by it is [`crate::search::search_by`].

use super::evaluator::{Evaluator, Situation};
use super::params;
use crate::rules::{Piece, PieceId};
use crate::sparse::{Accumulator, Evaluation, Network, Observation, Pursuits, Scratch};
use crate::view::View;

/// A sparse network as an evaluator.
#[derive(Copy, Clone, Debug)]
pub struct Learned<'a>(pub &'a Network);

/// What a sparse network keeps up along a search.
#[derive(Clone, Debug)]
pub struct Following {
    pursuits: Pursuits,
    accumulator: Accumulator,
    scratch: Scratch,
}

impl Evaluator for Learned<'_> {
    type State = Following;
    type Undo = Pursuits;

    fn begin(&self, root: Situation<'_>) -> Following {
        let pursuits = Pursuits::of(root.position);
        Following { pursuits, accumulator: Accumulator::default(), scratch: Scratch::default() }
    }

    fn observe(&self, state: &mut Following, now: Situation<'_>, _: &[(PieceId, Piece)]) -> Pursuits {
        let before = state.pursuits.clone();
        state.pursuits.note_latest(now.position);
        before
    }

    fn undo(&self, state: &mut Following, before: Pursuits) {
        state.pursuits = before;
    }

    fn evaluate(&self, state: &mut Following, now: Situation<'_>) -> f32 {
        let Following { pursuits, accumulator, scratch } = state;
        let seen = Observation::in_tree(now.position, now.known.us(), pursuits);
        let [win, _, loss] = self.0.outcome_by(accumulator, &seen, scratch);
        points(win - loss)
    }

    fn policy(&self, view: &View, pursuits: &Pursuits) -> Option<Evaluation> {
        let seen = Observation::new(view, pursuits);
        Some(self.0.evaluate_actions(&seen, view.position().actions(), &mut Scratch::default()))
    }
}

/// The points that search takes for this chance to win, less that to lose.
fn points(edge: f32) -> f32 {
    const MOST: f32 = 0.999;
    let edge = edge.clamp(-MOST, MOST);
    edge * params::steepness() / (1.0 - edge * edge).sqrt()
}
