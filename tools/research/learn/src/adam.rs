//! The optimiser (D. Kingma and J. Ba, *Adam: a method for stochastic optimization*, 2015), and averages of the weights.

use std::thread;

/// How long steps are.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Stride {
    /// Their size.
    pub rate: f32,
    /// What is added to the root of a slope's mean square: weights with smaller slopes make shorter steps.
    pub epsilon: f32,
    /// By which share of itself, times the rate, a weight shrinks in a step (I. Loshchilov and F. Hutter, *Decoupled weight
    /// decay regularization*, 2019).
    pub weight_decay: f32,
    /// The rate of the first layer's rows, as a share of that of all others. More than a hundred of them are summed, which a
    /// step moves the same way: at the same rate the first layer outruns the rest, and in the end the value breaks down.
    pub rows: f32,
}

/// Share of the mean gradient that a step keeps.
const MEAN: f32 = 0.9;
/// Share of the mean square that a step keeps. 0.995 was one of the suspects when a run of the prototype collapsed.
const SQUARE: f32 = 0.999;

/// Mean and mean square of the gradients of each weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Adam {
    /// Means.
    pub mean: Vec<f32>,
    /// Mean squares.
    pub square: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

impl Adam {
    /// For so many weights, before the first step.
    pub fn new(weights: usize) -> Adam {
        Adam { mean: vec![0.0; weights], square: vec![0.0; weights], steps: 0 }
    }

    /// Makes a step down the sum of the gradients, which are 0 afterwards; each of them is worked on by a thread.
    /// The first `rows` weights are rows of the first layer.
    pub fn step(&mut self, weights: &mut [f32], gradients: &mut [Vec<f32>], rows: usize, stride: Stride) {
        self.steps += 1;
        let steps = self.steps as f64;
        let corrected = |kept: f32| (1.0 / (1.0 - f64::from(kept).powf(steps))) as f32;
        let (of_mean, of_square) = (corrected(MEAN), corrected(SQUARE));
        let size = weights.len().div_ceil(gradients.len()).next_multiple_of(16);
        let mut parts: Vec<Vec<&mut [f32]>> = (0..weights.len().div_ceil(size)).map(|_| Vec::new()).collect();
        for gradient in gradients {
            parts.iter_mut().zip(gradient.chunks_mut(size)).for_each(|(parts, part)| parts.push(part));
        }
        let weights = weights.chunks_mut(size);
        let (means, squares) = (self.mean.chunks_mut(size), self.square.chunks_mut(size));
        thread::scope(|scope| {
            for (part, (((weights, mean), square), parts)) in
                weights.zip(means).zip(squares).zip(parts).enumerate()
            {
                scope.spawn(move || {
                    let rows = rows.saturating_sub(part * size).min(weights.len());
                    let mut parts = parts.into_iter();
                    let Some(sum) = parts.next() else { return };
                    for part in parts {
                        sum.iter_mut().zip(part.iter_mut()).for_each(|(sum, slope)| {
                            *sum += *slope;
                            *slope = 0.0;
                        });
                    }
                    let (own, others) = weights.split_at_mut(rows);
                    let corrected = (of_mean, of_square);
                    let (means, squares) = (mean.split_at_mut(rows), square.split_at_mut(rows));
                    let slopes = sum.split_at_mut(rows);
                    let slower = Stride { rate: stride.rate * stride.rows, ..stride };
                    step_part(own, (means.0, squares.0), slopes.0, corrected, slower);
                    step_part(others, (means.1, squares.1), slopes.1, corrected, stride);
                });
            }
        });
    }
}

/// A step of some weights.
fn step_part(
    weights: &mut [f32],
    (means, squares): (&mut [f32], &mut [f32]),
    slopes: &mut [f32],
    (of_mean, of_square): (f32, f32),
    Stride { rate, epsilon, weight_decay, .. }: Stride,
) {
    for (((weight, mean), square), slope) in weights.iter_mut().zip(means).zip(squares).zip(slopes) {
        *mean = MEAN * *mean + (1.0 - MEAN) * *slope;
        *square = SQUARE * *square + (1.0 - SQUARE) * *slope * *slope;
        let step = (*mean * of_mean) / ((*square * of_square).sqrt() + epsilon);
        *weight -= rate * (step + weight_decay * *weight);
        *slope = 0.0;
    }
}

/// Moves an average by a share of the way to the weights.
pub fn follow(average: &mut [f32], weights: &[f32], share: f32) {
    average.iter_mut().zip(weights).for_each(|(average, weight)| *average += share * (weight - *average));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_down_and_however_many_threads_there_are_they_are_the_same() {
        let stride = Stride { rate: 0.02, epsilon: 1e-7, weight_decay: 0.0, rows: 0.5 };
        let run = |threads: usize| {
            let (mut weights, mut adam) = (vec![1.0_f32; 40], Adam::new(40));
            for _ in 0..200 {
                let mut gradients = vec![vec![0.0; 40]; threads];
                for (index, weight) in weights.iter().enumerate() {
                    gradients[index % threads][index] = 2.0 * weight;
                }
                adam.step(&mut weights, &mut gradients, 24, stride);
                assert!(gradients.iter().flatten().all(|slope| *slope == 0.0));
            }
            weights
        };
        let alone = run(1);
        assert_eq!(alone, run(3));
        assert!(alone.iter().all(|weight| weight.abs() < 0.1), "{alone:?}");
    }
}
