//! The fit: maximum likelihood of the true ranks, with shrinkage.
//!
//! A piece's chances are what is believed of it without opponent types, times the exponential of its features'
//! weights, brought to the army's counts by a factor for each rank. The gradient is what the joint model's would be if
//! those were its marginals.

use super::cases::Case;
use outflank::belief::opponent_types::{FEATURES, TypeTable};
use outflank::math;
use outflank::rng::Rng;
use outflank::rules::Rank;
use std::collections::BTreeMap;

type Row = [f32; Rank::COUNT];

/// How a fit is made.
#[derive(Copy, Clone, Debug)]
pub struct Plan {
    /// How often every moment is looked at.
    pub rounds: usize,
    /// How strongly weights are drawn to nothing.
    pub shrinkage: f32,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { rounds: 4, shrinkage: 4e-3 }
    }
}

/// Moments after each of which the weights change.
const BATCH: usize = 64;
/// Longest step of a weight, at first.
const STEP: f32 = 0.02;
/// Sweeps that bring a moment's chances to the army's counts; they go on from where the last round ended.
const SWEEPS: usize = 4;

/// Weights in nats, by feature and rank.
#[derive(Clone, Debug)]
pub struct Weights(pub Vec<Row>);

impl Weights {
    fn none() -> Weights {
        Weights(vec![[0.0; Rank::COUNT]; FEATURES])
    }

    /// As the engine holds them.
    pub fn rounded(&self) -> TypeTable {
        let mut table = [[0; Rank::COUNT]; FEATURES];
        for (row, weights) in table.iter_mut().zip(&self.0) {
            *row = weights.map(|weight| (weight * 100.0).round() as i16);
        }
        table
    }
}

/// A moment with what the fit keeps of it.
struct Moment<'a> {
    case: &'a Case,
    weight: f32,
    /// Factor of each rank that meets the army's counts.
    factors: Row,
}

/// Fits weights to `cases`.
pub fn fit<'a>(cases: impl Iterator<Item = &'a Case>, plan: Plan) -> Weights {
    let mut moments = weighted(cases.collect());
    let mut weights = Weights::none();
    let mut ascent = Ascent::default();
    let mut rng = Rng::new(1);
    let batches = moments.len().div_ceil(BATCH) * plan.rounds;
    let mut done = 0;
    for _ in 0..plan.rounds {
        rng.shuffle(&mut moments);
        for batch in moments.chunks_mut(BATCH) {
            let mut gradient = vec![[0.0; Rank::COUNT]; FEATURES];
            let mut total = 0.0;
            for moment in batch {
                total += moment.weight;
                moment.slope(&weights, &mut gradient);
            }
            let left = 1.0 - done as f32 / batches as f32;
            ascent.climb(&mut weights, &gradient, total, (plan.shrinkage, STEP * left));
            done += 1;
        }
    }
    weights
}

/// Gives every moment its weight: the moments of one game, and the games of one player, count as the square root of
/// their number.
fn weighted(cases: Vec<&Case>) -> Vec<Moment<'_>> {
    let (mut moments, mut games) = (BTreeMap::new(), BTreeMap::new());
    for case in &cases {
        let count = moments.entry((case.game, case.names[0])).or_insert(0.0f32);
        if *count == 0.0 {
            *games.entry(case.names[0]).or_insert(0.0f32) += 1.0;
        }
        *count += 1.0;
    }
    let weight = |case: &Case| 1.0 / (moments[&(case.game, case.names[0])] * games[&case.names[0]]).sqrt();
    let mean = cases.iter().map(|case| weight(case)).sum::<f32>() / cases.len().max(1) as f32;
    let moment = |case| Moment { case, weight: weight(case) / mean, factors: [1.0; Rank::COUNT] };
    cases.into_iter().map(moment).collect()
}

impl Moment<'_> {
    /// Adds how the moment's likelihood grows with each weight.
    fn slope(&mut self, weights: &Weights, gradient: &mut [Row]) {
        let probabilities = self.probabilities(weights);
        let mut begin = 0;
        for (piece, probabilities) in self.case.pieces.iter().zip(&probabilities) {
            let mut lacks = probabilities.map(|chance| -self.weight * chance);
            lacks[usize::from(piece.truth)] += self.weight;
            for &feature in &self.case.features[begin..piece.end as usize] {
                for (sum, lack) in gradient[usize::from(feature)].iter_mut().zip(&lacks) {
                    *sum += lack;
                }
            }
            begin = piece.end as usize;
        }
    }

    fn probabilities(&mut self, weights: &Weights) -> Vec<Row> {
        let rows = weighed(self.case, weights);
        let mut wanted: Row = [0.0; Rank::COUNT];
        for piece in &self.case.pieces {
            wanted[usize::from(piece.truth)] += 1.0;
        }
        for _ in 0..SWEEPS {
            let mut sums: Row = [1e-9; Rank::COUNT];
            for row in &rows {
                let scaled = scaled(row, &self.factors);
                sums.iter_mut().zip(&scaled).for_each(|(sum, value)| *sum += value);
            }
            for ((factor, sum), wanted) in self.factors.iter_mut().zip(&sums).zip(&wanted) {
                *factor = (*factor * (wanted + 1e-9) / sum).clamp(1e-6, 1e6);
            }
        }
        rows.into_iter().map(|row| scaled(&row, &self.factors)).collect()
    }
}

/// A row times the factors, summing to one.
fn scaled(row: &Row, factors: &Row) -> Row {
    let scaled: Row = std::array::from_fn(|rank| row[rank] * factors[rank]);
    let sum: f32 = scaled.iter().sum::<f32>().max(f32::MIN_POSITIVE);
    scaled.map(|value| value / sum)
}

/// What was believed before, times what the features say.
fn weighed(case: &Case, weights: &Weights) -> Vec<Row> {
    let mut begin = 0;
    let row = |piece: &super::cases::Hidden| {
        let mut sums: Row = [0.0; Rank::COUNT];
        for &feature in &case.features[begin..piece.end as usize] {
            sums.iter_mut().zip(&weights.0[usize::from(feature)]).for_each(|(sum, weight)| *sum += weight);
        }
        begin = piece.end as usize;
        std::array::from_fn(|rank| piece.before[rank] * math::exp(sums[rank].clamp(-20.0, 20.0)))
    };
    case.pieces.iter().map(row).collect()
}

/// Adam.
struct Ascent {
    mean: Vec<Row>,
    square: Vec<Row>,
    steps: i32,
}

impl Default for Ascent {
    fn default() -> Ascent {
        let zero = vec![[0.0; Rank::COUNT]; FEATURES];
        Ascent { mean: zero.clone(), square: zero, steps: 0 }
    }
}

impl Ascent {
    fn climb(&mut self, weights: &mut Weights, gradient: &[Row], total: f32, (shrinkage, step): (f32, f32)) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        self.steps += 1;
        let (mean_share, square_share) =
            (1.0 - math::powi(MEAN, self.steps), 1.0 - math::powi(SQUARE, self.steps));
        let moments =
            self.mean.iter_mut().zip(&mut self.square).flat_map(|(mean, square)| mean.iter_mut().zip(square));
        let weights = weights.0.iter_mut().flatten();
        for ((weight, gradient), (mean, square)) in weights.zip(gradient.iter().flatten()).zip(moments) {
            let slope = gradient / total - shrinkage * *weight;
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            *weight += step * (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-6);
        }
    }
}
