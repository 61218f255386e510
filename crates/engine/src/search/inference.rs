//! Move evidence: which ranks would make the enemy's last move a sensible one.
//!
//! The enemy knows its ranks. So in worlds sampled from the belief its actions are searched from its side: a move
//! that is good for a Marshal alone was likely made by the Marshal, and a piece that did not take what it could have
//! taken is likely none that could.

use super::level::Level;
use super::limits::Budget;
use super::params;
use super::root::{self, ActionValue};
use super::task::{Conditions, SearchTask};
use super::transposition::TranspositionTable;
use super::tree::Tree;
use crate::belief::{Belief, Evidence, Known, MoveEvidence, World};
use crate::eval::{Beliefs, HandMade, Walk};
use crate::math;
use crate::rng::Rng;
use crate::rules::{Action, ByRank, PieceId, Rank, RankSet};
use crate::view::View;
use std::time::Duration;

/// The stream of the seed that worlds are drawn from, by ply.
const STREAM: u64 = 1 << 33;

/// Plies that are left to look back at once the last one has been taken back, and that one.
const LOOKED_BACK: usize = 3;

/// Infers from the enemy's last move which ranks its pieces may have, and notes that in `evidence`. The conditions are
/// those of the search that follows; returns what is left of their budget for it.
///
/// Nothing is inferred from a strike, nor where time or nodes are short or the level is low.
pub fn infer_from_move(view: &View, evidence: &mut Evidence, conditions: &Conditions<'_>) -> Budget {
    if conditions.level.is_weaker() {
        return conditions.budget;
    }
    if evidence.about_last(view).next().is_none() {
        for found in findings(Known { view, evidence }, conditions) {
            evidence.note(view, found);
        }
    }
    // What an earlier search found out costs as much as if this one had: equal commands have equal answers.
    let spent: u64 = evidence.about_last(view).map(|found| found.nodes).sum();
    let left = |nodes: u64| nodes - spent.min(nodes / u64::from(params::inference_share()));
    Budget { nodes: conditions.budget.nodes.map(left), ..conditions.budget }
}

/// The evidence of the enemy's last move.
fn findings(known: Known<'_>, conditions: &Conditions<'_>) -> Vec<MoveEvidence> {
    let limits = Allowance::of(conditions);
    // What was believed before the move is worked out only where something will be asked of it.
    let context = if limits.suffice() { MoveContext::of(known) } else { None };
    let Some(context) = context.filter(|_| limits.suffice()) else { return Vec::new() };
    let mut rng = Rng::stream(conditions.seed, STREAM | u64::from(known.view.position().ply()));
    let worlds = context.belief.sample_by_weights(params::inference_worlds(), &mut rng);
    let mut progress = Progress { limits, last: None, rng };
    let answer = |id: PieceId| {
        let mut found = MoveLikelihoods::default();
        for world in &worlds {
            context.compare_ranks(id, world, &mut progress, &mut found);
        }
        found.into_evidence(&context, id)
    };
    context.subjects.iter().copied().filter_map(answer).collect()
}

/// When to end.
struct Allowance<'a> {
    conditions: &'a Conditions<'a>,
    /// The nodes left.
    nodes: u64,
    time: Option<Duration>,
}

impl<'a> Allowance<'a> {
    fn of(conditions: &'a Conditions<'a>) -> Allowance<'a> {
        let Budget { soft, hard, nodes, .. } = conditions.budget;
        let time = soft.or(hard).map(|time| time / params::inference_share());
        let unbounded = if time.is_some() { u64::MAX } else { params::inference_most_nodes() };
        let nodes = nodes.map_or(unbounded, |nodes| nodes / u64::from(params::inference_share()));
        Allowance { conditions, nodes, time }
    }

    fn suffice(&self) -> bool {
        self.nodes >= params::inference_least_nodes()
            && self.time.is_none_or(|time| time >= Duration::from_millis(params::inference_least_ms()))
            && !self.are_reached()
    }

    fn are_reached(&self) -> bool {
        let late = self.time.is_some_and(|time| self.conditions.control.elapsed() >= time);
        late || self.nodes == 0 || self.conditions.control.is_stopped()
    }
}

/// How far the inference has come.
struct Progress<'a> {
    limits: Allowance<'a>,
    /// The world that was searched last, if there is one.
    last: Option<Walk<HandMade>>,
    rng: Rng,
}

/// A world in which the piece in question has this rank.
struct Variant {
    rank: Rank,
    /// The ranks of all pieces there.
    ranks: Vec<(PieceId, Rank)>,
}

