//! The coward: runs from whatever is hidden or stronger, trades nothing, shows no strong piece, and strikes only what
//! it surely beats.

use crate::knowledge::{Knowledge, Ours, Theirs};
use crate::setups::Taste;
use crate::style::Style;
use crate::tactics::{Candidate, Tactics, Weights, piece_value};
use outflank::rng::Rng;
use outflank::rules::{Outcome, Rank, Square, StrikeRules, battle};

/// Runs and hides.
#[derive(Debug)]
pub struct Coward;

/// The lowest rank that it does not show for little, and what is not little.
const STRONG: Rank = Rank::Colonel;
const MUCH: f32 = 140.0;
/// The chance to win that is enough for it in the end.
const BOLD: f32 = 0.5;
/// What an enemy beside one of its pieces costs, and one that is two steps away.
const BESIDE: f32 = 14.0;
const NEAR: f32 = 5.0;

impl Style for Coward {
    const NAME: &'static str = "coward";

    /// It expects the worst.
    const WEIGHTS: Weights = Weights {
        danger: 2.0,
        curiosity: 0.0,
        repeat: 2.0,
        fresh: 0.8,
        firm: 0.8,
        restless: false,
        ..Weights::ORDINARY
    };

    /// The strong far behind.
    fn taste(rng: &mut Rng) -> Taste {
        let strong = [Rank::Marshal, Rank::General, Rank::Colonel];
        Taste::ordinary(rng).with(&strong, [4, 4, 1, 0]).with(&[Rank::Scout, Rank::Sergeant], [1, 1, 3, 5])
    }

    fn allows(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> bool {
        let Some(target) = candidate.target else { return true };
        let need = need(tactics.knowledge);
        let shows = !candidate.mover.exposed && candidate.mover.rank >= STRONG && need > BOLD;
        let enough =
            !shows || target.known.is_some_and(|rank| piece_value(rank) >= MUCH || rank == Rank::Flag);
        candidate.strike.win >= need && enough
    }

    /// It goes for what it beats for sure, or as surely as it asks for by now.
    fn appetite(knowledge: &Knowledge<'_>, ours: &Ours, theirs: &Theirs) -> f32 {
        let beaten = theirs
            .odds
            .iter()
            .filter(|(rank, _)| battle(ours.rank, *rank, StrikeRules::USUAL) == Outcome::Win);
        if beaten.map(|(_, chance)| chance).sum::<f32>() >= need(knowledge) { 1.0 } else { 0.0 }
    }

    /// Away from what it does not surely beat.
    fn theme(tactics: &Tactics<'_>, candidate: &Candidate<'_>) -> f32 {
        let knowledge = tactics.knowledge;
        let here = fear(knowledge, &candidate.mover, candidate.mover.square);
        here - fear(knowledge, &candidate.mover, candidate.after.square)
    }
}

/// How sure it has to be: wholly, but where nothing has been struck for long it takes heart.
fn need(knowledge: &Knowledge<'_>) -> f32 {
    match knowledge.quiet() {
        0..40 => 0.999,
        40..100 => 0.93,
        100..180 => 0.8,
        _ => BOLD,
    }
}

/// What a piece of its fears on a square.
fn fear(knowledge: &Knowledge<'_>, ours: &Ours, square: Square) -> f32 {
    let doubt = 1.0 - need(knowledge);
    let feared = knowledge.theirs.iter().filter(|theirs| {
        let beats = theirs.odds.iter().filter(|(rank, _)| {
            rank.is_mobile() && battle(*rank, ours.rank, StrikeRules::USUAL) != Outcome::Loss
        });
        beats.map(|(_, chance)| chance).sum::<f32>() > doubt
    });
    let fears = feared.map(|theirs| match (theirs.steps[square], theirs.moved) {
        (1, _) => BESIDE,
        (2, true) => NEAR,
        _ => 0.0,
    });
    fears.sum()
}
