//! Learning from decisions: proximal policy optimisation (J. Schulman and others, 2017), pulled towards a slow average of the
//! network itself, the *magnet*, and towards entropy.
//!
//! The policy learns from the decisions with the largest advantages alone (the field's finding: faster and stronger), the
//! value from any.

use crate::adam::Stride;
use crate::games::{Decision, Group};
use crate::network::{ActionSums, Body, Forward, softmax};
use crate::parameters::Layout;
use outflank::rng::Rng;
use outflank::sparse::CONTEXT_VALUES;
use std::thread;

/// How the network learns.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Learning {
    /// How long Adam's steps are.
    pub stride: Stride,
    /// Decisions of a step.
    pub batch: usize,
    /// Weight of the pull towards the magnet.
    pub magnet: f32,
    /// Weight of entropy.
    pub entropy: f32,
    /// Share of the decisions that the policy learns from: those with the largest advantages.
    pub policy_share: f32,
    /// Share that the value learns from.
    pub value_share: f32,
    /// Weight of an example's surprise.
    pub example: f32,
}

/// How far a probability may move before it stops learning from that decision.
const CLIP: f32 = 0.2;
/// The largest ratio of probabilities, where the action was a bad one.
const MOST_RATIO: f32 = 3.0;
/// The largest advantage, in units of their spread.
const MOST_ADVANTAGE: f32 = 4.0;
/// Slopes of scores below this share of the largest possible are not followed.
const LEAST_SLOPE: f32 = 2e-5;

/// Figures of an iteration's learning, summed over decisions.
#[derive(Copy, Clone, Debug, Default)]
pub struct Lesson {
    /// Decisions that the policy learned from.
    pub decisions: f64,
    /// Those that were clipped.
    pub clipped: f64,
    /// Divergence from the policy that played, in nats.
    pub divergence: f64,
    /// Divergence from the magnet, in nats.
    pub magnet: f64,
    /// Decisions that the value learned from.
    pub values: f64,
    /// Squared error of the value.
    pub error: f64,
}

impl Lesson {
    /// Adds another one.
    pub fn add(&mut self, other: &Lesson) {
        self.decisions += other.decisions;
        self.clipped += other.clipped;
        self.divergence += other.divergence;
        self.magnet += other.magnet;
        self.values += other.values;
        self.error += other.error;
    }
}

/// Which decisions are learned from: group and index of each.
#[derive(Debug, Default)]
pub struct Selection {
    /// With the advantages that they count for.
    policy: Vec<((usize, usize), f32)>,
    value: Vec<(usize, usize)>,
    /// The spread of the advantages.
    pub spread: f32,
}

impl Selection {
    /// Chooses among the decisions of these groups.
    pub fn new(groups: &[Group], learning: &Learning, rng: &mut Rng) -> Selection {
        let known = || {
            groups.iter().enumerate().flat_map(|(group, of)| {
                let decisions = of.decisions.iter().enumerate().filter(|(_, decision)| decision.is_known);
                decisions.map(move |(index, decision)| ((group, index), decision))
            })
        };
        let own = || known().filter(|(_, decision)| !decision.is_example);
        let count = own().count().max(1);
        let squares: f64 = own().map(|(_, decision)| f64::from(decision.advantage).powi(2)).sum();
        let spread = (squares / count as f64).sqrt() as f32 + 1e-6;
        let chosen = || own().filter(|(_, decision)| decision.actions > 1);
        let sizes: Vec<f32> = chosen().map(|(_, decision)| decision.advantage.abs()).collect();
        let least = least_of_share(sizes, learning.policy_share);
        let large = chosen().filter(|(_, decision)| decision.advantage.abs() >= least);
        let mut policy: Vec<_> = large.map(|(place, decision)| (place, decision.advantage)).collect();
        let examples = known().filter(|(_, decision)| decision.is_example && decision.actions > 1);
        policy.extend(examples.map(|(place, _)| (place, 0.0)));
        let mut value: Vec<_> =
            known().map(|(place, _)| place).filter(|_| rng.unit() < learning.value_share).collect();
        rng.shuffle(&mut policy);
        rng.shuffle(&mut value);
        Selection { policy, value, spread }
    }

