//! What is scored.

use outflank::belief::{Belief, Known, Likelihood};
use outflank::named_enum::named_enum;

named_enum! {
    /// What is scored: the belief, and what it has to beat.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Guess {
        /// All that the engine weighs, but for what it is to be measured without.
        Belief = "belief",
        /// Facts and the army's counts.
        Counts = "counts",
        /// These and the places where pieces began, each by itself.
        Squares = "squares",
    }
}

impl Guess {
    /// What it says of the enemy's pieces; the belief weighs these likelihoods.
    pub fn about_enemies(self, known: Known<'_>, likelihoods: &[Likelihood]) -> Belief {
        match self {
            Guess::Belief => Belief::of_enemies_weighing(known, likelihoods),
            Guess::Counts => Belief::of_enemies_weighing(known, &[]),
            Guess::Squares => Belief::of_enemies_weighing(known, &[Likelihood::Place]),
        }
    }
}
