//! What goes together in an army: the flag, then one by one the bombs beside it.

use super::army_model::{ArmyModel, multiply};
use super::setups::{self, SetupPart};
use super::{assignment, params};
use crate::math;
use crate::rules::{ByRank, Rank, RankSet, Ruleset};
use crate::view::HiddenArmy;

/// What the setup says of an army, so that it can be asked again when more is known.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pieces: HiddenArmy,
    rules: Ruleset,
    part: SetupPart,
}

impl Structure {
    /// Of these pieces of one side, by this part of the setup.
    pub(super) fn new(pieces: &HiddenArmy, rules: Ruleset, part: SetupPart) -> Structure {
        Structure { pieces: pieces.clone(), rules, part }
    }

    /// The army's pieces as they are known before anything is drawn.
    pub(super) fn pieces(&self) -> &HiddenArmy {
        &self.pieces
    }

    /// What the setup says, in nats, by what is known of these pieces.
    pub(super) fn log_likelihoods(&self, pieces: &HiddenArmy) -> Vec<ByRank<f32>> {
        setups::log_likelihoods(pieces, &self.rules, self.part)
    }
}

/// An army as it is believed before anything is drawn.
#[derive(Copy, Clone)]
pub(super) struct Undrawn<'a> {
    pub(super) army: &'a ArmyModel,
    pub(super) structure: &'a Structure,
    /// What the setup says, in nats.
    pub(super) setup: &'a [ByRank<f32>],
}

/// An army whose flag is drawn, and for some of the flag's neighbours whether they are bombs.
pub(super) struct PartialWorld<'a> {
    undrawn: Undrawn<'a>,
    pieces: HiddenArmy,
    /// The army by what is drawn.
    pub(super) army: ArmyModel,
    /// The flag's neighbours of which it is not drawn yet whether they are bombs, by index.
    open: Vec<usize>,
}

impl<'a> PartialWorld<'a> {
    /// The piece `flag` is the flag.
    pub(super) fn with_flag(undrawn: Undrawn<'a>, flag: usize) -> PartialWorld<'a> {
        let Undrawn { army, structure, .. } = undrawn;
        let army = army.plain(&army.weights);
        let started = |index: usize| structure.pieces[index].1.start;
        let beside = |index: &usize| {
            started(flag).zip(started(*index)).is_some_and(|(flag, other)| flag.distance(other) == 1)
        };
        let open = (0..structure.pieces.len()).filter(beside).collect();
        let mut partial = PartialWorld { undrawn, pieces: structure.pieces.clone(), army, open };
        let only = RankSet::only(Rank::Flag);
        for index in 0..partial.army.allowed.len() {
            let may = if index == flag { only } else { RankSet::ALL.without(only) };
            partial.narrow(index, may);
        }
        partial.weigh();
        partial
    }

    fn narrow(&mut self, index: usize, may: RankSet) {
        self.army.allowed[index] = self.army.allowed[index].and(may);
        self.pieces.narrow(index, may);
    }

    /// Asks the setup again, by what is known now. What goes together holds for strangers, too.
    fn weigh(&mut self) {
        let Undrawn { army, structure, setup } = self.undrawn;
        self.army.weights.clone_from(&army.weights);
        let now = structure.log_likelihoods(&self.pieces);
        let power = params::coupling();
        for ((weights, now), before) in self.army.weights.iter_mut().zip(now).zip(setup) {
            multiply(weights, &ByRank::from_fn(|rank| math::exp(power * (now[rank] - before[rank]))));
        }
    }

    /// Leaves out the flag's neighbours that are a bomb for sure, or none.
    fn close(&mut self) {
        let bomb = RankSet::only(Rank::Bomb);
        let allowed = &self.army.allowed;
        self.open.retain(|&index| allowed[index].meets(bomb) && allowed[index] != bomb);
    }

    /// The next neighbour of the flag of which it is open whether it is a bomb, and how likely that is.
    pub(super) fn next_neighbour(&mut self) -> Option<(usize, f32)> {
        self.close();
        let index = self.open.pop()?;
        let mut probabilities = Vec::new();
        assignment::marginals(&self.army.problem(), &mut probabilities)
            .then(|| (index, probabilities[index][Rank::Bomb]))
    }

    /// This partial world with one neighbour known to be a bomb, or none. The last one is settled by the counts alone: what else it
    /// says of the others is little, and asking costs half of all time.
    pub(super) fn with_neighbour(&self, index: usize, is_bomb: bool) -> PartialWorld<'a> {
        let bomb = RankSet::only(Rank::Bomb);
        let (army, pieces, open) = (self.army.clone(), self.pieces.clone(), self.open.clone());
        let mut partial = PartialWorld { undrawn: self.undrawn, pieces, army, open };
        partial.narrow(index, if is_bomb { bomb } else { RankSet::ALL.without(bomb) });
        partial.close();
        if !partial.open.is_empty() {
            partial.weigh();
        }
        partial
    }
}
