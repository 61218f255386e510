//! What the enemy's last move was good for.
//!
//! The enemy knows its ranks. So in worlds drawn from what we believe, its actions are weighed as we would weigh them in its
//! place: a move that is a good one for a Marshal alone was likely made by the Marshal, and a piece that did not take what it
//! could have taken is likely none that could.

use super::root;
use super::tree::Tree;
use super::{Budget, Clock, Level, Table, Task};
use crate::belief::{Belief, Evidence, Known, MoveEvidence, World};
use crate::dice::Dice;
use crate::eval::InformationState;
use crate::rules::{Action, PieceId, Rank, RankSet};
use crate::view::View;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The worlds in which the ranks of a piece are compared; from two on, more tell little more (`docs/experiments.md`).
const WORLDS: usize = 3;
/// Share of the limits of a search that thinking about the last move may take.
const SHARE: u32 = 4;
/// With less time than this for it, or fewer nodes, it is not begun.
const LEAST: (Duration, u64) = (Duration::from_millis(1), 200);
/// A loss of so much value makes an action about a third as likely.
const SPREAD: f32 = 3000.0;
/// Ranks less likely than this are not thought about.
const UNLIKELY: f32 = 0.01;
/// So many pieces that stood beside ours are thought about.
const BYSTANDERS: usize = 4;
/// The stream of the seed that worlds are drawn from, by ply.
const STREAM: u64 = 1 << 33;

/// What a thought about the last move depends on, but for the view.
#[derive(Copy, Clone)]
pub struct Inquiry<'a> {
    /// The limits of the search that follows; a share of them is used.
    pub budget: Budget,
    /// How strong to play: below full strength it is not thought about.
    pub level: Level,
    /// Seeds the worlds.
    pub seed: u64,
    /// The clock of the search that follows.
    pub clock: &'a dyn Clock,
    /// Set from outside to break it off.
    pub stop: &'a AtomicBool,
}

/// Asks which ranks would make the enemy's last move a sensible one, and notes in `evidence` what it found. What is left of the budget
/// for the search.
///
/// Nothing is found of a strike, which has told what its piece is, and nothing where time or nodes are short or the level is low.
pub fn infer_from_move(view: &View, evidence: &mut Evidence, inquiry: &Inquiry<'_>) -> Budget {
    if inquiry.level.is_weaker() {
        return inquiry.budget;
    }
    if evidence.about_last(view).next().is_none() {
        for found in findings(Known { view, evidence }, inquiry) {
            evidence.note(view, found);
        }
    }
    // What an earlier search found out costs as much as if this one had: equal commands have equal answers.
    let spent: u64 = evidence.about_last(view).map(|found| found.nodes).sum();
    let left = |nodes: u64| nodes - spent.min(nodes / u64::from(SHARE));
    Budget { nodes: inquiry.budget.nodes.map(left), ..inquiry.budget }
}

/// What the enemy's last move told of its pieces.
fn findings(known: Known<'_>, inquiry: &Inquiry<'_>) -> Vec<MoveEvidence> {
    let mut limits = Allowance::of(inquiry);
    let Some(question) = Question::of(known).filter(|_| limits.suffice()) else { return Vec::new() };
    let mut dice = Dice::stream(inquiry.seed, STREAM | u64::from(known.view.position().ply()));
    let worlds = question.belief.sample(WORLDS, &mut dice);
    let answer = |id: PieceId| {
        let mut found = Found::default();
        for world in &worlds {
            question.compare(id, world, &mut limits, &mut dice, &mut found);
        }
        found.into_evidence(&question, id)
    };
    question.subjects.iter().copied().filter_map(answer).collect()
}

/// When to end.
struct Allowance<'a> {
    inquiry: &'a Inquiry<'a>,
    /// The nodes left.
    nodes: u64,
    time: Option<Duration>,
}

impl<'a> Allowance<'a> {
    fn of(inquiry: &'a Inquiry<'a>) -> Allowance<'a> {
        let Budget { soft, hard, nodes, .. } = inquiry.budget;
        let nodes = nodes.map_or(u64::MAX, |nodes| nodes / u64::from(SHARE));
        Allowance { inquiry, nodes, time: soft.or(hard).map(|time| time / SHARE) }
    }

    fn suffice(&self) -> bool {
        self.nodes >= LEAST.1 && self.time.is_none_or(|time| time >= LEAST.0) && !self.are_reached()
    }

    fn are_reached(&self) -> bool {
        let late = self.time.is_some_and(|time| self.inquiry.clock.elapsed() >= time);
        late || self.nodes == 0 || self.inquiry.stop.load(Ordering::Relaxed)
    }
}

