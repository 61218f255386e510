//! Whole armies that fit all that is known.
//!
//! A piece's rank probabilities do not say what goes together. A flag is closed in by bombs in nearly half of all
//! setups, but if pieces were drawn each by its own weights, hardly ever. So the flag is drawn first, then one by one
//! whether its neighbours are bombs, and each time what the setup says of all others is asked again.

use super::explanation::multiply;
use super::trust::{Trust, setup_log_likelihoods};
use super::{ArmyModel, Belief, assignment};
use crate::rng::Rng;
use crate::rules::{ByRank, Piece, PieceId, Rank, RankSet, Ruleset};

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

/// What the setup says of an army, so that it can be asked again when more is known.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    pieces: Vec<(PieceId, Piece)>,
    rules: Ruleset,
    trust: Trust,
    placed: bool,
}

impl Structure {
    /// Of these pieces of one side. `placed` tells whether places count.
    pub(super) fn new(pieces: &[(PieceId, Piece)], rules: Ruleset, trust: Trust, placed: bool) -> Structure {
        Structure { pieces: pieces.to_vec(), rules, trust, placed }
    }

    /// What the setup says, in nats, by what is known of these pieces.
    fn said(&self, pieces: &[(PieceId, Piece)]) -> Vec<ByRank<f32>> {
        setup_log_likelihoods(pieces, &self.rules, self.placed, true)
    }
}

/// An army of which so much was drawn.
pub(super) struct Drawn<'a> {
    /// The army as it is believed before anything is drawn, and its structure.
    whole: (&'a ArmyModel, &'a Structure),
    /// What the setup said before anything was drawn.
    plain: &'a [ByRank<f32>],
    pieces: Vec<(PieceId, Piece)>,
    /// The army by what was drawn.
    pub(super) army: ArmyModel,
    /// The flag's neighbours of which it is not drawn yet whether they are bombs, by index.
    open: Vec<usize>,
}

impl<'a> Drawn<'a> {
    /// The piece `flag` is the flag.
    fn flag(whole: (&'a ArmyModel, &'a Structure), plain: &'a [ByRank<f32>], flag: usize) -> Drawn<'a> {
        let (army, structure) = whole;
        let army = ArmyModel { before: Vec::new(), structure: None, ..army.clone() };
        let started = |index: usize| structure.pieces[index].1.start;
        let beside = |index: &usize| {
            started(flag).zip(started(*index)).is_some_and(|(flag, other)| flag.distance(other) == 1)
        };
        let open = (0..structure.pieces.len()).filter(beside).collect();
        let mut drawn = Drawn { whole, plain, pieces: structure.pieces.clone(), army, open };
        let only = RankSet::only(Rank::Flag);
        for index in 0..drawn.army.allowed.len() {
            let may = if index == flag { only } else { RankSet::ALL.without(only) };
            drawn.narrow(index, may);
        }
        drawn.weigh();
        drawn
    }

    fn narrow(&mut self, index: usize, may: RankSet) {
        self.army.allowed[index] = self.army.allowed[index].and(may);
        if let Some((_, piece)) = self.pieces.get_mut(index) {
            piece.ranks = piece.ranks.and(may);
        }
    }

    /// Asks the setup again, by what is known now.
    fn weigh(&mut self) {
        let (army, structure) = self.whole;
        self.army.weights.clone_from(&army.weights);
        let said = structure.said(&self.pieces);
        for ((weights, said), plain) in self.army.weights.iter_mut().zip(said).zip(self.plain) {
            multiply(weights, &structure.trust.setup(&ByRank::from_fn(|rank| said[rank] - plain[rank])));
        }
    }

    /// The next neighbour of the flag of which it is open whether it is a bomb, and how likely that is.
    fn question(&mut self) -> Option<(usize, f32)> {
        let bomb = RankSet::only(Rank::Bomb);
        let allowed = &self.army.allowed;
        self.open.retain(|&index| allowed[index].meets(bomb) && allowed[index] != bomb);
        let index = self.open.pop()?;
        let mut probabilities = Vec::new();
        assignment::marginals(&self.army.problem(), &mut probabilities)
            .then(|| (index, probabilities[index][Rank::Bomb]))
    }

    /// The same, with one neighbour known to be a bomb, or none.
    fn decided(&self, index: usize, is_bomb: bool) -> Drawn<'a> {
        let bomb = RankSet::only(Rank::Bomb);
        let (army, pieces, open) = (self.army.clone(), self.pieces.clone(), self.open.clone());
        let mut drawn = Drawn { whole: self.whole, plain: self.plain, pieces, army, open };
        drawn.narrow(index, if is_bomb { bomb } else { RankSet::ALL.without(bomb) });
        drawn.weigh();
        drawn
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
        let plain = structure.said(&structure.pieces);
        for (flag, times) in self.draw_flags(count, rng) {
            self.draw(Drawn::flag((&self.army, structure), &plain, flag), times, rng, &mut worlds);
        }
        // Whoever takes the first few shall not find the same flag in all of them.
        rng.shuffle(&mut worlds);
        worlds
    }

    /// Like [`Belief::sample`], each piece by its own weights and the counts alone: four times as fast, and enough where what
    /// stands around the flag does not matter.
    pub fn sample_by_weights(&self, count: usize, rng: &mut Rng) -> Vec<World> {
        let mut worlds = Vec::with_capacity(count.min(1 << 16));
        self.draw_from(&self.army, count, rng, &mut worlds);
        worlds
    }

    fn draw(&self, mut drawn: Drawn<'_>, count: usize, rng: &mut Rng, worlds: &mut Vec<World>) {
        let Some((index, probability)) = drawn.question() else {
            return self.draw_from(&drawn.army, count, rng, worlds);
        };
        let bombs = (0..count).filter(|_| rng.unit() < probability).count();
        for (is_bomb, count) in [(true, bombs), (false, count - bombs)] {
            if count > 0 {
                self.draw(drawn.decided(index, is_bomb), count, rng, worlds);
            }
        }
    }

    fn draw_from(&self, army: &ArmyModel, count: usize, rng: &mut Rng, worlds: &mut Vec<World>) {
        let keep = |ranks: &[Rank]| worlds.push(self.world(ranks));
        assignment::sample(&army.problem(), count, &mut || rng.bits(), keep);
    }

    /// What the setup says, if it is not known which piece is the flag.
    fn structure(&self) -> Option<&Structure> {
        self.army.structure.as_ref().filter(|_| self.flags().nth(1).is_some())
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
        let plain = structure.said(&structure.pieces);
        let whole: f32 = self.flags().map(|(_, probability)| probability).sum();
        let flag = |(flag, probability): (usize, f32)| {
            (Drawn::flag((&self.army, structure), &plain, flag), probability / whole)
        };
        let mut ways: Vec<(Drawn<'_>, f32)> = self.flags().map(flag).collect();
        while let Some((mut drawn, share)) = ways.pop() {
            match drawn.question() {
                None => visit(&drawn.army, share),
                Some((index, probability)) => {
                    for (is_bomb, probability) in [(true, probability), (false, 1.0 - probability)] {
                        ways.push((drawn.decided(index, is_bomb), share * probability));
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
