//! Properties of the joint model, checked against enumeration of all assignments.

use super::belief_propagation::BeliefPropagation;
use super::core::Core;
use super::exact_dp::ExactDp;
use super::feasible::{assignment, feasible};
use super::sampling::{sample, sample_chain};
use super::{Problem, exact_marginals, marginals, weighed_marginals};
use crate::math;
use crate::rules::{Army, ByRank, Rank, RankSet};

/// A small generator of random words (splitmix64).
struct Rng(u64);

impl Rng {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.word() % n as u64).unwrap()
    }

    fn weight(&mut self, spread: u8) -> f32 {
        let steps = self.below(usize::from(spread) + 1);
        math::powi(1.5, i32::try_from(steps).unwrap())
    }
}

/// An owned problem.
struct Case {
    allowed: Vec<RankSet>,
    weights: Vec<ByRank<f32>>,
    counts: ByRank<u8>,
}

impl Case {
    fn problem(&self) -> Problem<'_> {
        Problem { allowed: &self.allowed, weights: &self.weights, counts: self.counts }
    }

    /// `n` pieces of random ranks, each allowed with chance one in `sparse`; with
    /// `honest` a true assignment exists, without it may not.
    fn random(rng: &mut Rng, n: usize, sparse: usize, honest: bool) -> Self {
        let mut case = Self { allowed: Vec::new(), weights: Vec::new(), counts: ByRank::filled(0) };
        let kinds = 1 + rng.below(Rank::COUNT);
        for _ in 0..n {
            let truth = Rank::ALL[rng.below(kinds)];
            case.counts[truth] += 1;
            let others = Rank::ALL[..kinds].iter().copied().filter(|_| rng.below(sparse) == 0);
            let others: RankSet = others.collect();
            case.allowed.push(if honest { others.or(RankSet::only(truth)) } else { others });
            case.weights.push(ByRank::from_fn(|_| rng.weight(8)));
        }
        case
    }

    /// Calls `visit` with every consistent assignment and its weight.
    fn enumerate(&self, visit: &mut impl FnMut(&[Rank], f64)) {
        self.extend(&mut Vec::new(), &mut self.counts.clone(), 1.0, visit);
    }

    fn extend(
        &self,
        world: &mut Vec<Rank>,
        left: &mut ByRank<u8>,
        weight: f64,
        visit: &mut impl FnMut(&[Rank], f64),
    ) {
        let i = world.len();
        if i == self.allowed.len() {
            return visit(world, weight);
        }
        for r in self.allowed[i].iter() {
            if left[r] > 0 {
                left[r] -= 1;
                world.push(r);
                self.extend(world, left, weight * f64::from(self.weights[i][r]), visit);
                world.pop();
                left[r] += 1;
            }
        }
    }

    /// The logarithm of the weight of all consistent assignments, by enumeration.
    fn log_weight(&self) -> f64 {
        let mut total = 0.0_f64;
        self.enumerate(&mut |_, weight| total += weight);
        total.ln()
    }

    /// Marginals by enumeration; `None` if nothing is consistent.
    fn truth(&self) -> Option<Vec<ByRank<f64>>> {
        let mut out = vec![ByRank::filled(0.0); self.allowed.len()];
        let mut total = 0.0;
        self.enumerate(&mut |world, weight| {
            total += weight;
            for (row, &r) in out.iter_mut().zip(world) {
                row[r] += weight;
            }
        });
        (total > 0.0).then(|| out.iter().map(|row| row.map(|p| p / total)).collect())
    }

    /// Asserts that `world` is consistent.
    fn check(&self, world: &[Rank]) {
        let mut left = self.counts;
        for (&r, ranks) in world.iter().zip(&self.allowed) {
            assert!(ranks.contains(r));
            left[r] -= 1;
        }
        assert_eq!(left, ByRank::filled(0));
        assert_eq!(world.len(), self.allowed.len());
    }
}

