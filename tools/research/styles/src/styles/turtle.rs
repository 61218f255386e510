//! The turtle: stays in its own half behind a fortress, unless it takes something certain, and lets the enemy come.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights};
use outflank::rng::Rng;
use outflank::rules::{Outcome, Rank, StrikeRules, battle};

/// Waits at home.
#[derive(Debug)]
pub struct Turtle;

/// The last row of its own half, from 0.
pub const LAST_ROW: u8 = 4;
/// Plies without a strike after which it sallies out.
pub const PATIENCE: u32 = 60;

impl Style for Turtle {
    const NAME: &'static str = "turtle";

    /// It is in no hurry.
    const WEIGHTS: Weights = Weights { repeat: 3.0, ..Weights::ORDINARY };

    /// The flag in a corner or near it, bombs before it in two rings, the strong in the middle rows.
    fn taste(rng: &mut Rng) -> Taste {
        let strong = [Rank::Marshal, Rank::General, Rank::Colonel, Rank::Major];
        let taste = Taste::ordinary(rng).with(&strong, [1, 5, 4, 0]).with(&[Rank::Bomb], [4, 5, 1, 0]);
        Taste { flag_rows: [1, 0, 0, 0], flag_files: [5, 3, 1, 0, 0, 0, 0, 1, 3, 5], guards: 3, ..taste }
    }

    fn allows(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> bool {
        let [from, to] =
            [candidate.mover.square, candidate.after.square].map(|square| tactics.knowledge.row(square));
        let takes = candidate.target.is_some() && candidate.strike.is_certain();
        to <= LAST_ROW || to < from || takes || candidate.target.is_none() && sallies(tactics, candidate)
    }

    /// Only what comes into its half is worth going for, and after a while what is certain.
    fn appetite(knowledge: &Knowledge<'_>, ours: &Ours, theirs: &Theirs) -> f32 {
        let comes = knowledge.row(theirs.square) <= LAST_ROW + 1;
        if comes || knowledge.quiet() >= PATIENCE && beats(ours, theirs) { 1.0 } else { 0.0 }
    }

    /// Whoever has gone out comes home, and nobody goes farther forward than he must.
    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        if sallies(tactics, candidate) {
            return 0.0;
        }
        let [from, to] = [candidate.mover.square, candidate.after.square]
            .map(|square| f32::from(tactics.knowledge.row(square).saturating_sub(LAST_ROW - 1)));
        4.0 * (from - to)
    }
}

/// Whether a piece comes nearer to one that it surely beats, after a long peace.
fn sallies(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> bool {
    let (mover, after) = (&candidate.mover, &candidate.after);
    let nearer = |theirs: &Theirs| theirs.steps[after.square] < theirs.steps[mover.square];
    tactics.knowledge.quiet() >= PATIENCE
        && tactics.knowledge.theirs.iter().any(|theirs| nearer(theirs) && beats(mover, theirs))
}

fn beats(ours: &Ours, theirs: &Theirs) -> bool {
    theirs
        .odds
        .iter()
        .all(|(rank, chance)| *chance < 1e-3 || battle(ours.rank, rank, StrikeRules::USUAL) == Outcome::Win)
}
