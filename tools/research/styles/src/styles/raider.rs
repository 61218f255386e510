//! The lone raider: its strongest piece goes alone through the enemy's camp, and the others wait.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::{Taste, Wing};
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights};
use outflank::rng::Rng;
use outflank::rules::{Rank, RankSet};

/// Raids alone.
#[derive(Debug)]
pub struct Raider;

/// Points for a move of the raider, and for each row that it goes forward on the way into the camp.
const LEAD: f32 = 14.0;
const FORWARD: f32 = 3.0;

impl Style for Raider {
    const NAME: &'static str = "raider";

    /// A raider is not hidden for long.
    const WEIGHTS: Weights = Weights { secrecy: 0.02, ..Weights::ORDINARY };

    /// The strong stand in front, on one wing, where nothing holds them up.
    fn taste(rng: &mut Rng) -> Taste {
        let strong = [Rank::Marshal, Rank::General];
        let ranks: RankSet = strong.into_iter().collect();
        let wing = Some((ranks, Wing::any(rng)));
        Taste { wing, ..Taste::ordinary(rng).with(&strong, [0, 0, 1, 6]) }
    }

    /// The raider goes for what it finds there, the others for what comes to them.
    fn appetite(knowledge: &Knowledge<'_>, ours: &Ours, theirs: &Theirs) -> f32 {
        if is_raider(knowledge, ours) {
            2.0
        } else if knowledge.row(theirs.square) < 5 {
            1.0
        } else {
            0.3
        }
    }

    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        let knowledge = tactics.knowledge;
        if !is_raider(knowledge, &candidate.mover) {
            return 0.0;
        }
        let [from, to] =
            [candidate.mover.square, candidate.after.square].map(|square| knowledge.row(square).min(7));
        LEAD + FORWARD * (f32::from(to) - f32::from(from))
    }
}

/// Whether it is the strongest of ours.
pub fn is_raider(knowledge: &Knowledge<'_>, ours: &Ours) -> bool {
    knowledge.strongest(1).first().is_some_and(|first| first.id == ours.id)
}
