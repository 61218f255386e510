//! What an enemy node is worth.
//!
//! The enemy takes what harms us most of all that is open to it. Some of it is open for sure, some only with the chance that
//! a piece has the rank for it. Where that fails, the best of the rest is taken: a piece that is not the spy that could take
//! our Marshal still runs away from it.

use super::tree::INFINITE;

/// From this chance on, an answer counts as open for sure.
const OPEN: f32 = 0.9;

/// The answers that harm us more than the worst that is open for sure, and that one.
pub(super) struct Mixture {
    /// The worst for us of what is open for sure.
    sure: i32,
    /// Value and chance of each answer below that, the worst for us first.
    doubtful: Vec<(i32, f32)>,
}

impl Mixture {
    /// Nothing but letting things be, worth so much.
    pub(super) const fn new(sure: i32) -> Mixture {
        Mixture { sure, doubtful: Vec::new() }
    }

    /// The worst for us of what is open for sure: an answer worth as much changes nothing.
    pub(super) const fn sure(&self) -> i32 {
        self.sure
    }

    /// Adds an answer that is open with this chance, more than 0.
    pub(super) fn add(&mut self, chance: f32, value: i32) {
        if value >= self.sure {
            return;
        }
        let place = self.doubtful.partition_point(|&(other, _)| other < value);
        if chance >= OPEN {
            self.sure = value;
            self.doubtful.truncate(place);
        } else {
            self.doubtful.insert(place, (value, chance));
        }
    }

    /// What the node is worth, as far as its answers are known; more answers make it less.
    pub(super) fn value(&self) -> i32 {
        if self.doubtful.is_empty() {
            return self.sure;
        }
        let (sum, rest) = self.settled();
        (sum + rest * self.sure as f32) as i32
    }

    /// What the doubtful answers add to the value, and the chance that none of them is open.
    fn settled(&self) -> (f32, f32) {
        self.doubtful.iter().fold((0.0, 1.0), |(sum, rest), &(value, chance)| {
            (sum + rest * chance * value as f32, rest * (1.0 - chance))
        })
    }

    /// A value so low that an answer of this chance worth no more makes the node worth no more than `alpha`.
    pub(super) fn enough(&self, chance: f32, alpha: i32) -> i32 {
        let (sum, rest) = self.settled();
        let enough = if chance >= OPEN {
            (alpha as f32 - sum) / rest
        } else {
            (alpha as f32 - (1.0 - chance) * (sum + rest * self.sure as f32)) / chance
        };
        // Only the worst answer counts with all of its chance.
        let worst = self.doubtful.first().map_or(INFINITE, |&(value, _)| value);
        let most = if chance >= OPEN { self.sure } else { self.sure.min(worst) };
        (enough.max(-INFINITE as f32) as i32).min(alpha).min(most - 1) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_cannot_take_still_runs() {
        // A spy, one in four, takes the Marshal; whatever it is, it can run; let be, it would fall.
        let mut mixture = Mixture::new(80_000);
        mixture.add(0.25, -400_000);
        assert_eq!(mixture.value(), -40_000);
        mixture.add(1.0, 0);
        assert_eq!(mixture.value(), -100_000);
    }

    #[test]
    fn the_order_of_answers_does_not_matter() {
        let answers = [(0.3, -50), (1.0, 10), (0.5, -20), (0.2, 30), (0.95, 5), (0.4, -70)];
        let value = |order: &[usize]| {
            let mut mixture = Mixture::new(100);
            for &index in order {
                mixture.add(answers[index].0, answers[index].1);
            }
            mixture.value()
        };
        // 0.4 * -70 + 0.6 * (0.3 * -50 + 0.7 * (0.5 * -20 + 0.5 * 5))
        let expected = value(&[0, 1, 2, 3, 4, 5]);
        assert!((-41..=-40).contains(&expected), "{expected}");
        assert_eq!(value(&[5, 4, 3, 2, 1, 0]), expected);
        assert_eq!(value(&[2, 0, 4, 1, 5, 3]), expected);
    }

    #[test]
    fn an_answer_that_is_low_enough_settles_the_node() {
        for chance in [0.05, 0.3, 0.7, 1.0] {
            for alpha in [-900_000, -30_000, 0, 50_000, 99_000] {
                for doubtful in [&[][..], &[(0.2, -60_000)], &[(0.6, 20_000), (0.1, -800_000)]] {
                    let mut mixture = Mixture::new(100_000);
                    for &(chance, value) in doubtful {
                        mixture.add(chance, value);
                    }
                    let enough = mixture.enough(chance, alpha);
                    assert!(enough < alpha && enough < mixture.sure());
                    mixture.add(chance, enough);
                    assert!(mixture.value() <= alpha, "{chance} {alpha} {doubtful:?}");
                }
            }
        }
    }
}
