//! The value of an enemy node: its answers, weighted by their availability.
//!
//! The enemy takes the available answer that is worst for us. Some answers are certainly available, some only with
//! the chance that a piece has the rank for it. Where that fails, the enemy takes the next worst: a piece that is not
//! the spy that could take our Marshal still runs away from it.

use super::params;
use super::value::Value;

/// How likely the enemy has an answer at its disposal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Availability {
    /// The chance that it is available.
    pub(super) chance: f32,
    /// Whether that depends on one event, the same for all answers with this mark: where one is available, they all
    /// are.
    pub(super) shared: bool,
}

/// An answer that is not certainly available.
#[derive(Copy, Clone, Debug)]
struct Uncertain {
    value: Value,
    availability: Availability,
}

/// What several uncertain answers come to.
#[derive(Copy, Clone)]
struct Expected {
    /// What they add to the value of the node.
    sum: f32,
    /// The chance that none of them is available.
    rest: f32,
}

/// The worst certain answer, and the uncertain ones that are worse for us.
pub(super) struct EnemyValue {
    /// The value of the worst for us of the certainly available answers.
    certain: Value,
    /// The answers below that, the worst for us first; of those that share their chance only the worst.
    uncertain: Vec<Uncertain>,
}

impl EnemyValue {
    /// A node with nothing but a null move of this value.
    pub(super) const fn new(certain: Value) -> EnemyValue {
        EnemyValue { certain, uncertain: Vec::new() }
    }

    /// The value of the worst for us of the certainly available answers.
    pub(super) const fn certain(&self) -> Value {
        self.certain
    }

    /// An answer of this availability and of this value, or more, changes nothing.
    pub(super) fn ceiling(&self, availability: Availability) -> Value {
        let shared = self.uncertain.iter().find(|other| availability.shared && other.availability.shared);
        shared.map_or(self.certain, |other| other.value)
    }

    /// Adds an answer; its chance must be more than 0.
    pub(super) fn add(&mut self, availability: Availability, value: Value) {
        if value >= self.ceiling(availability) {
            return;
        }
        self.uncertain.retain(|other| !(availability.shared && other.availability.shared));
        let place = self.uncertain.partition_point(|other| other.value < value);
        if availability.chance >= params::certain() {
            self.certain = value;
            self.uncertain.truncate(place);
        } else {
            self.uncertain.insert(place, Uncertain { value, availability });
        }
    }

    /// The value of the node with the answers added so far; more answers make it less.
    pub(super) fn value(&self) -> Value {
        if self.uncertain.is_empty() {
            return self.certain;
        }
        let Expected { sum, rest } = self.expected(|_| true);
        Value::from_sum(sum + rest * self.certain.as_f32())
    }

    /// What is expected of those of the uncertain answers, the worst first.
    fn expected(&self, of: impl Fn(&Uncertain) -> bool) -> Expected {
        let none = Expected { sum: 0.0, rest: 1.0 };
        self.uncertain.iter().filter(|other| of(other)).fold(none, |Expected { sum, rest }, other| Expected {
            sum: sum + rest * other.availability.chance * other.value.as_f32(),
            rest: rest * (1.0 - other.availability.chance),
        })
    }

