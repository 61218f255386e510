//! The flag rusher: miners with a strong escort go along one wing to where the flag likely is.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::{Taste, Wing};
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights};
use outflank::rng::Rng;
use outflank::rules::{Rank, RankSet, Square};

/// Rushes for the flag.
#[derive(Debug)]
pub struct Rusher;

/// Pieces of the escort.
const ESCORT: usize = 3;
/// Points for each row that the escort, and a miner behind it, goes forward; and that a miner alone does.
const LEADS: f32 = 3.0;
const FOLLOWS: f32 = 3.5;
const ALONE: f32 = -3.0;
/// Points for each file nearer to the wing.
const ASIDE: f32 = 1.5;
/// The row where the camp begins, from 0: there the way is found by what is worth striking.
const CAMP: u8 = 6;
/// So little of the enemy's flag, by the odds, on a wing makes the rush change sides.
const GONE: f32 = 0.12;

impl Style for Rusher {
    const NAME: &'static str = "rusher";

    const WEIGHTS: Weights = Weights { secrecy: 0.05, ..Weights::ORDINARY };

    /// The escort and the miners stand on one wing, the escort in front.
    fn taste(rng: &mut Rng) -> Taste {
        let strong = [Rank::Marshal, Rank::General, Rank::Colonel];
        let ranks: RankSet = strong.into_iter().chain([Rank::Miner]).collect();
        let wing = Wing::any(rng);
        let taste = Taste::ordinary(rng).with(&strong, [0, 0, 3, 5]).with(&[Rank::Miner], [1, 4, 4, 1]);
        // The flag stands on the other side.
        let mut files = [5, 5, 4, 2, 0, 0, 0, 0, 0, 0];
        if wing == Wing::Left {
            files.reverse();
        }
        Taste { wing: Some((ranks, wing)), flag_files: files, ..taste }
    }

    /// Who rushes goes for what stands on the wing; the others for what comes to them.
    fn appetite(knowledge: &Knowledge<'_>, ours: &Ours, theirs: &Theirs) -> f32 {
        let rushes = rushes(knowledge, ours);
        match (rushes, aside(knowledge, theirs.square) == 0) {
            (true, true) => 2.0,
            (true, false) => 0.6,
            (false, _) => 0.5,
        }
    }

    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        let knowledge = tactics.knowledge;
        if !rushes(knowledge, &candidate.mover) || candidate.target.is_some() {
            return 0.0;
        }
        let (from, to) = (candidate.mover.square, candidate.after.square);
        let rows = f32::from(knowledge.row(to).min(CAMP)) - f32::from(knowledge.row(from).min(CAMP));
        let files = f32::from(aside(knowledge, from)) - f32::from(aside(knowledge, to));
        let pace = match candidate.mover.rank {
            Rank::Miner if rows > 0.0 && !escorted(knowledge, to) => ALONE,
            Rank::Miner => FOLLOWS,
            Rank::Flag
            | Rank::Spy
            | Rank::Scout
            | Rank::Sergeant
            | Rank::Lieutenant
            | Rank::Captain
            | Rank::Major
            | Rank::Colonel
            | Rank::General
            | Rank::Marshal
            | Rank::Bomb => LEADS,
        };
        pace * rows + ASIDE * files
    }
}

/// Whether a piece takes part.
fn rushes(knowledge: &Knowledge<'_>, ours: &Ours) -> bool {
    ours.rank == Rank::Miner || escort(knowledge).contains(&ours.id)
}

fn escort(knowledge: &Knowledge<'_>) -> Vec<outflank::rules::PieceId> {
    knowledge.strongest(ESCORT).into_iter().map(|piece| piece.id).collect()
}

/// Whether one of the escort is near, and no row behind.
fn escorted(knowledge: &Knowledge<'_>, square: Square) -> bool {
    let leaders = knowledge.strongest(ESCORT);
    leaders.iter().any(|leader| {
        leader.square.distance(square) <= 3 && knowledge.row(leader.square) + 1 >= knowledge.row(square)
    })
}

/// Whether the rush goes along the low files: where our escort began, unless the flag is hardly there any more.
pub fn low_files(knowledge: &Knowledge<'_>) -> bool {
    let position = knowledge.view.position();
    let strong = position.pieces(knowledge.side()).filter(|(_, piece)| {
        piece.ranks.single().is_some_and(|rank| matches!(rank, Rank::Marshal | Rank::General | Rank::Colonel))
    });
    let files: Vec<i32> = strong
        .filter_map(|(_, piece)| piece.start.or(piece.square))
        .map(|square| i32::from(square.file()))
        .collect();
    let low = 2 * files.iter().sum::<i32>() < 9 * files.len() as i32;
    let there: f32 = knowledge
        .theirs
        .iter()
        .filter(|theirs| (theirs.square.file() < 5) == low)
        .map(|theirs| theirs.odds[Rank::Flag])
        .sum();
    low == (there > GONE)
}

/// Files from the wing's three outer ones.
fn aside(knowledge: &Knowledge<'_>, square: Square) -> u8 {
    let file = if low_files(knowledge) { square.file() } else { 9 - square.file() };
    file.saturating_sub(2)
}
