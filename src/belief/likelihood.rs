//! The likelihoods that a belief is made of, by name.

use crate::rules::Army;
use std::fmt;

/// Something that favours some ranks of a piece over others. Facts and the army's counts are no likelihoods: they
/// hold.
#[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd, Hash)]
pub enum Likelihood {
    /// Where the piece stood when the game began.
    Place,
    /// When it first moved, or that it has not.
    FirstMove,
    /// What its public history tells, by a learned model.
    History,
    /// That it came back by a rescue.
    Rescue,
    /// What is known of the pieces that began elsewhere, those beside it above all.
    Neighbours,
    /// Whom it has just come beside.
    Contact,
    /// What it has been seen to do.
    OpponentTypes,
    /// What its moves were good for.
    MoveEvidence,
}

impl Likelihood {
    /// Every likelihood, in the order in which they weigh in: later ones may look at what earlier ones made of the
    /// weights.
    pub const ALL: [Likelihood; 8] = [
        Likelihood::Place,
        Likelihood::FirstMove,
        Likelihood::History,
        Likelihood::Rescue,
        Likelihood::Neighbours,
        Likelihood::Contact,
        Likelihood::OpponentTypes,
        Likelihood::MoveEvidence,
    ];

    /// The word on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Likelihood::Place => "place",
            Likelihood::FirstMove => "firstmove",
            Likelihood::History => "history",
            Likelihood::Rescue => "rescue",
            Likelihood::Neighbours => "neighbours",
            Likelihood::Contact => "contact",
            Likelihood::OpponentTypes => "types",
            Likelihood::MoveEvidence => "moves",
        }
    }

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

    /// Its place in [`Likelihood::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The likelihood of that name.
    pub fn from_name(name: &str) -> Option<Likelihood> {
        Likelihood::ALL.into_iter().find(|likelihood| likelihood.name() == name)
    }
}

impl fmt::Display for Likelihood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