/// The last move, before it was made.
struct Question {
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

impl Question {
    fn of(known: Known<'_>) -> Option<Question> {
        let view = known.view;
        let action = view.position().history().last().filter(|last| last.verdict.is_none())?.action;
        let mover = view.position().piece_at(action.to).filter(|id| id.side() != view.viewer())?;
        let subjects = subjects(view, mover);
        if subjects.is_empty() {
            return None;
        }
        let mut before = view.clone();
        before.undo();
        let (belief, about_us) =
            (Belief::of_enemies(Known { view: &before, ..known }), Belief::of_ours(&before));
        Some(Question { view: before, action, mover, subjects, belief, about_us })
    }

    /// Weighs the enemy's actions in one world for each rank that the piece is not unlikely to have, another one having its rank
    /// there in exchange.
    fn compare(
        &self,
        id: PieceId,
        world: &World,
        limits: &mut Allowance<'_>,
        dice: &mut Dice,
        found: &mut Found,
    ) {
        let mut like: Option<(bool, InformationState)> = None;
        for (rank, ranks) in self.variants(id, world, dice) {
            if limits.are_reached() {
                return;
            }
            // Bombs and the flag stand in the way of others.
            let kin = like.as_ref().filter(|(mobile, _)| *mobile == rank.is_mobile());
            let (state, nodes) = self.ask((rank, &ranks), kin.map(|(_, state)| state), limits.inquiry, found);
            limits.nodes = limits.nodes.saturating_sub(nodes);
            like = Some((rank.is_mobile(), state));
        }
    }

    fn variants(&self, id: PieceId, world: &World, dice: &mut Dice) -> Vec<(Rank, Vec<(PieceId, Rank)>)> {
        let ranks = world.ranks();
        let place = ranks.iter().position(|(other, _)| *other == id);
        let (Some(place), Some(chances)) = (place, self.belief.chances(id)) else { return Vec::new() };
        let now = ranks[place].1;
        let able = match (id == self.mover, self.action.distance()) {
            (true, 1) => RankSet::MOBILE,
            (true, _) => RankSet::only(Rank::Scout),
            (false, _) => RankSet::ALL,
        };
        let likely = |rank: &Rank| *rank == now || chances[rank.index()] >= UNLIKELY;
        let variant = |rank: Rank| {
            let mut ranks = ranks.to_vec();
            if rank != now {
                let other = self.partner(world, (now, rank), dice)?;
                (ranks[place].1, ranks[other].1) = (rank, now);
            }
            Some((rank, ranks))
        };
        able.iter().filter(likely).filter_map(variant).collect()
    }

    /// A piece that has the second rank in this world and may have the first instead.
    fn partner(&self, world: &World, (now, rank): (Rank, Rank), dice: &mut Dice) -> Option<usize> {
        let odds = |(id, other): &(PieceId, Rank)| {
            let chances = self.belief.chances(*id).filter(|_| *other == rank);
            chances.map_or(0.0, |chances| chances[now.index()] / chances[rank.index()].max(1e-6))
        };
        let odds: Vec<f32> = world.ranks().iter().map(odds).collect();
        let mut left = dice.unit() * odds.iter().sum::<f32>();
        let drawn = odds.iter().position(|&odds| {
            left -= odds;
            left < 0.0
        });
        drawn.or_else(|| odds.iter().rposition(|&odds| odds > 0.0))
    }

