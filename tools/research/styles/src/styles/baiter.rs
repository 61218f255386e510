//! The baiter: leaves a low or known piece in reach of a stronger known one, where a hidden stronger piece or a bomb
//! stands beside it, and takes back.

use crate::knowledge::{FAR, Ours, Theirs};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights, piece_value};
use outflank::math::powi;
use outflank::rng::Rng;
use outflank::rules::{Outcome, Rank, StrikeRules, battle};

/// Baits and takes back.
#[derive(Debug)]
pub struct Baiter;

/// The most that a bait is worth.
const MOST: f32 = 80.0;
/// The least that is worth baiting.
const PRIZE: f32 = 80.0;
/// The share of a prize that a guarded bait beside it is worth, and what each step away leaves of that.
const BAITED: f32 = 0.2;
const STEP: f32 = 0.75;
/// So much of it a bomb for a guard leaves.
const BOMB: f32 = 0.3;

impl Style for Baiter {
    const NAME: &'static str = "baiter";

    /// It keeps its strong pieces hidden for the taking back.
    const WEIGHTS: Weights = Weights { secrecy: 0.2, ..Weights::ORDINARY };

    /// Low pieces in front, strong ones and bombs right behind them.
    fn taste(rng: &mut Rng) -> Taste {
        let low = [Rank::Scout, Rank::Sergeant, Rank::Lieutenant, Rank::Captain];
        let strong = [Rank::Major, Rank::Colonel, Rank::General, Rank::Marshal];
        Taste::ordinary(rng)
            .with(&low, [1, 2, 2, 6])
            .with(&strong, [0, 2, 6, 1])
            .with(&[Rank::Bomb], [3, 3, 4, 0])
    }

    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        if candidate.target.is_some() {
            return 0.0;
        }
        best(tactics, &candidate.after) - best(tactics, &candidate.mover)
    }
}

/// What the best bait is worth, once `after` stands where it goes.
fn best(tactics: &Tactics<'_>, after: &Ours) -> f32 {
    let pieces = tactics.knowledge.ours.iter().map(|piece| if piece.id == after.id { after } else { piece });
    pieces.map(|bait| baited(tactics, bait, after)).fold(0.0, f32::max)
}

/// What one piece is worth as a bait, once `after` stands where it goes.
fn baited(tactics: &Tactics<'_>, bait: &Ours, after: &Ours) -> f32 {
    if !bait.rank.is_mobile() || piece_value(bait.rank) > MOST {
        return 0.0;
    }
    let prizes = tactics.knowledge.theirs.iter().filter_map(|theirs| Some((theirs, theirs.known_mobile()?)));
    let prizes = prizes.filter(|(_, rank)| {
        piece_value(*rank) >= PRIZE && battle(*rank, bait.rank, StrikeRules::USUAL) == Outcome::Win
    });
    let values = prizes
        .map(|(prize, rank)| sight(prize, bait) * piece_value(rank) * guarded(tactics, bait, rank, after));
    values.fold(0.0, f32::max)
}

fn sight(prize: &Theirs, bait: &Ours) -> f32 {
    match prize.steps[bait.square] {
        FAR.. => 0.0,
        steps => BAITED * powi(STEP, i32::from(steps) - 1),
    }
}

/// How near a hidden piece that beats the prize is to the bait: 1 beside it, less farther off, and less for a bomb that
/// the prize may run into.
fn guarded(tactics: &Tactics<'_>, bait: &Ours, prize: Rank, after: &Ours) -> f32 {
    let pieces = tactics.knowledge.ours.iter().map(|piece| if piece.id == after.id { after } else { piece });
    let guards = pieces.filter(|guard| guard.id != bait.id && !guard.exposed).map(|guard| {
        let beats = guard.rank.is_mobile() && battle(guard.rank, prize, StrikeRules::USUAL) == Outcome::Win;
        match guard.square.distance(bait.square) {
            distance if beats => powi(STEP, i32::from(distance) - 1),
            1 if guard.rank == Rank::Bomb => BOMB,
            _ => 0.0,
        }
    });
    guards.fold(0.0, f32::max)
}
