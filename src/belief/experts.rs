//! Every source of a belief, in its order, as far as it is trusted.

use super::army_model::{ArmyModel, multiply};
use super::counts::Counts;
use super::evidence::Known;
use super::history::HistoryNet;
use super::likelihood::Likelihood;
use super::opponent_types::TypeMixture;
use super::prediction::{LogLikelihoods, Prediction};
use super::setups::SetupPart;
use super::square_prior::{RESCUED, by_place, place_of};
use super::structure::Structure;
use super::trust::Trust;
use super::ways::Ways;
use super::{barrage, contact, history, move_evidence, opponent_types, params, setups, sparing};
use crate::rules::{Army, ByRank, Piece, PieceId, Position};

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
    pieces: &[(PieceId, Piece)],
    known: Known<'_>,
    likelihoods: &[Likelihood],
    mixture: &TypeMixture,
) -> Weighed {
    let classic = known.view.position().rules().army() == Army::CLASSIC;
    let trust = if classic { trust_in(pieces, known) } else { Trust::in_another_army() };
    weigh_trusting(trust, pieces, known, likelihoods, mixture)
}

/// The army as [`weigh`] tells, with the sources trusted as `trust` says.
pub(super) fn weigh_trusting(
    trust: Trust,
    pieces: &[(PieceId, Piece)],
    known: Known<'_>,
    likelihoods: &[Likelihood],
    mixture: &TypeMixture,
) -> Weighed {
    let rules = known.view.position().rules();
    let mut model = ArmyModel::new(pieces, rules, |_, _| ByRank::filled(1.0));
    model.ways = Ways::of_rescue(pieces, known.view);
    let classic = model.counts == *Army::CLASSIC.counts();
    let placed = likelihoods.contains(&Likelihood::Place);
    let setup = |part| setups::log_likelihoods(pieces, rules, part);
    // What the places say alone; two likelihoods ask for it.
    let alone = (classic && placed).then(|| setup(SetupPart::Places));
    let part = if placed { SetupPart::Whole } else { SetupPart::Neighbours };
    for likelihood in Likelihood::ALL.into_iter().filter(|likelihood| likelihoods.contains(likelihood)) {
        model.weigh(likelihood, |model| match likelihood {
            Likelihood::Place => match &alone {
                Some(alone) => weigh_setup(model, &trust, alone, None),
                None => weigh_one(likelihood, &mut model.weights, pieces, (known, mixture)),
            },
            Likelihood::Neighbours if classic => weigh_setup(model, &trust, &setup(part), alone.as_deref()),
            Likelihood::Neighbours => (),
            Likelihood::History => history::weigh(pieces, &mut model.weights, known.view, &trust),
            Likelihood::Contact => contact::weigh(pieces, &mut model.weights, known, &trust),
            Likelihood::MoveEvidence => {
                move_evidence::weigh(pieces, &mut model.weights, known, &trust);
                sparing::weigh(pieces, &mut model.weights, known.view);
            }
            _ => weigh_one(likelihood, &mut model.weights, pieces, (known, mixture)),
        });
        model.sharpen(likelihood, params::power(likelihood));
    }
    let structured = classic && likelihoods.contains(&Likelihood::Neighbours);
    let structure = structured.then(|| Structure::new(pieces, *rules, part));
    Weighed { army: model, structure, trust: classic.then_some(trust) }
}

/// How far the sources are trusted, by the ranks of this side that have been revealed.
fn trust_in(pieces: &[(PieceId, Piece)], known: Known<'_>) -> Trust {
    let side = pieces.first().map(|(id, _)| id.side());
    Trust::of(
        known.evidence.revealed(known.view).filter(|scored| Some(scored.prediction.id.side()) == side),
        known.evidence.contacts(known.view).filter(|(prediction, _)| Some(prediction.id.side()) == side),
    )
}

/// Weighs ranks by what the setup says, beyond what was `said` already, as far as it is trusted.
fn weigh_setup(model: &mut ArmyModel, trust: &Trust, all: &[ByRank<f32>], said: Option<&[ByRank<f32>]>) {
    for (index, (weights, all)) in model.weights.iter_mut().zip(all).enumerate() {
        let rest = ByRank::from_fn(|rank| all[rank] - said.map_or(0.0, |said| said[index][rank]));
        multiply(weights, &trust.setup(&rest));
    }
}

/// Lets a likelihood weigh in on the pieces; `weights` come in their order, and may have more at the end.
fn weigh_one(
    likelihood: Likelihood,
    weights: &mut [ByRank<f32>],
    pieces: &[(PieceId, Piece)],
    (known, mixture): (Known<'_>, &TypeMixture),
) {
    let view = known.view;
    let position = view.position();
    let favours: fn(PieceId, &Piece, &Position) -> Option<ByRank<f32>> = match likelihood {
        Likelihood::Place => |id, piece, position| by_place(id, piece, position.rules()),
        Likelihood::FirstMove => by_first_move,
        Likelihood::Rescue => |id, _, _| id.came_back().then_some(RESCUED),
        Likelihood::History | Likelihood::Neighbours | Likelihood::Contact | Likelihood::MoveEvidence => {
            return;
        }
        Likelihood::OpponentTypes => return opponent_types::weigh(pieces, weights, view, mixture),
    };
    for ((id, piece), weights) in pieces.iter().zip(weights) {
        if let Some(favoured) = favours(*id, piece, position) {
            multiply(weights, &favoured);
        }
    }
}

/// How much each rank is favoured by when the piece first moved. For the classic army the history model says that.
fn by_first_move(id: PieceId, piece: &Piece, position: &Position) -> Option<ByRank<f32>> {
    place_of(id, piece).filter(|_| position.rules().barrage)?;
    let (first_move, turns) = (piece.first_move.map(|ply| ply / 2), position.ply() / 2);
    Some(barrage::by_first_move(first_move, piece.moved, turns))
}

/// What the sources say of one of the enemy's pieces; `None` if its rank is known or the army is not the classic one.
pub fn predict(known: Known<'_>, id: PieceId) -> Option<Prediction> {
    let view = known.view;
    let position = view.position();
    let piece = position.piece(id);
    if piece.ranks.len() < 2 || position.rules().army() != Army::CLASSIC {
        return None;
    }
    let pieces: Vec<_> = view.enemies().map(|(id, piece)| (id, *piece)).collect();
    let index = pieces.iter().position(|(other, _)| *other == id)?;
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