    /// How many steps they make.
    pub fn steps(&self, batch: usize) -> usize {
        (self.policy.len() / batch).max(1)
    }
}

/// The size that such a share of these reach.
fn least_of_share(mut sizes: Vec<f32>, share: f32) -> f32 {
    let cut = (sizes.len() as f32 * (1.0 - share)) as usize;
    let cut = cut.min(sizes.len().saturating_sub(1));
    if sizes.is_empty() { 0.0 } else { *sizes.select_nth_unstable_by(cut, f32::total_cmp).1 }
}

/// What a step looks at.
#[derive(Copy, Clone)]
pub struct Step<'a, const H: usize> {
    /// The network that learns.
    pub network: Forward<'a, H>,
    /// The slow average that it is pulled to.
    pub magnet: Forward<'a, H>,
    /// What was played.
    pub groups: &'a [Group],
    /// What of that is learned from.
    pub selection: &'a Selection,
    /// How.
    pub learning: &'a Learning,
}

/// The `index`-th of `count` parts of a list.
fn part<T>(list: &[T], index: usize, count: usize) -> &[T] {
    &list[list.len() * index / count..list.len() * (index + 1) / count]
}

impl<const H: usize> Step<'_, H> {
    /// Adds the gradient of the loss of the `index`-th of `count` batches to `gradients`, whose sum it is: each is
    /// worked out by a thread.
    pub fn gradient(&self, index: usize, count: usize, gradients: &mut [Vec<f32>]) -> Lesson {
        let policy = part(&self.selection.policy, index, count);
        let value = part(&self.selection.value, index, count);
        let shares = [1.0 / policy.len().max(1) as f32, 1.0 / value.len().max(1) as f32];
        let threads = gradients.len();
        let lessons = thread::scope(|scope| {
            let works = gradients.iter_mut().enumerate().map(|(thread, gradient)| {
                let (policy, value) = (part(policy, thread, threads), part(value, thread, threads));
                scope.spawn(move || {
                    let mut pupil = Pupil::new(self, gradient, shares);
                    for &place in value {
                        pupil.learn_value(place);
                    }
                    for &(place, advantage) in policy {
                        pupil.learn_policy(place, advantage);
                    }
                    pupil.lesson
                })
            });
            let works: Vec<_> = works.collect();
            works.into_iter().map(|work| work.join().unwrap_or_default()).collect::<Vec<_>>()
        });
        let mut all = Lesson::default();
        for lesson in &lessons {
            all.add(lesson);
        }
        all
    }

    fn decision(&self, (group, index): (usize, usize)) -> (&Group, &Decision) {
        let group = &self.groups[group];
        (group, &group.decisions[index])
    }
}

/// One thread's share of a step.
struct Pupil<'a, const H: usize> {
    step: &'a Step<'a, H>,
    gradient: &'a mut [f32],
    shares: [f32; 2],
    lesson: Lesson,
    body: Body<H>,
    magnet_body: Body<H>,
    sums: Vec<ActionSums>,
    magnet_sums: Vec<ActionSums>,
    scores: Vec<f32>,
    magnet_scores: Vec<f32>,
    probabilities: Vec<f32>,
    slopes: Vec<f32>,
}

