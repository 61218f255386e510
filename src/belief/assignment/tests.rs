//! Properties of the joint model, checked against enumeration of all assignments.

use super::belief_propagation::BeliefPropagation;
use super::exact_dp::ExactDp;
use super::{Core, Problem, RANKS, assignment, feasible, marginals, marginals_exact};
use super::{sample, sample_chain};
use crate::math;

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
    allowed: Vec<u16>,
    weights: Vec<[f32; RANKS]>,
    counts: [u8; RANKS],
}

impl Case {
    fn problem(&self) -> Problem<'_> {
        Problem { allowed: &self.allowed, weights: &self.weights, counts: self.counts }
    }

    /// `n` pieces of random ranks, each allowed with chance one in `sparse`; with
    /// `honest` a true assignment exists, without it may not.
    fn random(rng: &mut Rng, n: usize, sparse: usize, honest: bool) -> Self {
        let mut case = Self { allowed: Vec::new(), weights: Vec::new(), counts: [0; RANKS] };
        let kinds = 1 + rng.below(RANKS);
        for _ in 0..n {
            let truth = rng.below(kinds);
            case.counts[truth] += 1;
            let mut mask = if honest { 1 << truth } else { 0 };
            for r in 0..kinds {
                mask |= u16::from(rng.below(sparse) == 0) << r;
            }
            case.allowed.push(mask);
            case.weights.push(std::array::from_fn(|_| rng.weight(8)));
        }
        case
    }

    /// Calls `visit` with every consistent assignment and its weight.
    fn enumerate(&self, visit: &mut impl FnMut(&[u8], f64)) {
        self.extend(&mut Vec::new(), &mut self.counts.clone(), 1.0, visit);
    }

    fn extend(
        &self,
        world: &mut Vec<u8>,
        left: &mut [u8; RANKS],
        weight: f64,
        visit: &mut impl FnMut(&[u8], f64),
    ) {
        let i = world.len();
        if i == self.allowed.len() {
            return visit(world, weight);
        }
        for r in 0..RANKS {
            if left[r] > 0 && self.allowed[i] >> r & 1 == 1 {
                left[r] -= 1;
                world.push(u8::try_from(r).unwrap());
                self.extend(world, left, weight * f64::from(self.weights[i][r]), visit);
                world.pop();
                left[r] += 1;
            }
        }
    }

    /// Marginals by enumeration; `None` if nothing is consistent.
    fn truth(&self) -> Option<Vec<[f64; RANKS]>> {
        let mut out = vec![[0.0; RANKS]; self.allowed.len()];
        let mut total = 0.0;
        self.enumerate(&mut |world, weight| {
            total += weight;
            for (row, &r) in out.iter_mut().zip(world) {
                row[usize::from(r)] += weight;
            }
        });
        (total > 0.0).then(|| out.iter().map(|row| row.map(|p| p / total)).collect())
    }

    /// Asserts that `world` is consistent.
    fn check(&self, world: &[u8]) {
        let mut left = self.counts;
        for (&r, &mask) in world.iter().zip(&self.allowed) {
            assert!(mask >> r & 1 == 1);
            left[usize::from(r)] -= 1;
        }
        assert_eq!(left, [0; RANKS]);
        assert_eq!(world.len(), self.allowed.len());
    }
}

