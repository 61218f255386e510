//! The optimiser (D. Kingma and J. Ba, *Adam: a method for stochastic optimization*, 2015), and averages of the weights.

use std::thread;

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

    /// Makes a step down the sum of the gradients, which are 0 afterwards; each of them is worked on by a thread. `damping` is
    /// what is added to the root of the mean square: weights whose slopes are smaller make short steps.
    pub fn step(&mut self, weights: &mut [f32], gradients: &mut [Vec<f32>], (rate, damping): (f32, f32)) {
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
            for (((weights, mean), square), parts) in weights.zip(means).zip(squares).zip(parts) {
                scope.spawn(move || {
                    let mut parts = parts.into_iter();
                    let Some(sum) = parts.next() else { return };
                    for part in parts {
                        sum.iter_mut().zip(part.iter_mut()).for_each(|(sum, slope)| {
                            *sum += *slope;
                            *slope = 0.0;
                        });
                    }
                    for (((weight, mean), square), slope) in weights.iter_mut().zip(mean).zip(square).zip(sum)
                    {
                        *mean = MEAN * *mean + (1.0 - MEAN) * *slope;
                        *square = SQUARE * *square + (1.0 - SQUARE) * *slope * *slope;
                        *weight -= rate * (*mean * of_mean) / ((*square * of_square).sqrt() + damping);
                        *slope = 0.0;
                    }
                });
            }
        });
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
        let run = |threads: usize| {
            let (mut weights, mut adam) = (vec![1.0_f32; 40], Adam::new(40));
            for _ in 0..200 {
                let mut gradients = vec![vec![0.0; 40]; threads];
                for (index, weight) in weights.iter().enumerate() {
                    gradients[index % threads][index] = 2.0 * weight;
                }
                adam.step(&mut weights, &mut gradients, (0.02, 1e-7));
                assert!(gradients.iter().flatten().all(|slope| *slope == 0.0));
            }
            weights
        };
        let alone = run(1);
        assert_eq!(alone, run(3));
        assert!(alone.iter().all(|weight| weight.abs() < 0.1), "{alone:?}");
    }
}
