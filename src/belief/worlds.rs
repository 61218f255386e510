//! Whole armies that fit all that is known.
//!
//! A piece's rank probabilities do not say what goes together. A flag is closed in by bombs in nearly half of all
//! setups, but if pieces were drawn each by its own weights, hardly ever. So the flag is drawn first, then one by one
//! whether its neighbours are bombs. Each time but the last the setup model judges all others again.

use super::army_model::ArmyModel;
use super::assignment;
use super::posterior::Belief;
use super::structure::{PartialWorld, Structure};
use crate::rng::Rng;
use crate::rules::{PieceId, Rank};

/// One consistent assignment of ranks to a side's pieces. Only a belief can make one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct World {
    ranks: Vec<(PieceId, Rank)>,
}

impl World {
    /// The rank of each piece of the side, living and dead.
    pub fn ranks(&self) -> &[(PieceId, Rank)] {
        &self.ranks
    }
}

impl Belief {
    /// Up to `count` consistent worlds; none if no army fits what has been told. The flag is drawn by what is believed
    /// of it, then the bombs beside it, and all else by what is believed once these are known.
    pub fn sample(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        let mut worlds = Vec::with_capacity(count.min(1 << 16));
        let Some(structure) = self.structure() else {
            self.draw_from(&self.army, count, rng, &mut worlds);
            return worlds;
        };
        let unconditional = structure.log_likelihoods(structure.pieces());
        for (flag, times) in self.draw_flags(count, rng) {
            self.draw(
                PartialWorld::with_flag((&self.army, structure), &unconditional, flag),
                times,
                rng,
                &mut worlds,
            );
        }
        // Whoever takes the first few shall not find the same flag in all of them.
        rng.shuffle(&mut worlds);
        worlds
    }

    /// Like [`Belief::sample`], each piece by its own weights and the counts alone: four times as fast, and enough
    /// where what stands around the flag does not matter.
    pub fn sample_by_weights(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        let mut worlds = Vec::with_capacity(count.min(1 << 16));
        self.draw_from(&self.army, count, rng, &mut worlds);
        worlds
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
        self.structure.as_ref().filter(|_| self.flags().next().is_some())
    }

    /// Which pieces may be the flag, by index, and how likely.
    fn flags(&self) -> impl Iterator<Item = (usize, f32)> {
        let flags = self.pieces.iter().map(|(_, probabilities)| probabilities[Rank::Flag]);
        flags.enumerate().filter(|(_, probability)| *probability > 0.0)
    }

    /// How often each piece is the flag in `count` draws; pieces that never are, are left out.
    fn draw_flags(&self, count: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
        let flags: Vec<(usize, f32)> = self.flags().collect();
        let whole: f32 = flags.iter().map(|(_, probability)| probability).sum();
        let mut times = vec![0; flags.len()];
        for _ in 0..count {
            let mut left = rng.unit() * whole;
            let drawn = flags.iter().position(|(_, probability)| {
                left -= probability;
                left < 0.0
            });
            times[drawn.unwrap_or(flags.len() - 1)] += 1;
        }
        flags.into_iter().map(|(flag, _)| flag).zip(times).filter(|(_, times)| *times > 0).collect()
    }

    /// All consistent worlds with their shares; `None` if there are more than `most`, or if no army fits what has been
    /// told.
    pub fn worlds(&self, most: usize) -> Option<Vec<(World, f32)>> {
        let all = assignment::enumerate(&self.army.problem(), most)?;
        if self.structure().is_none() {
            return Some(all.into_iter().map(|(ranks, share)| (self.world(&ranks), share as f32)).collect());
        }
        let mut worlds = Vec::with_capacity(all.len());
        self.parts(&mut |army, share| {
            let part = assignment::enumerate(&army.problem(), most).unwrap_or_default();
            worlds.extend(part.into_iter().map(|(ranks, of_it)| (self.world(&ranks), share * of_it as f32)));
        });
        Some(worlds)
    }

    /// Shows every way in which the flag and the bombs beside it may be drawn: the army then, and the way's share.
    pub(super) fn parts(&self, visit: &mut impl FnMut(&ArmyModel, f32)) {
        let Some(structure) = self.structure() else { return visit(&self.army, 1.0) };
        let unconditional = structure.log_likelihoods(structure.pieces());
        let whole: f32 = self.flags().map(|(_, probability)| probability).sum();
        let flag = |(flag, probability): (usize, f32)| {
            (PartialWorld::with_flag((&self.army, structure), &unconditional, flag), probability / whole)
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

    fn world(&self, ranks: &[Rank]) -> World {
        let ranks = self.pieces.iter().zip(ranks);
        World { ranks: ranks.map(|((id, _), &rank)| (*id, rank)).collect() }
    }
}