/// Largest difference of two tables.
fn gap(a: &[[f64; RANKS]], b: &[[f64; RANKS]]) -> f64 {
    assert_eq!(a.len(), b.len());
    let cells = a.iter().flatten().zip(b.iter().flatten());
    cells.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

fn wide(rows: &[[f32; RANKS]]) -> Vec<[f64; RANKS]> {
    rows.iter().map(|row| row.map(f64::from)).collect()
}

/// Shares of the ranks over the worlds that `draw` passes to its argument.
fn shares(case: &Case, worlds: u32, draw: impl FnOnce(&mut dyn FnMut(&[u8]))) -> Vec<[f64; RANKS]> {
    let mut out = vec![[0.0; RANKS]; case.allowed.len()];
    let mut seen = 0;
    draw(&mut |world| {
        case.check(world);
        seen += 1;
        for (row, &r) in out.iter_mut().zip(world) {
            row[usize::from(r)] += 1.0 / f64::from(worlds);
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
        let mut union = vec![0_u16; n];
        case.enumerate(&mut |world, _| {
            for (mask, &r) in union.iter_mut().zip(world) {
                *mask |= 1 << r;
            }
        });
        let some = union[0] != 0;
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
        for (row, exact) in out.iter().flatten().zip(truth.iter().flatten()) {
            assert_eq!(*row == 0.0, *exact == 0.0);
        }
    }
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
        assert!(gap(&beliefs, &dp.marginals(&core)) < 0.05);
        for (r, &count) in core.counts.iter().enumerate() {
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
        for (row, mask) in out.iter().zip(possible) {
            assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((0..RANKS).all(|r| (row[r] > 0.0) == (mask >> r & 1 == 1)));
            assert!(!mask.is_power_of_two() || row.contains(&1.0));
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
        allowed: vec![0b011, 0b110, 0b101],
        weights: vec![[3.0; RANKS], [1.0; RANKS], [2.0; RANKS]],
        counts: std::array::from_fn(|r| u8::from(r < 3)),
    };
    let mut words = Rng(7);
    let problem = case.problem();
    let chain = shares(&case, 20_000, |visit| {
        assert!(sample_chain(&problem, 20_000, &mut || words.word(), visit));
    });
    assert!((chain[0][0] - 0.5).abs() < 0.05, "{}", chain[0][0]);
}

#[test]
fn the_only_candidate_for_the_flag_is_certain() {
    let mut allowed = vec![0x7fe; 40];
    (allowed[7], allowed[8]) = (0xfff, 0xffe);
    for mask in &mut allowed[30..] {
        *mask |= 1 << 11;
    }
    let case = Case { allowed, weights: vec![[1.0; RANKS]; 40], counts: ARMY };
    let mut out = Vec::new();
    assert!(marginals(&case.problem(), &mut out));
    assert!(out[7][0] >= 1.0 && out[8][0] <= 0.0);
}

#[test]
fn contradictions_are_told() {
    let mut case = Case { allowed: vec![0xffe; 40], weights: vec![[1.0; RANKS]; 40], counts: ARMY };
    let mut out = vec![[0.5; RANKS]];
    assert!(!marginals(&case.problem(), &mut out) && out.is_empty());
    assert!(!marginals_exact(&case.problem(), &mut out));
    assert!(!sample(&case.problem(), 3, &mut || 0, |_| panic!("no world exists")));
    case.allowed = vec![0xfff; 40];
    case.counts[4] += 1;
    assert_eq!(feasible(&case.problem()), None);
    let empty = Case { allowed: vec![], weights: vec![], counts: [0; RANKS] };
    assert!(marginals(&empty.problem(), &mut out) && out.is_empty());
    assert!(sample(&empty.problem(), 2, &mut || 0, |world| assert!(world.is_empty())));
}

#[test]
fn wild_weights_do_no_harm() {
    let wild = [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-38, 3e38, 1.0, 2.0, 5.0, 1.0, 1e-9, 1e9];
    let weights = (0..40).map(|k| std::array::from_fn(|r| wild[(k + r * 5) % 12])).collect();
    let case = Case { allowed: vec![0xfff; 40], weights, counts: ARMY };
    let mut out = Vec::new();
    assert!(marginals(&case.problem(), &mut out));
    assert!(out.iter().flatten().all(|&p| p > 0.0 && p <= 1.0));
    assert!(out.iter().all(|row| (row.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    let mut words = Rng(8);
    assert!(sample(&case.problem(), 10, &mut || words.word(), |world| {
        case.check(world);
    }));
}

/// The classic army.
const ARMY: [u8; RANKS] = [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6];