impl<'a, const H: usize> Pupil<'a, H> {
    fn new(step: &'a Step<'a, H>, gradient: &'a mut [f32], shares: [f32; 2]) -> Pupil<'a, H> {
        Pupil {
            step,
            gradient,
            shares,
            lesson: Lesson::default(),
            body: Body::default(),
            magnet_body: Body::default(),
            sums: Vec::new(),
            magnet_sums: Vec::new(),
            scores: Vec::new(),
            magnet_scores: Vec::new(),
            probabilities: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// Cross-entropy of the chances against what came of the game.
    fn learn_value(&mut self, place: (usize, usize)) {
        let (group, decision) = self.step.decision(place);
        let position = group.inputs(decision).position;
        let network = self.step.network;
        network.body(position, &mut self.body);
        let slopes =
            std::array::from_fn(|end| (self.body.outcome[end] - decision.target[end]) * self.shares[1]);
        let error = self.body.value() - (decision.target[0] - decision.target[2]);
        self.lesson.values += 1.0;
        self.lesson.error += f64::from(error * error);
        network.body_gradient(self.gradient, &self.body, position, slopes, None);
    }

    fn learn_policy(&mut self, place: (usize, usize), advantage: f32) {
        let (group, decision) = self.step.decision(place);
        let (inputs, network) = (group.inputs(decision), self.step.network);
        let magnet = &self.step.magnet;
        magnet.scores(inputs, &mut self.magnet_body, &mut self.magnet_sums, &mut self.magnet_scores);
        let magnet_norm = softmax(&self.magnet_scores, &mut self.probabilities);
        network.scores(inputs, &mut self.body, &mut self.sums, &mut self.scores);
        let norm = softmax(&self.scores, &mut self.probabilities);
        self.score_slopes(decision, advantage, norm, magnet_norm);
        let mut context = [0.0; CONTEXT_VALUES];
        for (index, features) in inputs.each_action().enumerate() {
            let slope = self.slopes[index] * self.shares[0];
            if slope.abs() > LEAST_SLOPE * self.shares[0] {
                let action = (features, &self.sums[index]);
                network.score_gradient(self.gradient, &mut context, &self.body, action, slope);
            }
        }
        network.body_gradient(self.gradient, &self.body, inputs.position, [0.0; 3], Some(context));
    }

    /// The slopes of the loss of one decision: the clipped surrogate, the divergence from the magnet, and entropy.
    fn score_slopes(&mut self, decision: &Decision, advantage: f32, norm: f32, magnet_norm: f32) {
        if decision.is_example {
            return self.example_slopes(decision);
        }
        let Learning { magnet, entropy, .. } = *self.step.learning;
        let chosen = self.scores[decision.chosen] - norm;
        let ratio = crate::lanes::exp(chosen - decision.log_probability);
        let advantage = advantage / self.step.selection.spread;
        let advantage = advantage.clamp(-MOST_ADVANTAGE, MOST_ADVANTAGE);
        let is_clipped =
            if advantage > 0.0 { ratio > 1.0 + CLIP } else { !(1.0 - CLIP..=MOST_RATIO).contains(&ratio) };
        let pull = if is_clipped { 0.0 } else { -advantage * ratio };
        let apart = |index: usize| (self.scores[index] - norm) - (self.magnet_scores[index] - magnet_norm);
        let (mut divergence, mut spread) = (0.0, 0.0);
        for (index, share) in self.probabilities.iter().enumerate() {
            divergence += share * apart(index);
            spread -= share * (self.scores[index] - norm);
        }
        self.slopes.clear();
        self.slopes.extend(self.probabilities.iter().enumerate().map(|(index, &share)| {
            let surrogate = pull * (f32::from(u8::from(index == decision.chosen)) - share);
            let to_magnet = share * (apart(index) - divergence);
            let to_entropy = share * (self.scores[index] - norm + spread);
            surrogate + magnet * to_magnet + entropy * to_entropy
        }));
        self.lesson.decisions += 1.0;
        self.lesson.clipped += f64::from(u8::from(is_clipped));
        self.lesson.divergence += f64::from(decision.log_probability - chosen);
        self.lesson.magnet += f64::from(divergence);
    }

    /// The slopes of an example's surprise.
    fn example_slopes(&mut self, decision: &Decision) {
        let weight = self.step.learning.example;
        self.slopes.clear();
        self.slopes.extend(self.probabilities.iter().enumerate().map(|(index, &share)| {
            let chosen = f32::from(u8::from(index == decision.chosen));
            weight * (share - chosen)
        }));
    }
}

/// Gradients of so many threads, all 0.
pub fn gradients(layout: &Layout, threads: usize) -> Vec<Vec<f32>> {
    vec![vec![0.0; layout.len]; threads.max(1)]
}
