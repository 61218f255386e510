//! Whole armies that fit all that is known.
//!
//! A piece's rank probabilities do not say what goes together. A flag is closed in by bombs in nearly half of all
//! setups, but if pieces were drawn each by its own weights, hardly ever. So the flag is drawn first, then one by one
//! whether its neighbours are bombs. Each time but the last the setup model judges all others again.

use super::army_model::{ArmyModel, Part, RankProbabilities};
use super::assignment;
use super::posterior::Belief;
use super::structure::{PartialWorld, Structure, Undrawn};
use crate::rng::Rng;
use crate::rules::{PieceId, Rank};
use std::collections::BTreeMap;

/// One consistent assignment of ranks to a side's pieces. Only a belief can make one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct World {
    ranks: Vec<(PieceId, Rank)>,
}

/// One of all worlds of a belief.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedWorld {
    /// The ranks.
    pub world: World,
    /// How likely it is; the shares of all worlds sum to 1.
    pub share: f32,
}

impl World {
    /// The rank of each piece of the side, living and dead.
    pub fn ranks(&self) -> &[(PieceId, Rank)] {
        &self.ranks
    }
}

impl Belief {
    /// Up to `count` consistent worlds; none if no army fits what is known. Where it is open whom a rescue brought
    /// back, that is drawn first; then the flag by what is believed of it, then the bombs beside it, and all else by
    /// what is believed once these are known.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        self.draw_by_part(count, rng, |part, count, rng, worlds| {
            let Some(structure) = self.structure() else {
                return self.draw_from(&part.army, count, rng, worlds);
            };
            let setup = &structure.log_likelihoods(structure.pieces());
            let undrawn = Undrawn { army: &part.army, structure, setup };
            for (flag, times) in draw_lots(&part.flags().collect::<Vec<_>>(), count, rng) {
                let partial = PartialWorld::with_flag(undrawn, flag);
                self.draw(partial, times, rng, worlds);
            }
            // Whoever takes the first few shall not find the same flag in all of them.
            rng.shuffle(worlds);
        })
    }

    /// Like [`Belief::sample`], each piece by its own weights and the counts alone: four times as fast, and enough
    /// where what stands around the flag does not matter.
    pub fn sample_by_weights(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        self.draw_by_part(count, rng, |part, count, rng, worlds| {
            self.draw_from(&part.army, count, rng, worlds);
        })
    }

    /// Worlds that `draw` adds, part by part of the army.
    fn draw_by_part(
        &self,
        count: usize,
        rng: &mut Rng,
        draw: impl Fn(&Part, usize, &mut Rng, &mut Vec<World>),
    ) -> Vec<World> {
        let mut worlds = Vec::with_capacity(count.min(1 << 16));
        let parts = self.army_parts();
        if let [part] = &parts[..] {
            draw(part, count, rng, &mut worlds);
            return worlds;
        }
        let shares: Vec<_> = parts.iter().map(|part| part.share as f32).enumerate().collect();
        for (part, times) in draw_lots(&shares, count, rng) {
            draw(&parts[part], times, rng, &mut worlds);
        }
        rng.shuffle(&mut worlds);
        worlds
    }

    /// The ways in which the army may have come to be, with what is believed then; none if no army fits.
    fn army_parts(&self) -> Vec<Part> {
        if !self.army.hypotheses.is_one() {
            let mut parts = self.army.parts();
            for part in &mut parts {
                part.probabilities.truncate(self.pieces.len());
            }
            return parts;
        }
        let probabilities = self.pieces.iter().map(|(_, probabilities)| *probabilities).collect();
        vec![Part { share: 1.0, army: self.army.plain(&self.army.weights), probabilities }]
    }

    fn draw(&self, mut partial: PartialWorld<'_>, count: usize, rng: &mut Rng, worlds: &mut Vec<World>) {
        let Some((index, probability)) = partial.next_neighbour() else {
            return self.draw_from(&partial.army, count, rng, worlds);
        };
        let bombs = (0..count).filter(|_| rng.unit() < probability).count();
        for (is_bomb, count) in [(true, bombs), (false, count - bombs)] {
            if count > 0 {
                self.draw(partial.with_neighbour(index, is_bomb), count, rng, worlds);
            }
        }
    }

    fn draw_from(&self, army: &ArmyModel, count: usize, rng: &mut Rng, worlds: &mut Vec<World>) {
        let keep = |ranks: &[Rank]| worlds.push(self.world(ranks));
        assignment::sample(&army.problem(), count, &mut || rng.bits(), keep);
    }

    /// What the setup says, where some piece may be the flag.
    fn structure(&self) -> Option<&Structure> {
        let may_be_flag = |(_, probabilities): &(PieceId, RankProbabilities)| probabilities[Rank::Flag] > 0.0;
        self.structure.as_ref().filter(|_| self.pieces.iter().any(may_be_flag))
    }

    /// All consistent worlds; `None` if there are more than `most`, or if no army fits what is
    /// known.
    pub fn worlds(&self, most: usize) -> Option<Vec<WeightedWorld>> {
        let mut shares: BTreeMap<Vec<Rank>, f32> = BTreeMap::new();
        for Part { share, army, .. } in self.army_parts() {
            for (ranks, of_it) in assignment::enumerate(&army.problem(), most)? {
                *shares.entry(ranks).or_default() += (share * of_it) as f32;
            }
        }
        if shares.is_empty() || shares.len() > most {
            return None;
        }
        if self.structure().is_some() {
            shares.clear();
            self.parts(&mut |army, share| {
                for (ranks, of_it) in assignment::enumerate(&army.problem(), most).unwrap_or_default() {
                    *shares.entry(ranks).or_default() += share * of_it as f32;
                }
            });
        }
        Some(
            shares
                .into_iter()
                .map(|(ranks, share)| WeightedWorld { world: self.world(&ranks), share })
                .collect(),
        )
    }

    /// Shows every way in which it may be drawn whom a rescue brought back, the flag and the bombs beside it: the army
    /// then, and the way's share.
    pub(super) fn parts(&self, visit: &mut impl FnMut(&ArmyModel, f32)) {
        for part in self.army_parts() {
            match self.structure() {
                Some(structure) => part.by_flag(structure, visit),
                None => visit(&part.army, part.share as f32),
            }
        }
    }

    fn world(&self, ranks: &[Rank]) -> World {
        let ranks = self.pieces.iter().zip(ranks);
        World { ranks: ranks.map(|((id, _), &rank)| (*id, rank)).collect() }
    }
}

