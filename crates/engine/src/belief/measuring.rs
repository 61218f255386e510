//! Beliefs as they would be otherwise, for fitting and for measuring what something is worth. Nothing here is asked for
//! in play.

use super::army_model::ArmyModel;
use super::likelihood::Likelihood;
use super::opponent_types::TypeMixture;
use super::posterior::Belief;
use super::rank_probabilities::RankProbabilities;
use super::ways::Ways;
use super::{assignment, experts};
use crate::rules::{ByRank, Piece, PieceId};
use crate::view::View;

impl Belief {
    /// Like [`Belief::of_enemies`], as if these were the opponent types. For fitting them and measuring their worth.
    pub fn of_enemies_by(view: &View, mixture: &TypeMixture) -> Belief {
        let pieces = view.hidden_army();
        Belief::new(&pieces, experts::weigh(&pieces, view.into(), &Likelihood::ALL, mixture))
    }

    /// Like [`Belief::of_enemies`], with each piece's ranks weighed by `weigh` alone: positive weights, in any unit.
    /// Hard facts and the army's counts hold as ever. For measuring what a prior is worth.
    pub fn of_enemies_weighed(view: &View, weigh: impl Fn(PieceId, &Piece) -> ByRank<f32>) -> Belief {
        let pieces = view.hidden_army();
        let mut army = ArmyModel::new(&pieces, view.position().rules(), weigh);
        army.ways = Ways::of_rescue(&pieces, view);
        Belief::new(&pieces, army.into())
    }

    /// The probabilities of [`Belief::pieces`] without the approximation used for large armies; `None` if no army fits
    /// what is known. A whole army takes about 0.2 s and 150 MB: for fitting and checking, not for play.
    pub fn exact(&self) -> Option<Vec<(PieceId, RankProbabilities)>> {
        let probabilities = self.army.weighed_by(&self.army.weights, assignment::exact_marginals);
        let ids = self.pieces.iter().map(|(id, _)| *id);
        (!probabilities.is_empty()).then(|| ids.zip(probabilities).collect())
    }
}
