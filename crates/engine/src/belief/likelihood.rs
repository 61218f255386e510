//! The likelihoods that a belief is made of, by name.

use crate::named_enum::named_enum;
use crate::rules::Army;
use std::fmt;

named_enum! {
    /// Something that favours some ranks of a piece over others. Facts and the army's counts are no likelihoods: they
    /// hold.
    #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
    pub enum Likelihood (exactly) {
        /// Where the piece stood when the game began.
        Place = "place",
        /// When it first moved, or that it has not.
        FirstMove = "firstmove",
        /// What its public history tells, by a learned model.
        History = "history",
        /// That it came back by a rescue.
        Rescue = "rescued",
        /// What is known of the pieces that began elsewhere, those beside it above all.
        Neighbours = "neighbours",
        /// Whom it has just come beside.
        Contact = "contact",
        /// What it has been seen to do.
        OpponentTypes = "types",
        /// What its moves were good for.
        MoveEvidence = "moves",
    }
}

impl Likelihood {
    /// Whether it says anything of the pieces of this army.
    pub(super) fn applies(self, army: &Army) -> bool {
        match self {
            Likelihood::Place | Likelihood::Rescue | Likelihood::MoveEvidence => true,
            Likelihood::FirstMove => *army == Army::BARRAGE,
            Likelihood::History
            | Likelihood::Neighbours
            | Likelihood::Contact
            | Likelihood::OpponentTypes => *army == Army::CLASSIC,
        }
    }

    /// The likelihood's place in [`Likelihood::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Likelihood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
