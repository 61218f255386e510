//! Every source of a belief, in its order, as far as it is trusted.

use super::army_model::{ArmyModel, Hypotheses, Weights, multiply};
use super::case::Case;
use super::counts::Counts;
use super::evidence::Known;
use super::history::HistoryNet;
use super::likelihood::Likelihood;
use super::opponent_types::TypeMixture;
use super::setups::SetupPart;
use super::square_prior::{RESCUED, by_place, place_of};
use super::structure::Structure;
use super::trust::{LogLikelihoods, Prediction, Trust};
use super::{barrage, contact, history, move_evidence, opponent_types, params, setups, sparing};
use crate::rules::{Army, ByRank, Piece, PieceId};
use crate::view::{HiddenArmy, View};

/// An army that has been weighed.
pub(super) struct Weighed {
    pub(super) army: ArmyModel,
    /// What goes together in it; none where only weights are known.
    pub(super) structure: Option<Structure>,
    /// How far the experts were trusted; none where none was asked.
    pub(super) trust: Option<Trust>,
}

/// An army of which the weights are all that is known.
impl From<ArmyModel> for Weighed {
    fn from(army: ArmyModel) -> Weighed {
        Weighed { army, structure: None, trust: None }
    }
}

/// The army with all that these likelihoods say of it.
pub(super) fn weigh(
    army: &HiddenArmy,
    known: Known<'_>,
    likelihoods: &[Likelihood],
    mixture: &TypeMixture,
) -> Weighed {
    let trust = if is_classic(known.view) { trust_in(army, known) } else { Trust::in_another_army() };
    weigh_case(&Case { army, known, trust, mixture, likelihoods })
}

/// Most experts know no other army.
fn is_classic(view: &View) -> bool {
    view.position().rules().army() == Army::CLASSIC
}

/// The army with all that is asked of it.
pub(super) fn weigh_case(case: &Case<'_>) -> Weighed {
    let mut model = ArmyModel::new(case.army, case.rules(), |_, _| ByRank::filled(1.0));
    model.hypotheses = Hypotheses::of_rescue(case.army, case.view());
    let army = case.rules().army();
    for likelihood in Likelihood::ALL.into_iter().filter(|likelihood| case.likelihoods.contains(likelihood)) {
        model.weigh(likelihood, |weights| {
            if likelihood.applies(&army) {
                weigh_one(case, likelihood, weights);
            }
        });
        model.sharpen(likelihood, params::power(likelihood));
    }
    let classic = is_classic(case.view());
    let structured = classic && case.likelihoods.contains(&Likelihood::Neighbours);
    let structure = structured.then(|| Structure::new(case.army, *case.rules(), case.setup_part()));
    Weighed { army: model, structure, trust: classic.then_some(case.trust) }
}

/// How far the sources are trusted, by the ranks of this side that have been revealed.
fn trust_in(army: &HiddenArmy, known: Known<'_>) -> Trust {
    let side = army.side();
    Trust::of(
        known.evidence.revealed(known.view).filter(|scored| Some(scored.prediction.id.side()) == side),
        known.evidence.contacts(known.view).filter(|(prediction, _)| Some(prediction.id.side()) == side),
    )
}

/// Lets a likelihood weigh in on an army that it applies to.
fn weigh_one(case: &Case<'_>, likelihood: Likelihood, weights: &mut Weights) {
    match likelihood {
        Likelihood::Place => weigh_places(case, weights),
        Likelihood::FirstMove => case.weigh_each(weights, |id, piece| by_first_move(id, piece, case.view())),
        Likelihood::History => history::weigh(case, weights),
        Likelihood::Rescue => case.weigh_each(weights, |id, _| id.came_back().then_some(RESCUED)),
        Likelihood::Neighbours => weigh_neighbours(case, weights),
        Likelihood::Contact => contact::weigh(case, weights),
        Likelihood::OpponentTypes => opponent_types::weigh(case, weights),
        Likelihood::MoveEvidence => {
            move_evidence::weigh(case, weights);
            sparing::weigh(case, weights);
        }
    }
}

/// Weighs ranks by where the pieces began: of the classic army as far as the setup is trusted.
fn weigh_places(case: &Case<'_>, weights: &mut Weights) {
    if !is_classic(case.view()) {
        return case.weigh_each(weights, |id, piece| by_place(id, piece, case.rules()));
    }
    for (weights, places) in weights.iter_mut().zip(case.setup(SetupPart::Places)) {
        multiply(weights, &case.trust.setup(&places));
    }
}

/// Weighs ranks by what the setup says beyond what the places have said.
fn weigh_neighbours(case: &Case<'_>, weights: &mut Weights) {
    let part = case.setup_part();
    let mut said = case.setup(part);
    if part == SetupPart::Whole {
        for (said, places) in said.iter_mut().zip(case.setup(SetupPart::Places)) {
            *said = ByRank::from_fn(|rank| said[rank] - places[rank]);
        }
    }
    for (weights, said) in weights.iter_mut().zip(said) {
        multiply(weights, &case.trust.setup(&said));
    }
}

/// How much each rank is favoured by when the piece first moved. For the classic army the history model says that.
fn by_first_move(id: PieceId, piece: &Piece, view: &View) -> Option<ByRank<f32>> {
    place_of(id, piece)?;
    let (first_move, turns) = (piece.first_move.map(|ply| ply / 2), view.position().ply() / 2);
    Some(barrage::by_first_move(first_move, piece.moved, turns))
}

/// What the sources say of one of the enemy's pieces; `None` if its rank is known or the army is not the classic one.
pub(crate) fn predict(known: Known<'_>, id: PieceId) -> Option<Prediction> {
    let view = known.view;
    let position = view.position();
    let piece = position.piece(id);
    if piece.ranks.len() < 2 || !is_classic(view) {
        return None;
    }
    let pieces = view.hidden_army();
    let index = pieces.index(id)?;
    let counts = Counts::of(position, id.side(), |piece| piece.ranks);
    let experts = LogLikelihoods {
        history: history::log_likelihoods_of(HistoryNet::general()?, &pieces, view, index),
        self_play: history::log_likelihoods_of(HistoryNet::self_play()?, &pieces, view, index),
        setup: setups::log_likelihoods(&pieces, position.rules(), SetupPart::Whole)[index],
        moves: move_evidence::log_likelihoods(&pieces, known)[index],
        contact: contact::log_likelihoods(&pieces, view)
            .filter(|(met, _)| *met == index)
            .map_or_else(|| ByRank::filled(0.0), |(_, logs)| logs),
    };
    let counts = counts.probabilities(id, piece, piece.ranks);
    Some(Prediction { ply: position.ply() + 1, id, counts, experts })
}
