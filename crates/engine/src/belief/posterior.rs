//! What is believed of an army once everything has been weighed.

use super::army_model::{ArmyModel, Hypotheses, RankProbabilities, uniform};
use super::assignment;
use super::case::Case;
use super::evidence::Known;
use super::experts;
use super::likelihood::Likelihood;
use super::opponent_types::{TypeMixture, mixture};
use super::structure::Structure;
use super::trust::Trust;
use crate::rules::{ByRank, Piece, PieceId};
use crate::view::{HiddenArmy, View};
use experts::Weighed;

/// A belief about one side's pieces.
///
/// It gives each piece's rank probabilities, and draws whole armies that fit all that is known:
///
/// ```
/// use outflank_engine::belief::Belief;
/// use outflank_rules::rng::Rng;
/// use outflank_rules::rules::{Ruleset, Side, Spn};
/// use outflank_rules::view::View;
///
/// let spn = Spn::parse("?8?/9?/10/10/2__2__2/2__2__2/E9/10/10/9M r r 22,6? 12 200", Ruleset::default())?;
/// let belief = Belief::of_enemies(&View::from_spn(&spn, Side::Red));
/// let worlds = belief.sample(3, &mut Rng::new(7));
/// // Three pieces stand, and one of the two dead is unknown.
/// assert!(worlds.iter().all(|world| world.ranks().len() >= 4));
/// # Ok::<(), outflank_rules::rules::SpnError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Belief {
    pub(super) pieces: Vec<(PieceId, RankProbabilities)>,
    pub(super) army: ArmyModel,
    /// What whole armies need beside that; none where only weights are known.
    pub(super) structure: Option<Structure>,
    trust: Option<Trust>,
}

impl Belief {
    /// What a player may think of the enemy's pieces, by what it was shown and what was found out about that.
    pub fn of_enemies<'a>(known: impl Into<Known<'a>>) -> Belief {
        Belief::of_enemies_weighing(known, &Likelihood::ALL)
    }

    /// Like [`Belief::of_enemies`], with nothing weighed but these likelihoods: for measuring what they are worth.
    /// Without any, facts and the army's counts are left.
    pub fn of_enemies_weighing<'a>(known: impl Into<Known<'a>>, likelihoods: &[Likelihood]) -> Belief {
        let known = known.into();
        let pieces = known.view.hidden_army();
        Belief::new(&pieces, experts::weigh(&pieces, known, likelihoods, &mixture()))
    }

    /// The enemy's pieces as people set them up: the setup alone, in full. For drawing setups; of a stranger
    /// [`Belief::of_enemies`] believes less.
    pub fn of_setups(view: &View) -> Belief {
        let pieces = view.hidden_army();
        let likelihoods = [Likelihood::Place, Likelihood::Neighbours];
        let (trust, mixture) = (Trust::in_the_setup(), mixture());
        let case =
            Case { army: &pieces, known: view.into(), trust, mixture: &mixture, likelihoods: &likelihoods };
        Belief::new(&pieces, experts::weigh_case(&case))
    }

    /// What the enemy may think of `view`'s player's pieces, by the same reasoning.
    pub fn of_ours(view: &View) -> Belief {
        let pieces = view.our_hidden_army();
        Belief::new(&pieces, experts::weigh(&pieces, view.into(), &Likelihood::ALL, &mixture()))
    }

    /// The belief of an army by its weights, and its structure if that is known.
    pub(super) fn new(pieces: &HiddenArmy, weighed: Weighed) -> Belief {
        let Weighed { army, structure, trust } = weighed;
        let mut probabilities = army.weighed(&army.weights);
        if probabilities.is_empty() {
            // The known facts contradict the army's counts (a host's error): believe each piece by itself.
            log::warn!("no army fits what is known; counts are ignored");
            probabilities = pieces.iter().map(|(_, piece)| uniform(piece.ranks)).collect();
        }
        let pieces =
            pieces.iter().zip(probabilities).map(|((id, _), probabilities)| (*id, probabilities)).collect();
        Belief { pieces, army, structure, trust }
    }

    /// Whether some whole army fits what the view's player knows of the enemy.
    pub fn is_possible(view: &View) -> bool {
        let pieces = view.hidden_army();
        // What fits is a matter of facts and counts alone.
        let army = ArmyModel::new(&pieces, view.position().rules(), |_, _| ByRank::filled(1.0));
        assignment::feasible(&army.problem()).is_some()
    }

    /// How far each expert is trusted against this player; none for an army that they do not know.
    pub const fn trust(&self) -> Option<&Trust> {
        self.trust.as_ref()
    }

    /// Every piece of the side, living and dead, with its rank probabilities; those of a known piece are 1 and 0.
    pub fn pieces(&self) -> &[(PieceId, RankProbabilities)] {
        &self.pieces
    }

    /// The rank probabilities of one piece; `None` for a piece that the belief is not about, as one of the other side.
    pub fn probabilities(&self, id: PieceId) -> Option<&RankProbabilities> {
        self.pieces.iter().find(|(other, _)| *other == id).map(|(_, probabilities)| probabilities)
    }
}

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
        army.hypotheses = Hypotheses::of_rescue(&pieces, view);
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
