//! What the experts are asked about: an army, and all that may be said of it.

use super::army_model::{Weights, multiply};
use super::evidence::Known;
use super::likelihood::Likelihood;
use super::opponent_types::mixture::TypeMixture;
use super::setups::{self, SetupPart};
use super::trust::Trust;
use crate::rules::{ByRank, Piece, PieceId, Ruleset};
use crate::view::{HiddenArmy, View};

/// An army to be weighed. An expert is a function `weigh` of a case and the weights so far.
pub(super) struct Case<'a> {
    pub(super) army: &'a HiddenArmy,
    /// What the player knows that asks.
    pub(super) known: Known<'a>,
    /// How far the experts are trusted.
    pub(super) trust: Trust,
    /// The opponent types.
    pub(super) mixture: &'a TypeMixture<'a>,
    /// What is asked.
    pub(super) likelihoods: &'a [Likelihood],
}

impl<'a> Case<'a> {
    pub(super) const fn view(&self) -> &'a View {
        self.known.view
    }

    pub(super) const fn rules(&self) -> &'a Ruleset {
        self.known.view.position().rules()
    }

    /// The part of the setup that is asked in all.
    pub(super) fn setup_part(&self) -> SetupPart {
        if self.likelihoods.contains(&Likelihood::Place) { SetupPart::Whole } else { SetupPart::Neighbours }
    }

    /// What a part of the setup says of each piece, in nats.
    pub(super) fn setup(&self, part: SetupPart) -> Vec<ByRank<f32>> {
        setups::log_likelihoods(self.army, self.rules(), part)
    }

    /// Multiplies the weights of each piece by what `favours` says of its ranks.
    pub(super) fn weigh_each(
        &self,
        weights: &mut Weights,
        favours: impl Fn(PieceId, &Piece) -> Option<ByRank<f32>>,
    ) {
        for ((id, piece), weights) in self.army.iter().zip(weights) {
            if let Some(favoured) = favours(*id, piece) {
                multiply(weights, &favoured);
            }
        }
    }
}
