//! The bluffing chaser: hunts known pieces with whatever hidden piece is near, whatever its rank, and breaks off when
//! the hunted one does not run.

use crate::knowledge::{FAR, Knowledge};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights, piece_value};
use outflank::math::powi;
use outflank::rng::Rng;
use outflank::rules::{Rank, Square};

/// Chases and bluffs.
#[derive(Debug)]
pub struct Chaser;

/// Points for standing beside a known piece, and the share of its worth.
const PREY: (f32, f32) = (12.0, 0.1);
/// What a step nearer is worth.
const STEP: f32 = 0.75;

impl Style for Chaser {
    const NAME: &'static str = "chaser";

    /// It trusts that nobody strikes a piece that comes running at it, and knows better after a turn.
    const WEIGHTS: Weights = Weights { fresh: 0.04, firm: 0.9, ..Weights::ORDINARY };

    /// Low pieces, which bluff, stand in front.
    fn taste(rng: &mut Rng) -> Taste {
        let low = [Rank::Scout, Rank::Sergeant, Rank::Lieutenant];
        Taste::ordinary(rng).with(&low, [1, 2, 3, 5])
    }

    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        if candidate.after.exposed || candidate.target.is_some() {
            return 0.0;
        }
        let knowledge = tactics.knowledge;
        2.0 * (pull(knowledge, candidate.after.square) - pull(knowledge, candidate.mover.square))
    }
}

/// How much a square is worth to a chaser.
fn pull(knowledge: &Knowledge<'_>, square: Square) -> f32 {
    let prey = knowledge.theirs.iter().filter_map(|theirs| Some((theirs, theirs.known_mobile()?)));
    let pulls = prey.filter(|(theirs, _)| theirs.steps[square] < FAR).map(|(theirs, rank)| {
        (PREY.0 + PREY.1 * piece_value(rank)) * powi(STEP, i32::from(theirs.steps[square]) - 1)
    });
    pulls.fold(0.0, f32::max)
}
