//! Playouts: what the actions that a network likes lead to, were the hidden pieces these or those.
//!
//! All actions are tried in the same worlds, so that what they have in common cancels out. Both sides play by the network,
//! each by what it can know in that world. What is found is weighed against the network's own probabilities: without that pull a
//! search of this kind is worse than none (Ataraxos, 2025).

use super::choose::choose;
use super::evaluation::Evaluation;
use super::network::{Accumulator, Network, Scratch};
use super::observation::{Observation, PLIES_SHOWN};
use super::pursuit::Pursuits;
use crate::math;
use crate::rng::Rng;
use crate::rules::{Action, ByRank, PieceId, Position, Rank, RankSet};
use crate::view::View;

/// How much is tried.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Playouts {
    /// Positions that the network may look at.
    pub nodes: u64,
    /// Plies after the action that is tried.
    pub depth: u32,
    /// The temperature of what is found: so much better, in chances to win less chances to lose, makes an action e times as likely.
    pub scale: f32,
    /// Actions that are less likely are not tried.
    pub least: f32,
    /// So many at most are.
    pub most: usize,
}

impl Playouts {
    /// With so many positions to look at. Scale and the number of actions are those of the prototype in C++; it played one ply
    /// more, to where it is the enemy's turn, who knows less of what is there ("Nine plies" in `docs/log/learning.md`).
    pub const fn new(nodes: u64) -> Playouts {
        Playouts { nodes, depth: 9, scale: 0.03, least: 0.02, most: 6 }
    }

    /// What the network says of the position, once it has seen what comes of the likeliest actions: others have no chance left.
    /// `said` is what it said at first of the position of `view`, whose turn it is.
    pub fn improve(
        &self,
        network: &Network,
        (view, pursuits): (&View, &Pursuits),
        said: &Evaluation,
        rng: &mut Rng,
    ) -> Evaluation {
        let tried = self.likely(said);
        let cost = tried.len() as u64 * u64::from(self.depth + 1);
        let worlds = if tried.len() > 1 { (self.nodes / cost).max(1) } else { 0 };
        let mut sums = vec![0.0; tried.len()];
        let (mut seen, mut memory) = (0, Memory::default());
        for _ in 0..worlds {
            let Some(ranks) = draw_world(view, rng) else { break };
            let mut world = World::new((view, pursuits), &ranks);
            let draws = rng.bits();
            for (&place, sum) in tried.iter().zip(&mut sums) {
                let found = self.play_out(network, &mut world, said.actions[place], draws, &mut memory);
                *sum += found.unwrap_or_default();
            }
            seen += 1;
        }
        let weigh = |(&place, sum): (&usize, &f32)| {
            let found = if seen > 0 { sum / seen as f32 } else { 0.0 };
            (said.actions[place], said.log_probabilities[place] + found / self.scale)
        };
        let (actions, mut scores): (Vec<Action>, Vec<f32>) = tried.iter().zip(&sums).map(weigh).unzip();
        let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = scores.iter().map(|score| math::exp(score - most)).sum();
        for score in &mut scores {
            *score -= most + math::ln(sum);
        }
        Evaluation { actions, log_probabilities: scores, ..*said }
    }

    /// The places of the actions that are tried, the likeliest first.
    fn likely(&self, said: &Evaluation) -> Vec<usize> {
        let chances = &said.log_probabilities;
        let mut places: Vec<usize> = (0..chances.len()).collect();
        places.sort_by(|&one, &other| chances[other].total_cmp(&chances[one]));
        let least = math::ln(self.least);
        let count = places.iter().take_while(|&&place| chances[place] >= least).count();
        places.truncate(count.clamp(1, self.most));
        places
    }