impl Part {
    /// Which pieces may be the flag, by index, and how likely.
    fn flags(&self) -> impl Iterator<Item = (usize, f32)> {
        let flags = self.probabilities.iter().map(|probabilities| probabilities[Rank::Flag]);
        flags.enumerate().filter(|(_, probability)| *probability > 0.0)
    }

    /// Shows every way in which the flag and the bombs beside it may be drawn.
    fn by_flag(&self, structure: &Structure, visit: &mut impl FnMut(&ArmyModel, f32)) {
        let setup = &structure.log_likelihoods(structure.pieces());
        let undrawn = Undrawn { army: &self.army, structure, setup };
        let whole: f32 = self.flags().map(|(_, probability)| probability).sum();
        let flag = |(flag, probability): (usize, f32)| {
            let share = self.share as f32 * probability / whole;
            (PartialWorld::with_flag(undrawn, flag), share)
        };
        let mut ways: Vec<(PartialWorld<'_>, f32)> = self.flags().map(flag).collect();
        while let Some((mut partial, share)) = ways.pop() {
            match partial.next_neighbour() {
                None => visit(&partial.army, share),
                Some((index, probability)) => {
                    for (is_bomb, probability) in [(true, probability), (false, 1.0 - probability)] {
                        ways.push((partial.with_neighbour(index, is_bomb), share * probability));
                    }
                }
            }
        }
    }
}

/// How often each of these comes in `count` draws by their shares; what never does is left out.
fn draw_lots(shares: &[(usize, f32)], count: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    let whole: f32 = shares.iter().map(|(_, share)| share).sum();
    let mut times = vec![0; shares.len()];
    for _ in 0..count {
        let mut left = rng.unit() * whole;
        let drawn = shares.iter().position(|(_, share)| {
            left -= share;
            left < 0.0
        });
        times[drawn.unwrap_or(shares.len() - 1)] += 1;
    }
    shares.iter().map(|(index, _)| *index).zip(times).filter(|(_, times)| *times > 0).collect()
}
