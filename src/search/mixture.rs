//! What an enemy node is worth.
//!
//! The enemy takes what harms us most of all that is open to it. Some of it is open for sure, some only with the chance that
//! a piece has the rank for it. Where that fails, the best of the rest is taken: a piece that is not the spy that could take
//! our Marshal still runs away from it.

use super::tree::INFINITE;

/// From this chance on, an answer counts as open for sure.
pub(super) const OPEN: f32 = 0.9;

/// How an answer is open to the enemy.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Open {
    /// The chance that it is.
    pub(super) chance: f32,
    /// Whether that hangs on one thing with all others of which the same is said, so that where one is open they all are.
    pub(super) shared: bool,
}

/// An answer that may not be open.
#[derive(Copy, Clone, Debug)]
struct Doubtful {
    value: i32,
    open: Open,
}

/// The answers that harm us more than the worst that is open for sure, and that one.
pub(super) struct Mixture {
    /// The worst for us of what is open for sure.
    sure: i32,
    /// The answers below that, the worst for us first; of those that share their chance only the worst.
    doubtful: Vec<Doubtful>,
}

impl Mixture {
    /// Nothing but letting things be, worth so much.
    pub(super) const fn new(sure: i32) -> Mixture {
        Mixture { sure, doubtful: Vec::new() }
    }

    /// The worst for us of what is open for sure.
    pub(super) const fn sure(&self) -> i32 {
        self.sure
    }

    /// An answer that is open in this way and worth so much, or more, changes nothing.
    pub(super) fn ceiling(&self, open: Open) -> i32 {
        let shared = self.doubtful.iter().find(|other| open.shared && other.open.shared);
        shared.map_or(self.sure, |other| other.value)
    }

    /// Adds an answer that is open with a chance of more than 0.
    pub(super) fn add(&mut self, open: Open, value: i32) {
        if value >= self.ceiling(open) {
            return;
        }
        self.doubtful.retain(|other| !(open.shared && other.open.shared));
        let place = self.doubtful.partition_point(|other| other.value < value);
        if open.chance >= OPEN {
            self.sure = value;
            self.doubtful.truncate(place);
        } else {
            self.doubtful.insert(place, Doubtful { value, open });
        }
    }

    /// What the node is worth, as far as its answers are known; more answers make it less.
    pub(super) fn value(&self) -> i32 {
        if self.doubtful.is_empty() {
            return self.sure;
        }
        let (sum, rest) = self.settled(|_| true);
        (sum + rest * self.sure as f32) as i32
    }

    /// What those of the doubtful answers add to the value, and the chance that none of them is open.
    fn settled(&self, of: impl Fn(&Doubtful) -> bool) -> (f32, f32) {
        self.doubtful.iter().filter(|other| of(other)).fold((0.0, 1.0), |(sum, rest), other| {
            (sum + rest * other.open.chance * other.value as f32, rest * (1.0 - other.open.chance))
        })
    }

    /// A value so low that an answer that is open in this way and worth no more makes the node worth no more than `alpha`.
    pub(super) fn enough(&self, open: Open, alpha: i32) -> i32 {
        let Open { chance, shared } = open;
        // It takes the place of those that it shares its chance with.
        let stays = |other: &Doubtful| !(shared && other.open.shared);
        let (sum, rest) = self.settled(stays);
        let enough = if chance >= OPEN {
            (alpha as f32 - sum) / rest
        } else {
            (alpha as f32 - (1.0 - chance) * (sum + rest * self.sure as f32)) / chance
        };
        // Only the worst answer counts with all of its chance.
        let worst = self.doubtful.iter().find(|other| stays(other)).map_or(INFINITE, |other| other.value);
        let ceiling = self.ceiling(open);
        let most = if chance >= OPEN { ceiling } else { ceiling.min(worst) };
        (enough.max(-INFINITE as f32) as i32).min(alpha).min(most - 1) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn alone(chance: f32) -> Open {
        Open { chance, shared: false }
    }

    const fn shared(chance: f32) -> Open {
        Open { chance, shared: true }
    }

    #[test]
    fn who_cannot_take_still_runs() {
        // A spy, one in four, takes the Marshal; whatever it is, it can run; let be, it would fall.
        let mut mixture = Mixture::new(80_000);
        mixture.add(alone(0.25), -400_000);
        assert_eq!(mixture.value(), -40_000);
        mixture.add(alone(1.0), 0);
        assert_eq!(mixture.value(), -100_000);
    }

    #[test]
    fn the_order_of_answers_does_not_matter() {
        let answers = [(0.3, -50), (1.0, 10), (0.5, -20), (0.2, 30), (0.95, 5), (0.4, -70)];
        let value = |order: &[usize]| {
            let mut mixture = Mixture::new(100);
            for &index in order {
                mixture.add(alone(answers[index].0), answers[index].1);
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
    fn of_answers_that_share_their_chance_the_worst_counts() {
        let mut mixture = Mixture::new(100_000);
        mixture.add(shared(0.7), 50_000);
        assert_eq!((mixture.value(), mixture.ceiling(shared(0.7))), (65_000, 50_000));
        mixture.add(shared(0.7), 60_000);
        assert_eq!((mixture.value(), mixture.ceiling(alone(0.7))), (65_000, 100_000));
        mixture.add(shared(0.7), 0);
        assert_eq!(mixture.value(), 30_000);
        // A spy, one in four, and where it is none, a move that the enemy sees.
        mixture.add(alone(0.25), -400_000);
        assert_eq!(mixture.value(), -77_500);
        // One that is open for sure hides them all.
        mixture.add(alone(1.0), -500_000);
        assert_eq!((mixture.value(), mixture.ceiling(shared(0.7))), (-500_000, -500_000));
    }

    #[test]
    fn an_answer_that_is_low_enough_settles_the_node() {
        for open in [alone(0.05), alone(0.3), alone(0.7), alone(1.0), shared(0.7), shared(1.0)] {
            for alpha in [-900_000, -30_000, 0, 50_000, 99_000] {
                for doubtful in [
                    &[][..],
                    &[(alone(0.2), -60_000)],
                    &[(alone(0.6), 20_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), 40_000), (alone(0.1), -800_000)],
                    &[(shared(0.7), -70_000), (alone(0.4), 10_000)],
                ] {
                    let mut mixture = Mixture::new(100_000);
                    for &(open, value) in doubtful {
                        mixture.add(open, value);
                    }
                    let enough = mixture.enough(open, alpha);
                    assert!(enough < alpha && enough < mixture.ceiling(open));
                    mixture.add(open, enough);
                    assert!(mixture.value() <= alpha, "{open:?} {alpha} {doubtful:?}");
                }
            }
        }
    }
}