    /// What an action leads to in a world, for who makes it: 1 for a win, -1 for a loss; nothing if the rules need to know more
    /// than a world tells, as which piece is rescued. Actions that are tried with the same `draws` meet the same luck.
    fn play_out(
        &self,
        network: &Network,
        world: &mut World,
        action: Action,
        draws: u64,
        memory: &mut Memory,
    ) -> Option<f32> {
        let World { truth, pursuits } = world;
        let (before, us) = (truth.ply(), truth.to_move());
        let found = self.play_on(network, (truth, pursuits.clone()), action, &mut Rng::new(draws), memory);
        let mover = truth.to_move();
        while truth.ply() > before && truth.undo() {}
        found.map(|value| sign(mover == us) * value)
    }

    /// Plays an action and the plies after it. What the position is worth then, for whose turn it is.
    fn play_on(
        &self,
        network: &Network,
        (truth, mut pursuits): (&mut Position, Pursuits),
        action: Action,
        rng: &mut Rng,
        memory: &mut Memory,
    ) -> Option<f32> {
        let mut next = action;
        for left in (0..=self.depth).rev() {
            truth.play(next.into()).ok()?;
            pursuits.note_latest(truth);
            let mover = truth.to_move();
            if let Some(ending) = truth.ending() {
                return Some(ending.winner.map_or(0.0, |winner| sign(winner == mover)));
            }
            let actions = truth.actions();
            if actions.is_empty() {
                return Some(-1.0);
            }
            let seen = Observation::of_truth(truth, &pursuits);
            let accumulator = &mut memory.accumulators[mover.index()];
            if left == 0 {
                let [win, _, loss] = network.outcome_by(accumulator, &seen, &mut memory.scratch);
                return Some(win - loss);
            }
            let said = network.evaluate_by(accumulator, &seen, actions, &mut memory.scratch);
            next = choose(&said, 1.0, rng)?;
        }
        None
    }
}

/// What is the case, or may be: a position in which the ranks of both sides are known, and what its pieces were seen to do.
struct World {
    truth: Position,
    pursuits: Pursuits,
}

impl World {
    /// The position of `view`, if its enemy's pieces have these ranks.
    fn new((view, pursuits): (&View, &Pursuits), ranks: &[(PieceId, Rank)]) -> World {
        let truth = view.position().latest(PLIES_SHOWN).in_world(view.viewer(), ranks);
        World { truth, pursuits: pursuits.clone() }
    }
}

fn sign(is_ours: bool) -> f32 {
    if is_ours { 1.0 } else { -1.0 }
}

/// Memory of playouts with one network, kept from one to the next.
#[derive(Default)]
struct Memory {
    accumulators: [Accumulator; 2],
    scratch: Scratch,
}

/// How often a world is begun again when a piece has no rank left.
const TRIES: usize = 20;

/// Ranks of the enemy's hidden pieces, drawn nearly evenly from those that fit what the rules let the viewer know; nothing if none
/// was found.
fn draw_world(view: &View, rng: &mut Rng) -> Option<Vec<(PieceId, Rank)>> {
    let army = *view.position().rules().army().counts();
    let mut left = army;
    let mut hidden: Vec<(PieceId, RankSet)> = Vec::new();
    for (id, piece) in view.enemies().filter(|(_, piece)| piece.exists()) {
        match piece.ranks.single() {
            Some(rank) => left[rank] = left[rank].saturating_sub(1),
            None => hidden.push((id, piece.ranks)),
        }
    }
    (0..TRIES).find_map(|_| {
        rng.shuffle(&mut hidden);
        // Who may be least is seated first: whoever may be anything takes what is left.
        hidden.sort_by_key(|(_, ranks)| ranks.len());
        let mut counts = left;
        hidden.iter().map(|&(id, ranks)| Some((id, take(&mut counts, ranks, rng)?))).collect()
    })
}