/// The last move, and what was known before it was made.
struct MoveContext {
    /// What we knew before it.
    view: View,
    action: Action,
    mover: PieceId,
    /// The pieces of untold rank that it may tell something of.
    subjects: Vec<PieceId>,
    /// What we believed of the enemy then, and the enemy of us.
    belief: Belief,
    about_us: Belief,
}

impl MoveContext {
    fn of(known: Known<'_>) -> Option<MoveContext> {
        let view = known.view;
        let action = view.position().history().last().filter(|last| last.verdict.is_none())?.action;
        let mover = view.position().piece_at(action.to).filter(|id| id.side() != view.viewer())?;
        let subjects = subjects(view, mover);
        if subjects.is_empty() {
            return None;
        }
        let mut before = view.latest(LOOKED_BACK);
        before.undo();
        let (belief, about_us) =
            (Belief::of_enemies(Known { view: &before, ..known }), Belief::of_ours(&before));
        Some(MoveContext { view: before, action, mover, subjects, belief, about_us })
    }

    /// Searches the enemy's actions in one world for each rank that the piece is not unlikely to have, another one
    /// having its rank there in exchange.
    fn compare_ranks(
        &self,
        id: PieceId,
        world: &World,
        progress: &mut Progress<'_>,
        found: &mut MoveLikelihoods,
    ) {
        let Progress { limits, last, rng } = progress;
        let mut mobile = None;
        for variant in self.variants(id, world, rng) {
            if limits.are_reached() {
                return;
            }
            // Bombs and the flag stand in the way of others.
            let near = mobile.replace(variant.rank.is_mobile()) == Some(variant.rank.is_mobile());
            let like = last.as_ref().map(|walk| (walk, near));
            *last = Some(self.add_likelihood(&variant, like, limits, found));
        }
    }

    /// The world once for each rank that the piece may have.
    fn variants(&self, id: PieceId, world: &World, rng: &mut Rng) -> Vec<Variant> {
        let ranks = world.ranks();
        let place = ranks.iter().position(|(other, _)| *other == id);
        let (Some(place), Some(probabilities)) = (place, self.belief.probabilities(id)) else {
            return Vec::new();
        };
        let now = ranks[place].1;
        let able = match (id == self.mover, self.action.distance()) {
            (true, 1) => RankSet::MOBILE,
            (true, _) => RankSet::only(Rank::Scout),
            (false, _) => RankSet::ALL,
        };
        let likely = |rank: &Rank| *rank == now || probabilities[*rank] >= params::inference_unlikely();
        let variant = |rank: Rank| {
            let mut ranks = ranks.to_vec();
            if rank != now {
                let other = self.partner(world, rank, now, rng)?;
                (ranks[place].1, ranks[other].1) = (rank, now);
            }
            Some(Variant { rank, ranks })
        };
        able.iter().filter(likely).filter_map(variant).collect()
    }

    /// A piece that has the rank `from` in this world and may have the rank `to` instead.
    fn partner(&self, world: &World, from: Rank, to: Rank, rng: &mut Rng) -> Option<usize> {
        let odds = |(id, rank): &(PieceId, Rank)| {
            let probabilities = self.belief.probabilities(*id).filter(|_| *rank == from);
            probabilities.map_or(0.0, |probabilities| probabilities[to] / probabilities[from].max(1e-6))
        };
        let odds: Vec<f32> = world.ranks().iter().map(odds).collect();
        let mut left = rng.unit() * odds.iter().sum::<f32>();
        let drawn = odds.iter().position(|&odds| {
            left -= odds;
            left < 0.0
        });
        drawn.or_else(|| odds.iter().rposition(|&odds| odds > 0.0))
    }

