//! Choosing an action by a network's probabilities.

use super::evaluation::Evaluation;
use crate::math;
use crate::rng::Rng;
use crate::rules::Action;

/// Chooses one of the actions: the likeliest at temperature 0, else one drawn with probabilities that are raised to
/// the power 1 / `temperature` and scaled to sum to 1. None if there is no action.
pub fn choose(evaluation: &Evaluation, temperature: f32, rng: &mut Rng) -> Option<Action> {
    let (best, most) = likeliest(&evaluation.log_probabilities)?;
    let index = if temperature > 0.0 { draw(evaluation, most, temperature, rng) } else { None };
    evaluation.actions.get(index.unwrap_or(best)).copied()
}

/// The largest value and its index, the first of equal ones.
fn likeliest(values: &[f32]) -> Option<(usize, f32)> {
    let numbered = values.iter().copied().enumerate();
    numbered.reduce(|best, next| if next.1 > best.1 || best.1.is_nan() { next } else { best })
}

/// The index of the action that is drawn; none if the probabilities are no numbers.
fn draw(evaluation: &Evaluation, most: f32, temperature: f32, rng: &mut Rng) -> Option<usize> {
    let weights = evaluation.log_probabilities.iter().map(|value| math::exp((value - most) / temperature));
    let weights: Vec<f32> = weights.collect();
    let mut rest = rng.unit() * weights.iter().sum::<f32>();
    weights.iter().position(|weight| {
        rest -= weight;
        rest < 0.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Square;

    fn evaluation(probabilities: &[f32]) -> Evaluation {
        let action = |index| Action {
            from: Square::new(0, 3).unwrap(),
            to: Square::new(index, 0).unwrap(),
            rescue: None,
        };
        let actions = (0..probabilities.len() as u8).map(action).collect();
        let log_probabilities = probabilities.iter().map(|&chance| math::ln(chance)).collect();
        Evaluation { actions, log_probabilities, ..Evaluation::default() }
    }

    /// How often each of the actions is chosen in 4,000 draws.
    fn counts(probabilities: &[f32], temperature: f32) -> Vec<usize> {
        let (evaluation, mut rng) = (evaluation(probabilities), Rng::new(3));
        let mut counts = vec![0; probabilities.len()];
        for _ in 0..4000 {
            let chosen = choose(&evaluation, temperature, &mut rng).unwrap();
            counts[usize::from(chosen.to.file())] += 1;
        }
        counts
    }

    #[test]
    fn without_temperature_the_likeliest_is_chosen() {
        assert_eq!(counts(&[0.2, 0.3, 0.3, 0.2], 0.0), [0, 4000, 0, 0]);
        assert_eq!(choose(&evaluation(&[]), 0.0, &mut Rng::new(1)), None);
        assert_eq!(choose(&evaluation(&[]), 1.0, &mut Rng::new(1)), None);
    }

    #[test]
    fn temperature_draws_by_the_probabilities() {
        let plain = counts(&[0.5, 0.25, 0.25, 0.0], 1.0);
        assert!(plain[0].abs_diff(2000) < 100 && plain[1].abs_diff(1000) < 100 && plain[3] == 0, "{plain:?}");
        // 0.5 and 0.25 squared are as 4 to 1.
        let cold = counts(&[0.5, 0.25, 0.25, 0.0], 0.5);
        assert!(cold[0].abs_diff(2667) < 120 && cold[1].abs_diff(667) < 80, "{cold:?}");
        assert_eq!(counts(&[0.5, 0.25, 0.25], 1e-9), [4000, 0, 0]);
    }

    #[test]
    fn what_is_no_number_is_survived() {
        assert_eq!(counts(&[f32::NAN, 0.5], 0.0), [0, 4000]);
        assert_eq!(counts(&[f32::NAN, f32::NAN], 1.0), [0, 4000]);
    }
}