    /// Notes how likely the move was in a world in which the piece has this rank; `like` is what another such world left. What it
    /// leaves, and the nodes it took.
    fn ask(
        &self,
        (rank, ranks): (Rank, &[(PieceId, Rank)]),
        like: Option<&InformationState>,
        inquiry: &Inquiry<'_>,
        found: &mut Found,
    ) -> (InformationState, u64) {
        let theirs = self.view.enemy_view(ranks);
        let task = Task {
            view: &theirs,
            belief: &self.about_us,
            budget: Budget::default(),
            only: &[],
            seed: inquiry.seed,
            lines: 1,
            level: Level::FULL,
            threads: 1,
            table: None,
            clock: inquiry.clock,
            stop: inquiry.stop,
        };
        let state = InformationState::with_beliefs(&theirs, (&self.about_us, &self.belief), like);
        let table = Table::for_nodes(Some(1));
        let mut tree = Tree::measuring(&task, state, &table, None);
        let values = root::values(&mut tree, 1);
        let nodes = tree.nodes;
        found.nodes += nodes;
        let played = |action: &Action| (action.from, action.to) == (self.action.from, self.action.to);
        if let Some((_, value)) = values.iter().find(|(action, _)| played(action)).filter(|_| !tree.halted) {
            let weight = |(_, other): &(Action, i32)| ((other - value) as f32 / SPREAD).min(60.0).exp();
            found.chances[rank.index()] += 1.0 / values.iter().map(weight).sum::<f32>();
            found.worlds[rank.index()] += 1;
            found.blind = 1.0 / values.len() as f32;
        }
        (tree.state, nodes)
    }
}

/// The pieces that the last move may tell something of: its mover, and those beside ours that stood still instead of striking or
/// running.
fn subjects(view: &View, mover: PieceId) -> Vec<PieceId> {
    let (position, us) = (view.position(), view.viewer());
    let unknown = |id: &PieceId| position.piece(*id).ranks.len() > 1;
    let beside =
        |id: &PieceId| position.piece(*id).square.is_some_and(|square| position.is_next_to_side(square, us));
    let others = view.enemies().map(|(id, _)| id).filter(|id| *id != mover && beside(id));
    std::iter::once(mover).filter(unknown).chain(others.filter(unknown).take(BYSTANDERS)).collect()
}

/// What is found out, rank by rank.
#[derive(Default)]
struct Found {
    /// The chances that the move was made, summed over worlds.
    chances: [f32; Rank::COUNT],
    worlds: [u16; Rank::COUNT],
    blind: f32,
    nodes: u64,
}

impl Found {
    fn into_evidence(self, question: &Question, id: PieceId) -> Option<MoveEvidence> {
        let Found { mut chances, worlds, blind, nodes } = self;
        let believed = question.belief.chances(id)?;
        let (mut ranks, mut mean, mut whole) = (RankSet::EMPTY, 0.0, 0.0);
        for rank in Rank::ALL.into_iter().filter(|rank| worlds[rank.index()] > 0) {
            let index = rank.index();
            chances[index] /= f32::from(worlds[index]);
            ranks = ranks.or(RankSet::only(rank));
            mean += believed[index] * chances[index];
            whole += believed[index];
        }
        let (ply, moved) = (question.view.position().ply() + 1, id == question.mover);
        let tells = ranks.len() > 1 && whole > 0.0;
        tells.then(|| MoveEvidence { ply, id, moved, ranks, chances, mean: mean / whole, blind, nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::rules::{Ruleset, Setup, Side};

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

    /// What is left of the budget.
    fn inferred((view, evidence): &mut (View, Evidence), budget: Budget, elapsed: Duration) -> Budget {
        let (clock, stop) = (&Stands(elapsed), &AtomicBool::new(false));
        infer_from_move(view, evidence, &Inquiry { budget, level: Level::FULL, seed: 7, clock, stop })
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
        let chance = |rank: Rank| evidence.chances[rank.index()];
        assert!(chance(Rank::Major) > 2.0 * chance(Rank::Sergeant), "{:?}", evidence.chances);
        assert!(chance(Rank::Major) > evidence.mean && chance(Rank::Sergeant) < evidence.mean);
    }

    #[test]
    fn who_leaves_a_captain_alone_is_likely_a_bomb() {
        // The captain stands beside a7, which has not moved; Blue moves elsewhere.
        let mut view = after(&["b4b5", "b7b6", "b5xb6=W62", "j7j6", "b6a6", "i7i6"]);
        inferred(&mut view, nodes(20_000), Duration::ZERO);
        let beside = found(&view).into_iter().find(|evidence| evidence.id == PieceId::new(Side::Blue, 39));
        let beside = beside.expect("a7 is thought about");
        let chance = |rank: Rank| beside.chances[rank.index()];
        assert!(!beside.moved && beside.ranks.contains(Rank::Bomb));
        // A major would have taken it, a sergeant would have run away.
        for other in [Rank::Major, Rank::Sergeant] {
            assert!(chance(Rank::Bomb) > 2.0 * chance(other), "{:?}", beside.chances);
        }
    }

    #[test]
    fn a_strike_is_not_thought_about() {
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
    fn low_levels_do_not_think_about_it() {
        let (mut view, budget) = (after(&MET), nodes(20_000));
        let (clock, stop) = (&Stands(Duration::ZERO), &AtomicBool::new(false));
        let level = Level::new(19).unwrap();
        let inquiry = Inquiry { budget, level, seed: 7, clock, stop };
        assert_eq!(infer_from_move(&view.0, &mut view.1, &inquiry), budget);
        assert!(found(&view).is_empty());
    }

    #[test]
    fn equal_seeds_have_equal_thoughts() {
        let (mut a, mut b) = (after(&MET), after(&MET));
        inferred(&mut a, nodes(20_000), Duration::ZERO);
        inferred(&mut b, nodes(20_000), Duration::ZERO);
        assert_eq!(found(&a), found(&b));
    }
}
