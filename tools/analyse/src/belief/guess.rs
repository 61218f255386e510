//! What is scored.

use outflank::belief::{Belief, Known, Likelihood};

/// What is scored: the belief, and what it has to beat.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Guess {
    /// All that the engine weighs, but for what it is to be measured without.
    Belief,
    /// Facts and the army's counts.
    Counts,
    /// These and the places where pieces began, each by itself.
    Squares,
}

impl Guess {
    /// Every guess, in the order of the report.
    pub const ALL: [Guess; 3] = [Guess::Belief, Guess::Counts, Guess::Squares];

    /// Its name in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Guess::Belief => "belief",
            Guess::Counts => "counts",
            Guess::Squares => "squares",
        }
    }

    /// What it says of the enemy's pieces; the belief weighs these likelihoods.
    pub fn about_enemies(self, known: Known<'_>, likelihoods: &[Likelihood]) -> Belief {
        match self {
            Guess::Belief => Belief::of_enemies_weighing(known, likelihoods),
            Guess::Counts => Belief::of_enemies_weighing(known, &[]),
            Guess::Squares => Belief::of_enemies_weighing(known, &[Likelihood::Place]),
        }
    }
}