    /// Adds how likely the move was in this world, and takes the nodes that this took off the limits. `like` is another
    /// world as [`Walk::with_beliefs`] takes it; returns this one.
    fn add_likelihood(
        &self,
        variant: &Variant,
        like: Option<(&Walk<HandMade>, bool)>,
        limits: &mut Allowance<'_>,
        found: &mut MoveLikelihoods,
    ) -> Walk<HandMade> {
        let theirs = self.view.enemy_view(&variant.ranks);
        // A crowd of pieces in contact may take longer than there is time for all ranks.
        let budget = Budget { hard: limits.time, ..Budget::default() };
        let conditions = Conditions { budget, level: Level::FULL, ..*limits.conditions };
        let task = SearchTask::plain(&theirs, &self.about_us, conditions);
        let beliefs = Beliefs { of_enemies: &self.about_us, of_ours: &self.belief };
        let walk = Walk::with_beliefs(&theirs, beliefs, like);
        let table = TranspositionTable::for_nodes(Some(1));
        let mut tree = Tree::new(&task, walk, &table, None);
        let values = root::values(&mut tree, 1);
        found.nodes += tree.counter.nodes;
        limits.nodes = limits.nodes.saturating_sub(tree.counter.nodes);
        let is_played =
            |one: &&ActionValue| (one.action.from, one.action.to) == (self.action.from, self.action.to);
        if let Some(played) = values.iter().find(is_played).filter(|_| !tree.counter.halted) {
            let weight = |other: &ActionValue| {
                math::exp(((other.value - played.value).as_f32() / params::inference_spread()).min(60.0))
            };
            found.by_rank[variant.rank] += 1.0 / values.iter().map(weight).sum::<f32>();
            found.worlds[variant.rank] += 1;
            found.blind = 1.0 / values.len() as f32;
        }
        tree.walk
    }
}

/// The pieces that the last move may say something of: its mover, and those beside ours that stood still instead of
/// striking or running.
fn subjects(view: &View, mover: PieceId) -> Vec<PieceId> {
    let (position, us) = (view.position(), view.viewer());
    let unknown = |id: &PieceId| position.piece(*id).ranks.len() > 1;
    let beside =
        |id: &PieceId| position.piece(*id).square.is_some_and(|square| position.is_next_to_side(square, us));
    let others = view.enemies().map(|(id, _)| id).filter(|id| *id != mover && beside(id));
    std::iter::once(mover)
        .filter(unknown)
        .chain(others.filter(unknown).take(params::inference_bystanders()))
        .collect()
}

/// How likely the move was, by the rank of one piece.
#[derive(Default)]
struct MoveLikelihoods {
    /// The probabilities that the move was made, summed over worlds.
    by_rank: ByRank<f32>,
    worlds: ByRank<u16>,
    blind: f32,
    nodes: u64,
}

