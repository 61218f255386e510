//! What search asks of an evaluator, whoever made it.

use super::state::InformationState;
use crate::rules::{Outcome, Piece, PieceId, Position, Rank, battle};
use crate::sparse::{Evaluation, Pursuits};
use crate::view::View;

/// A node of a search as our player knows it.
#[derive(Copy, Clone)]
pub struct Situation<'a> {
    /// The node.
    pub position: &'a Position,
    /// What the player knows there.
    pub known: &'a InformationState,
}

/// A piece that may strike another.
#[derive(Copy, Clone, Debug)]
pub struct Strike {
    /// Who strikes.
    pub striker: PieceId,
    /// Whom.
    pub target: PieceId,
}

/// The judge of a search: what positions are worth, and where it can say so, which strikes come first and which actions
/// are advised at the root. Search knows nothing else of it, so that a learned one can stand beside the hand-made one.
///
/// Every thread has a copy, and a state of its own, which follows the plies that its search makes and takes back. The
/// same state in the same situation always gives the same answers.
pub trait Evaluator: Copy + Send + Sync {
    /// What one thread keeps up along its search; `()` where nothing is.
    type State;
    /// What taking back a ply needs, beside the state.
    type Undo;

    /// The state at the root.
    fn begin(&self, root: Situation<'_>) -> Self::State;

    /// Takes in the ply that has just led to `now`, with its rescue. `changed` has all standing pieces that it changed or
    /// removed and the one that came back, each once, as they were before it. A null move hands the turn over and is not
    /// observed.
    fn observe(
        &self,
        state: &mut Self::State,
        now: Situation<'_>,
        changed: &[(PieceId, Piece)],
    ) -> Self::Undo;

    /// Takes a ply back, the latest first.
    fn undo(&self, state: &mut Self::State, undo: Self::Undo);

    /// The value for the player who searches, whoever is to move, in points: a captain is worth 80.
    fn evaluate(&self, state: &mut Self::State, now: Situation<'_>) -> f32;

    /// What our piece can expect to gain by striking one of the enemy's, in points: the order of our strikes, and which of
    /// them quiescence looks at. By default what their ranks are worth.
    fn gain(&self, _: &Self::State, now: Situation<'_>, strike: Strike) -> f32 {
        let Situation { position, known } = now;
        let Some(own) = position.piece(strike.striker).ranks.single() else { return 0.0 };
        let value = |piece: PieceId, rank| known.piece_value(piece.side(), rank);
        let profit = |rank| match battle(own, rank, position.rules().strike_rules()) {
            Outcome::Win => value(strike.target, rank),
            Outcome::Tie => value(strike.target, rank) - value(strike.striker, own),
            Outcome::Loss => -value(strike.striker, own),
        };
        let probabilities = known.conditioned(position, strike.target);
        Rank::ALL.into_iter().map(|rank| probabilities[rank] * profit(rank)).sum()
    }

    /// What the enemy gains if its piece takes ours, in points: the order of its strikes. By default what ours is worth.
    fn danger(&self, _: &Self::State, now: Situation<'_>, strike: Strike) -> f32 {
        let rank = now.position.piece(strike.target).ranks.single();
        rank.map_or(0.0, |rank| now.known.piece_value(strike.target.side(), rank))
    }

    /// How likely each action of the player of `view` should be chosen, whose turn it is; none by default. What the pieces
    /// did may be known of plies that the view no longer keeps.
    fn policy(&self, _: &View, _: &Pursuits) -> Option<Evaluation> {
        None
    }
}