/// Takes one of these ranks, each as likely as there are such pieces left.
fn take(counts: &mut ByRank<u8>, ranks: RankSet, rng: &mut Rng) -> Option<Rank> {
    let all: usize = ranks.iter().map(|rank| usize::from(counts[rank])).sum();
    if all == 0 {
        return None;
    }
    let mut place = rng.below(all);
    let found = ranks.iter().find(|&rank| {
        let count = usize::from(counts[rank]);
        let is_here = place < count;
        place = place.wrapping_sub(count);
        is_here
    })?;
    counts[found] -= 1;
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::super::features::position_features;
    use super::*;
    use crate::deployment::{Source, choose_from};
    use crate::rules::{BySide, Played, Preset, Ruleset, Side};
    use crate::view::View;
    use outflank_referee::{Events, Referee};

    fn features(seen: &Observation) -> Vec<u16> {
        let mut features = Vec::new();
        position_features(seen, &mut features);
        features
    }

    fn show(views: &mut BySide<View>, events: &Events) {
        for side in Side::BOTH {
            views[side].observe(&events[side]).unwrap();
        }
    }

    /// The ranks of all of a side's pieces that exist, as itself knows them.
    fn ranks(view: &View) -> Vec<(PieceId, Rank)> {
        let known = |(id, piece): (PieceId, &crate::rules::Piece)| Some((id, piece.ranks.single()?));
        view.position().pieces(view.viewer()).filter_map(known).collect()
    }

    /// In the world that is the case, both sides see what they do see, at once and some plies later.
    #[test]
    fn in_the_true_world_both_sides_see_what_they_see() {
        for (number, preset) in Preset::ALL.into_iter().enumerate() {
            let rules = Ruleset { silent: number % 2 == 0, ..Ruleset::of(preset) };
            let mut rng = Rng::new(number as u64);
            let setups = BySide::from_fn(|_| choose_from(Source::Book, &rules, None, &mut rng));
            let mut referee = Referee::new(rules, &setups[Side::Red], &setups[Side::Blue]).unwrap();
            let mut views = BySide::from_fn(|side| View::without_behaviour(side, rules));
            let mut pursuits = Pursuits::default();
            for events in referee.opening() {
                show(&mut views, &events);
            }
            let mut supposed: Option<(Position, Pursuits, usize)> = None;
            while referee.ending().is_none() && referee.ply() < 200 {
                let mover = referee.to_move();
                if supposed.as_ref().is_none_or(|(_, _, left)| *left == 0) {
                    let position = views[mover].position();
                    let truth = position.in_world(mover, &ranks(&views[mover.enemy()]));
                    supposed = Some((truth, pursuits.clone(), 12));
                }
                let (truth, seen_to, left) = supposed.as_mut().unwrap();
                let seen = features(&Observation::new(&views[mover], &pursuits));
                assert_eq!(features(&Observation::of_truth(truth, seen_to)), seen, "{preset:?}");
                let actions = referee.actions();
                let action = actions[rng.below(actions.len())];
                truth.play(Played::from(action)).unwrap();
                seen_to.note_latest(truth);
                *left -= 1;
                let Ok(events) = referee.play(action) else { break };
                show(&mut views, &events);
                pursuits.note_latest(views[Side::Red].position());
            }
        }
    }

    #[test]
    fn worlds_fit_what_is_known() {
        let mut rng = Rng::new(3);
        for plies in [0, 40, 120, 240] {
            let view = crate::test_support::after_random_plies(Ruleset::default(), plies, &mut rng);
            let world = draw_world(&view, &mut rng).unwrap();
            let mut counts = *Ruleset::default().army().counts();
            for (id, piece) in view.enemies().filter(|(_, piece)| piece.exists()) {
                let drawn = world.iter().find(|(other, _)| *other == id).map(|(_, rank)| *rank);
                let rank = piece.ranks.single().or(drawn).unwrap();
                assert!(piece.ranks.contains(rank));
                counts[rank] -= 1;
            }
            assert!(Rank::ALL.into_iter().all(|rank| counts[rank] == 0));
        }
    }
}