impl MoveLikelihoods {
    fn into_evidence(self, context: &MoveContext, id: PieceId) -> Option<MoveEvidence> {
        let MoveLikelihoods { by_rank: mut likelihoods, worlds, blind, nodes } = self;
        let believed = context.belief.probabilities(id)?;
        let (mut ranks, mut mean, mut whole) = (RankSet::EMPTY, 0.0, 0.0);
        for rank in Rank::ALL.into_iter().filter(|rank| worlds[*rank] > 0) {
            likelihoods[rank] /= f32::from(worlds[rank]);
            ranks = ranks.or(RankSet::only(rank));
            mean += believed[rank] * likelihoods[rank];
            whole += believed[rank];
        }
        let (ply, moved) = (context.view.position().ply() + 1, id == context.mover);
        let tells = ranks.len() > 1 && whole > 0.0;
        tells.then(|| MoveEvidence { ply, id, moved, ranks, likelihoods, mean: mean / whole, blind, nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::rules::{Ruleset, Setup, Side};
    use crate::search::limits::{Clock, Control};
    use std::sync::atomic::AtomicBool;

    /// Time since the search was asked for, the same whenever it is asked.
    struct Stands(Duration);

    impl Clock for Stands {
        fn elapsed(&self) -> Duration {
            self.0
        }
    }

    fn after(texts: &[&str]) -> (View, Evidence) {
        let mut view = View::new(Side::Red, Ruleset::default());
        let ours: Setup = "4532B2BF5BBB37S6362339M7224875466B852224".parse().unwrap();
        view.observe(&Event::Deployed(Side::Red, ours)).unwrap();
        view.observe(&Event::Deployed(Side::Blue, Setup::HIDDEN)).unwrap();
        for text in texts {
            view.observe(&Event::Played(text.parse().unwrap())).unwrap();
        }
        (view, Evidence::new())
    }

    const fn conditions(budget: Budget, level: Level, control: Control<'_>) -> Conditions<'_> {
        Conditions { budget, level, seed: 7, control }
    }

    /// What is left of the budget.
    fn inferred((view, evidence): &mut (View, Evidence), budget: Budget, elapsed: Duration) -> Budget {
        let (clock, stop) = (Stands(elapsed), AtomicBool::new(false));
        infer_from_move(view, evidence, &conditions(budget, Level::FULL, Control::new(&clock, &stop)))
    }

    /// Everything that was found out.
    fn found((view, evidence): &(View, Evidence)) -> Vec<MoveEvidence> {
        evidence.about(view).copied().collect()
    }

    const fn nodes(nodes: u64) -> Budget {
        Budget { soft: None, hard: None, nodes: Some(nodes), depth: None }
    }

    /// Red's captain takes b7 on b6 and is known; Blue's a7 comes beside it on a6, where the captain can strike it.
    const MET: [&str; 6] = ["b4b5", "b7b6", "b5xb6=W62", "j7j6", "j4j5", "a7a6"];

    #[test]
    fn who_comes_beside_a_captain_is_likely_to_take_it() {
        let mut view = after(&MET);
        inferred(&mut view, nodes(20_000), Duration::ZERO);
        let evidence = found(&view)[0];
        assert!(evidence.moved && evidence.id == PieceId::new(Side::Blue, 39));
        assert!(!evidence.ranks.contains(Rank::Bomb) && evidence.ranks.contains(Rank::Major));
        let chance = |rank: Rank| evidence.likelihoods[rank];
        assert!(chance(Rank::Major) > 2.0 * chance(Rank::Sergeant), "{:?}", evidence.likelihoods);
        assert!(chance(Rank::Major) > evidence.mean && chance(Rank::Sergeant) < evidence.mean);
    }

    #[test]
    fn who_leaves_a_captain_alone_is_likely_a_bomb() {
        // The captain stands beside a7, which has not moved; Blue moves elsewhere.
        let mut view = after(&["b4b5", "b7b6", "b5xb6=W62", "j7j6", "b6a6", "i7i6"]);
        inferred(&mut view, nodes(20_000), Duration::ZERO);
        let beside = found(&view).into_iter().find(|evidence| evidence.id == PieceId::new(Side::Blue, 39));
        let beside = beside.expect("a7 is asked about");
        let chance = |rank: Rank| beside.likelihoods[rank];
        assert!(!beside.moved && beside.ranks.contains(Rank::Bomb));
        // A major would have taken it, a sergeant would have run away.
        for other in [Rank::Major, Rank::Sergeant] {
            assert!(chance(Rank::Bomb) > 2.0 * chance(other), "{:?}", beside.likelihoods);
        }
    }

    #[test]
    fn nothing_is_inferred_from_a_strike() {
        let mut view = after(&["a4a5", "a7a6", "e4e5", "a6xa5=L34"]);
        assert_eq!(inferred(&mut view, nodes(20_000), Duration::ZERO), nodes(20_000));
        assert!(found(&view).is_empty());
    }

    #[test]
    fn a_quarter_of_the_limits_is_enough() {
        for budget in [1, 100, 790, 1_000, 4_000, 1_000_000] {
            let mut view = after(&MET);
            let left = inferred(&mut view, nodes(budget), Duration::ZERO);
            let spent: u64 = found(&view).iter().map(|found| found.nodes).sum();
            // The last comparison may go beyond it.
            assert!(spent <= budget / 4 + 150, "{spent} of {budget}");
            assert!(left.nodes.unwrap() >= budget - budget / 4);
            assert_eq!(budget < 800, found(&view).is_empty(), "{budget}");
            // The same again, as the same command may come twice.
            assert_eq!(inferred(&mut view, nodes(budget), Duration::ZERO), left);
        }
        let timed = |hard: u64, elapsed: u64| {
            let mut view = after(&MET);
            let hard = Some(Duration::from_millis(hard));
            let budget = Budget { hard, ..Budget::default() };
            assert_eq!(inferred(&mut view, budget, Duration::from_millis(elapsed)), budget);
            !found(&view).is_empty()
        };
        assert!(timed(100, 0) && timed(100, 24) && !timed(100, 25) && !timed(3, 0));
    }

    #[test]
    fn low_levels_infer_nothing() {
        let (mut view, budget) = (after(&MET), nodes(20_000));
        let (clock, stop) = (Stands(Duration::ZERO), AtomicBool::new(false));
        let conditions = conditions(budget, Level::new(19).unwrap(), Control::new(&clock, &stop));
        assert_eq!(infer_from_move(&view.0, &mut view.1, &conditions), budget);
        assert!(found(&view).is_empty());
    }

    #[test]
    fn equal_seeds_have_equal_evidence() {
        let (mut a, mut b) = (after(&MET), after(&MET));
        inferred(&mut a, nodes(20_000), Duration::ZERO);
        inferred(&mut b, nodes(20_000), Duration::ZERO);
        assert_eq!(found(&a), found(&b));
    }
}
