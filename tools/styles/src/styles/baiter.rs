//! The baiter: leaves a low or known piece in reach of a stronger known one, where a hidden stronger piece or a bomb
//! stands beside it, and takes back.

use crate::knowledge::{Ours, Theirs};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights, worth};
use outflank::rng::Rng;
use outflank::rules::{Outcome, Rank, battle};

/// Baits and takes back.
#[derive(Debug)]
pub struct Baiter;

/// The most that a bait is worth.
const MOST: f32 = 80.0;
/// The least that is worth baiting.
const PRIZE: f32 = 80.0;
/// The share of a prize that a bait beside it is worth, two steps away from it, and what a bomb for a guard makes of
/// that.
const BAITED: f32 = 0.16;
const IN_SIGHT: f32 = 0.06;
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
        let after = &candidate.after;
        let pieces =
            tactics.knowledge.ours.iter().map(|piece| if piece.id == after.id { after } else { piece });
        pieces.map(|bait| baited(tactics, bait, after)).fold(0.0, f32::max)
    }
}

/// What one piece is worth as a bait, once `after` stands where it goes.
fn baited(tactics: &Tactics<'_>, bait: &Ours, after: &Ours) -> f32 {
    if !bait.rank.is_mobile() || worth(bait.rank) > MOST {
        return 0.0;
    }
    let prizes = tactics.knowledge.theirs.iter().filter_map(|theirs| Some((theirs, theirs.known_mobile()?)));
    let prizes =
        prizes.filter(|(_, rank)| worth(*rank) >= PRIZE && battle(*rank, bait.rank, false) == Outcome::Win);
    let values =
        prizes.map(|(prize, rank)| sight(prize, bait) * worth(rank) * guarded(tactics, bait, rank, after));
    values.fold(0.0, f32::max)
}

fn sight(prize: &Theirs, bait: &Ours) -> f32 {
    match prize.steps[bait.square] {
        1 => BAITED,
        2 => IN_SIGHT,
        _ => 0.0,
    }
}

/// Whether a hidden piece beside the bait beats the prize: 1, less for a bomb that it may run into, 0 if none does.
fn guarded(tactics: &Tactics<'_>, bait: &Ours, prize: Rank, after: &Ours) -> f32 {
    let beside = bait.square.neighbours().filter_map(|square| {
        if square == after.square { Some(after) } else { tactics.standing(square, after) }
    });
    let guards = beside.filter(|guard| guard.id != bait.id && !guard.exposed).map(|guard| {
        if guard.rank == Rank::Bomb {
            BOMB
        } else if guard.rank.is_mobile() && battle(guard.rank, prize, false) == Outcome::Win {
            1.0
        } else {
            0.0
        }
    });
    guards.fold(0.0, f32::max)
}