    /// A value so low that an answer of this availability that is worth no more makes the node worth no more than
    /// `alpha`.
    pub(super) fn low_enough(&self, availability: Availability, alpha: Value) -> Value {
        let Availability { chance, shared } = availability;
        // It takes the place of those that it shares its chance with.
        let stays = |other: &Uncertain| !(shared && other.availability.shared);
        let Expected { sum, rest } = self.expected(stays);
        let enough = if chance >= params::certain() {
            (alpha.as_f32() - sum) / rest
        } else {
            (alpha.as_f32() - (1.0 - chance) * (sum + rest * self.certain.as_f32())) / chance
        };
        // Only the worst answer counts with all of its chance.
        let worst =
            self.uncertain.iter().find(|other| stays(other)).map_or(Value::INFINITE, |other| other.value);
        let ceiling = self.ceiling(availability);
        let most = if chance >= params::certain() { ceiling } else { ceiling.min(worst) };
        Value::from_sum(enough.max(-Value::INFINITE.as_f32())).min(alpha).min(most.below()).below()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn alone(chance: f32) -> Availability {
        Availability { chance, shared: false }
    }

    const fn shared(chance: f32) -> Availability {
        Availability { chance, shared: true }
    }

    #[test]
    fn who_cannot_take_still_runs() {
        // A spy, one in four, takes the Marshal; whatever it is, it can run; after a null move it would fall.
        let mut answers = EnemyValue::new(Value::new(80_000));
        answers.add(alone(0.25), Value::new(-400_000));
        assert_eq!(answers.value().units(), -40_000);
        answers.add(alone(1.0), Value::new(0));
        assert_eq!(answers.value().units(), -100_000);
    }

    #[test]
    fn the_order_of_answers_does_not_matter() {
        let list = [(0.3, -50), (1.0, 10), (0.5, -20), (0.2, 30), (0.95, 5), (0.4, -70)];
        let value = |order: &[usize]| {
            let mut answers = EnemyValue::new(Value::new(100));
            for &index in order {
                answers.add(alone(list[index].0), Value::new(list[index].1));
            }
            answers.value().units()
        };
        // 0.4 * -70 + 0.6 * (0.3 * -50 + 0.7 * (0.5 * -20 + 0.5 * 5))
        let expected = value(&[0, 1, 2, 3, 4, 5]);
        assert!((-41..=-40).contains(&expected), "{expected}");
        assert_eq!(value(&[5, 4, 3, 2, 1, 0]), expected);
        assert_eq!(value(&[2, 0, 4, 1, 5, 3]), expected);
    }

    #[test]
    fn of_answers_that_share_their_chance_the_worst_counts() {
        let mut answers = EnemyValue::new(Value::new(100_000));
        answers.add(shared(0.7), Value::new(50_000));
        assert_eq!((answers.value().units(), answers.ceiling(shared(0.7)).units()), (65_000, 50_000));
        answers.add(shared(0.7), Value::new(60_000));
        assert_eq!((answers.value().units(), answers.ceiling(alone(0.7)).units()), (65_000, 100_000));
        answers.add(shared(0.7), Value::new(0));
        assert_eq!(answers.value().units(), 30_000);
        // A spy, one in four, and where it is none, a move that the enemy finds.
        answers.add(alone(0.25), Value::new(-400_000));
        assert_eq!(answers.value().units(), -77_500);
        // One that is certainly available hides them all.
        answers.add(alone(1.0), Value::new(-500_000));
        assert_eq!((answers.value().units(), answers.ceiling(shared(0.7)).units()), (-500_000, -500_000));
    }

    #[test]
    fn an_answer_that_is_low_enough_settles_the_node() {
        for availability in [alone(0.05), alone(0.3), alone(0.7), alone(1.0), shared(0.7), shared(1.0)] {
            for alpha in [-900_000, -30_000, 0, 50_000, 99_000] {
                for uncertain in [
                    &[][..],
                    &[(alone(0.2), -60_000)],
                    &[(alone(0.6), 20_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), 40_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), -70_000), (alone(0.4), 10_000)],
                ] {
                    let mut answers = EnemyValue::new(Value::new(100_000));
                    for &(availability, value) in uncertain {
                        answers.add(availability, Value::new(value));
                    }
                    let enough = answers.low_enough(availability, Value::new(alpha)).units();
                    assert!(enough < alpha && enough < answers.ceiling(availability).units());
                    answers.add(availability, Value::new(enough));
                    assert!(answers.value().units() <= alpha, "{availability:?} {alpha} {uncertain:?}");
                }
            }
        }
    }
}
