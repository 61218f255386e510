//! The turtle: stays in its own half behind a fortress, unless it takes something certain, and lets the enemy come.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights};
use outflank::rng::Rng;
use outflank::rules::Rank;

/// Waits at home.
#[derive(Debug)]
pub struct Turtle;

/// The last row of its own half, from 0.
pub const LAST_ROW: u8 = 4;

impl Style for Turtle {
    const NAME: &'static str = "turtle";

    /// It is in no hurry.
    const WEIGHTS: Weights = Weights { repeat: 2.0, restless: false, ..Weights::ORDINARY };

    /// The flag in a corner or near it, bombs before it in two rings, the strong in the middle rows.
    fn taste(rng: &mut Rng) -> Taste {
        let strong = [Rank::Marshal, Rank::General, Rank::Colonel, Rank::Major];
        let taste = Taste::ordinary(rng).with(&strong, [1, 5, 4, 0]).with(&[Rank::Bomb], [4, 5, 1, 0]);
        Taste { flag_rows: [1, 0, 0, 0], flag_files: [5, 3, 1, 0, 0, 0, 0, 1, 3, 5], guards: 3, ..taste }
    }

    fn allows(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> bool {
        let [from, to] =
            [candidate.mover.square, candidate.after.square].map(|square| tactics.knowledge.row(square));
        to <= LAST_ROW || to < from || candidate.target.is_some() && candidate.strike.is_certain()
    }

    /// Only what comes into its half is worth going for.
    fn appetite(knowledge: &Knowledge<'_>, _: &Ours, theirs: &Theirs) -> f32 {
        if knowledge.row(theirs.square) <= LAST_ROW + 1 { 1.0 } else { 0.0 }
    }

    /// Whoever has gone out comes home, and nobody goes farther forward than he must.
    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        let [from, to] = [candidate.mover.square, candidate.after.square]
            .map(|square| f32::from(tactics.knowledge.row(square).saturating_sub(LAST_ROW - 1)));
        4.0 * (from - to)
    }
}