/// Largest difference of two tables.
fn gap(a: &[ByRank<f64>], b: &[ByRank<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let cells = a.iter().flat_map(ByRank::values).zip(b.iter().flat_map(ByRank::values));
    cells.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

fn wide(rows: &[ByRank<f32>]) -> Vec<ByRank<f64>> {
    rows.iter().map(|row| row.map(f64::from)).collect()
}

/// Shares of the ranks over the worlds that `draw` passes to its argument.
fn shares(case: &Case, worlds: u32, draw: impl FnOnce(&mut dyn FnMut(&[Rank]))) -> Vec<ByRank<f64>> {
    let mut out = vec![ByRank::filled(0.0); case.allowed.len()];
    let mut seen = 0;
    draw(&mut |world| {
        case.check(world);
        seen += 1;
        for (row, &r) in out.iter_mut().zip(world) {
            row[r] += 1.0 / f64::from(worlds);
        }
    });
    assert_eq!(seen, worlds);
    out
}

#[test]
fn possible_ranks_are_those_of_some_assignment() {
    let mut rng = Rng(1);
    let mut impossible = 0;
    for k in 0..3000 {
        let n = 1 + rng.below(7);
        let sparse = 2 + rng.below(3);
        let case = Case::random(&mut rng, n, sparse, k % 2 == 0);
        let mut union = vec![RankSet::EMPTY; n];
        case.enumerate(&mut |world, _| {
            for (ranks, &r) in union.iter_mut().zip(world) {
                *ranks = ranks.or(RankSet::only(r));
            }
        });
        let some = !union[0].is_empty();
        impossible += usize::from(!some);
        assert_eq!(feasible(&case.problem()), some.then_some(union));
        assert_eq!(assignment(&case.problem()).is_some(), some);
        if let Some(world) = assignment(&case.problem()) {
            case.check(&world);
        }
    }
    assert!(impossible > 100, "{impossible}");
}

#[test]
fn small_marginals_are_exact() {
    let mut rng = Rng(2);
    for _ in 0..400 {
        let (n, sparse) = (1 + rng.below(8), 1 + rng.below(3));
        let case = Case::random(&mut rng, n, sparse, true);
        let truth = case.truth().unwrap();
        let mut out = Vec::new();
        assert!(marginals(&case.problem(), &mut out));
        assert!(gap(&wide(&out), &truth) < 1e-6);
        for (row, exact) in out.iter().flat_map(ByRank::values).zip(truth.iter().flat_map(ByRank::values)) {
            assert_eq!(*row == 0.0, *exact == 0.0);
        }
    }
}

#[test]
fn the_weight_of_small_armies_is_exact() {
    let mut rng = Rng(12);
    for _ in 0..400 {
        let (n, sparse) = (1 + rng.below(8), 1 + rng.below(3));
        let case = Case::random(&mut rng, n, sparse, true);
        let mut out = Vec::new();
        for solve in [weighed_marginals, exact_marginals] {
            let log = solve(&case.problem(), &mut out).unwrap();
            assert!((log - case.log_weight()).abs() < 1e-6, "{log} {}", case.log_weight());
        }
    }
}

/// The approximation is off by much, by nearly as much for every army of a kind: what counts is how much less is left
/// where a piece is known to be one of half of its ranks.
#[test]
fn propagation_tells_how_much_likelier_an_army_is() {
    let mut rng = Rng(13);
    let (mut compared, mut worst) = (0, 0.0_f64);
    for _ in 0..20 {
        let mut case = Case::random(&mut rng, 18, 2, true);
        let mut logs = Vec::new();
        for round in 0..2 {
            if round == 1 {
                let ranks = case.allowed.iter_mut().max_by_key(|ranks| ranks.len()).unwrap();
                let half: Vec<_> = ranks.iter().step_by(2).collect();
                *ranks = half.into_iter().collect();
            }
            let Some(core) = Core::new(&case.problem()) else { break };
            if !(1000..300_000).contains(&ExactDp::new(&core.counts).size()) {
                break;
            }
            let mut run = BeliefPropagation::new(&core);
            run.settle();
            let exact = ExactDp::new(&core.counts).marginals(&core).1;
            logs.push(run.log_weight() - exact);
        }
        if let [before, after] = logs[..] {
            compared += 1;
            worst = worst.max((after - before).abs());
        }
    }
    assert!(compared > 5 && worst < 0.1, "{compared} {worst}");
}

#[test]
fn propagation_is_close_and_respects_the_counts() {
    let mut rng = Rng(3);
    for _ in 0..20 {
        let case = Case::random(&mut rng, 18, 2, true);
        let Some(core) = Core::new(&case.problem()) else { panic!("honest case") };
        let dp = ExactDp::new(&core.counts);
        // Smaller ones are never left to it, larger ones take too long to check.
        if !(1000..300_000).contains(&dp.size()) {
            continue;
        }
        let mut run = BeliefPropagation::new(&core);
        run.settle();
        let beliefs = run.beliefs();
        assert!(gap(&beliefs, &dp.marginals(&core).0) < 0.05);
        for (r, &count) in core.counts.iter() {
            let sum: f64 = beliefs.iter().map(|row| row[r]).sum();
            assert!((sum - f64::from(count)).abs() < 0.01, "{sum} {count}");
        }
    }
}

#[test]
fn large_marginals_are_zero_exactly_where_impossible() {
    let mut rng = Rng(5);
    for _ in 0..200 {
        let sparse = 2 + rng.below(8);
        let case = Case::random(&mut rng, 40, sparse, true);
        let possible = feasible(&case.problem()).unwrap();
        let mut out = Vec::new();
        assert!(marginals(&case.problem(), &mut out));
        for (row, ranks) in out.iter().zip(possible) {
            assert!((row.values().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(row.iter().all(|(rank, share)| (*share > 0.0) == ranks.contains(rank)));
            assert!(ranks.single().is_none() || row.as_array().contains(&1.0));
        }
    }
}

#[test]
fn worlds_follow_the_joint_model() {
    let mut rng = Rng(6);
    let worlds = 40_000;
    for _ in 0..12 {
        let (n, sparse) = (3 + rng.below(5), 1 + rng.below(3));
        let case = Case::random(&mut rng, n, sparse, true);
        let truth = case.truth().unwrap();
        let mut next = || rng.word();
        let problem = case.problem();
        let exact = shares(&case, worlds, |visit| {
            assert!(sample(&problem, 40_000, &mut next, visit));
        });
        assert!(gap(&exact, &truth) < 0.012);
        let chain = shares(&case, worlds, |visit| {
            assert!(sample_chain(&problem, 40_000, &mut next, visit));
        });
        assert!(gap(&chain, &truth) < 0.025, "{}", gap(&chain, &truth));
    }
}

#[test]
fn the_chain_reaches_worlds_that_swaps_cannot() {
    // Two worlds only, one three-cycle apart: no swap is ever allowed.
    let case = Case {
        allowed: [0b011, 0b110, 0b101].map(RankSet::from_bits).to_vec(),
        weights: [3.0, 1.0, 2.0].map(ByRank::filled).to_vec(),
        counts: ByRank::from_fn(|rank| u8::from(rank <= Rank::Scout)),
    };
    let mut words = Rng(7);
    let problem = case.problem();
    let chain = shares(&case, 20_000, |visit| {
        assert!(sample_chain(&problem, 20_000, &mut || words.word(), visit));
    });
    assert!((chain[0][Rank::Flag] - 0.5).abs() < 0.05, "{}", chain[0][Rank::Flag]);
}

#[test]
fn the_only_candidate_for_the_flag_is_certain() {
    let mut allowed = vec![RankSet::MOBILE; 40];
    (allowed[7], allowed[8]) = (RankSet::ALL, NO_FLAG);
    for ranks in &mut allowed[30..] {
        *ranks = ranks.or(RankSet::only(Rank::Bomb));
    }
    let case = Case { allowed, weights: vec![ByRank::filled(1.0); 40], counts: *Army::CLASSIC.counts() };
    let mut out = Vec::new();
    assert!(marginals(&case.problem(), &mut out));
    assert!(out[7][Rank::Flag] >= 1.0 && out[8][Rank::Flag] <= 0.0);
}

#[test]
fn contradictions_are_reported() {
    let mut case = Case {
        allowed: vec![NO_FLAG; 40],
        weights: vec![ByRank::filled(1.0); 40],
        counts: *Army::CLASSIC.counts(),
    };
    let mut out = vec![ByRank::filled(0.5)];
    assert!(!marginals(&case.problem(), &mut out) && out.is_empty());
    assert!(exact_marginals(&case.problem(), &mut out).is_none());
    assert!(!sample(&case.problem(), 3, &mut || 0, |_| panic!("no world exists")));
    case.allowed = vec![RankSet::ALL; 40];
    case.counts[Rank::Sergeant] += 1;
    assert_eq!(feasible(&case.problem()), None);
    let empty = Case { allowed: vec![], weights: vec![], counts: ByRank::filled(0) };
    assert!(marginals(&empty.problem(), &mut out) && out.is_empty());
    assert!(sample(&empty.problem(), 2, &mut || 0, |world| assert!(world.is_empty())));
}

#[test]
fn wild_weights_do_no_harm() {
    let wild = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-38, 3e38, 1.0, 2.0, 5.0, 1.0, 1e-9, 1e9];
    let weights = (0..40).map(|k| ByRank::from_fn(|rank| wild[(k + rank.index() * 5) % 12])).collect();
    let case = Case { allowed: vec![RankSet::ALL; 40], weights, counts: *Army::CLASSIC.counts() };
    let mut out = Vec::new();
    assert!(marginals(&case.problem(), &mut out));
    assert!(out.iter().flat_map(ByRank::values).all(|&p| p > 0.0 && p <= 1.0));
    assert!(out.iter().all(|row| (row.values().sum::<f32>() - 1.0).abs() < 1e-5));
    let mut words = Rng(8);
    assert!(sample(&case.problem(), 10, &mut || words.word(), |world| {
        case.check(world);
    }));
}

/// Every rank but the flag.
const NO_FLAG: RankSet = RankSet::ALL.without(RankSet::only(Rank::Flag));
