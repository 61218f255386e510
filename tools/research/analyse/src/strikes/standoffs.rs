//! Whether pieces strike what they stand beside as often as the search of the other side expects.

use super::dangers::Moment;
use crate::calibration::Bin;
use crate::sample::{Estimate, Sample, Sums};
use outflank::eval::InformationState;
use outflank::named_enum::named_enum;
use outflank::rules::{Action, Outcome, Piece, PieceId, Rank, battle};
use outflank::search::{declined, expected_win};
use outflank_record::Visibility;
use serde::Serialize;

named_enum! {
    /// What the other side knows of a piece that could strike.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Striker {
        /// Nothing; it never moved.
        Unmoved = "hidden, unmoved",
        /// That it is mobile.
        Moved = "hidden, moved",
        /// A spy, a scout or a miner.
        Low = "known S, 2, 3",
        /// A sergeant, a lieutenant or a captain.
        Middle = "known 4, 5, 6",
        /// A major or better.
        High = "known 7, 8, 9, M",
    }
}

impl Striker {
    /// `None` if it is known not to be able to.
    fn of(piece: &Piece) -> Option<Striker> {
        match piece.learned.single() {
            None if piece.moved => Some(Striker::Moved),
            None => Some(Striker::Unmoved),
            Some(Rank::Flag | Rank::Bomb) => None,
            Some(Rank::Spy | Rank::Scout | Rank::Miner) => Some(Striker::Low),
            Some(Rank::Sergeant | Rank::Lieutenant | Rank::Captain) => Some(Striker::Middle),
            Some(Rank::Major | Rank::Colonel | Rank::General | Rank::Marshal) => Some(Striker::High),
        }
    }
}

/// Standoffs are told apart by for how many turns the strike had been declined: from each of these on.
pub const DECLINED: [u32; 5] = [0, 1, 2, 4, 10];

/// Turns with a possible strike, by striker, target and [`DECLINED`]: how likely a strike that wins was thought, and
/// whether it came.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Standoffs([[[Bin; DECLINED.len()]; Visibility::ALL.len()]; Striker::ALL.len()]);

impl Sums for Standoffs {
    fn merge(&mut self, other: &Standoffs) {
        let (bins, others) = (self.0.iter_mut().flatten(), other.0.iter().flatten());
        bins.flatten().zip(others.flatten()).for_each(|(bin, other)| bin.merge(other));
    }
}

impl Standoffs {
    /// What was thought, and what came, of standoffs of one kind that had been declined for as many turns as `turns`, a
    /// place in [`DECLINED`], says.
    pub fn bin(&self, striker: Striker, target: Visibility, turns: usize) -> Bin {
        self.0[striker as usize][target as usize][turns]
    }

    fn add(&mut self, standoff: &Standoff, expected: f32, came: bool) {
        let turns = DECLINED.iter().rposition(|&from| standoff.declined >= from).unwrap_or(0);
        self.0[standoff.striker as usize][standoff.target as usize][turns].merge(&Bin {
            predictions: 1,
            predicted: f64::from(expected),
            came_true: f64::from(u8::from(came)),
        });
    }
}

/// A piece of the side to act beside one of the other side that nothing protects.
struct Standoff {
    striker: Striker,
    target: Visibility,
    declined: u32,
    /// Whether the strike would win.
    wins: bool,
}

/// Notes every standoff of the turn that `moment` is at, if its side acts.
pub fn note(moment: &Moment<'_>, standoffs: &mut Standoffs) {
    let position = moment.position();
    let Some(next) = moment.next_action().filter(|_| position.to_move() == moment.side()) else { return };
    let mut state = None;
    for (striker, piece) in position.pieces(moment.side()) {
        let Some(square) = piece.square else { continue };
        let targets = square.neighbours().filter_map(|to| Some((to, position.piece_at(to)?)));
        for (to, target) in targets.filter(|(_, target)| target.side() != moment.side()) {
            let strike = Action::new(square, to);
            let Some(standoff) = Standoff::of(moment, striker, target, strike) else { continue };
            let state = state.get_or_insert_with(|| InformationState::new(moment.view(), &moment.belief()));
            let came = standoff.wins && (next.from, next.to) == (square, to);
            standoffs.add(&standoff, expected_win(state, position, strike), came);
        }
    }
}

impl Standoff {
    /// `None` if the striker cannot, the target is the flag, a piece beside the target would take the striker, or the
    /// strike would take back what has just struck there.
    fn of(moment: &Moment<'_>, striker: PieceId, target: PieceId, strike: Action) -> Option<Standoff> {
        let position = moment.position();
        let (piece, struck) = (position.piece(striker), position.piece(target));
        let known = Striker::of(piece)?;
        let [rank, other] = [striker, target].map(|id| moment.truth(id));
        let (rank, other) = (rank?, other?);
        let beats = |one: Rank, two| battle(one, two, position.rules().strike_rules()) == Outcome::Win;
        let retakes = position
            .history()
            .last()
            .is_some_and(|last| last.verdict.is_some() && last.action.to == strike.to);
        let beside = strike.to.neighbours().filter_map(|square| position.piece_at(square));
        let mut protectors = beside.filter(|id| id.side() == target.side()).filter_map(|id| moment.truth(id));
        if other == Rank::Flag || retakes || protectors.any(|own| own.is_mobile() && beats(own, rank)) {
            return None;
        }
        Some(Standoff {
            striker: known,
            target: Visibility::of(struck.learned, struck.moved),
            declined: declined(position, strike),
            wins: rank.is_mobile() && beats(rank, other),
        })
    }
}

/// What was expected of one kind of standoff.
#[derive(Clone, Debug, Serialize)]
pub struct StandoffReport {
    /// What could strike.
    pub striker: &'static str,
    /// What could be struck.
    pub target: &'static str,
    /// For how many turns it had been declined at least.
    pub declined: u32,
    /// Turns in which it could be made.
    pub turns: u64,
    /// The mean of the probabilities of a strike that wins.
    pub expected: Option<f64>,
    /// The share of turns with one.
    pub came: Option<Estimate>,
}

impl StandoffReport {
    /// The kinds that there were.
    pub fn all(sample: &Sample<Standoffs>) -> Vec<StandoffReport> {
        let mut reports = Vec::new();
        for striker in Striker::ALL {
            for target in Visibility::ALL {
                for (turns, &declined) in DECLINED.iter().enumerate() {
                    let of = |standoffs: &Standoffs| standoffs.bin(striker, target, turns);
                    let bin = of(&sample.whole);
                    reports.push(StandoffReport {
                        striker: striker.name(),
                        target: target.name(),
                        declined,
                        turns: bin.predictions,
                        expected: bin.mean(),
                        came: sample.estimate(|standoffs| of(standoffs).share()),
                    });
                }
            }
        }
        reports.retain(|report| report.turns > 0);
        reports
    }
}
