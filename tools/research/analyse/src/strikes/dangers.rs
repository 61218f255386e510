//! Whether the belief sees danger where it is: pieces that come to take ours, and guards of what we take.

use crate::calibration::{Bin, BinReport, Calibration};
use crate::sample::{Estimate, Sample, Sums};
use outflank::belief::score::PHASES;
use outflank::belief::{Belief, Likelihood};
use outflank::named_enum::named_enum;
use outflank::rules::{Outcome, PieceId, Position, Rank, Side, Square, battle};
use outflank::view::View;
use outflank_record::Replay;
use serde::Serialize;

named_enum! {
    /// A kind of danger.
    #[derive(Copy, Clone, Debug, Eq, PartialEq)]
    pub enum Danger {
        /// A hidden piece has just come beside a piece that it knows, a major or better: it can take it.
        Chaser = "chasers",
        /// A captain or better is about to take a known piece that stands beside hidden ones: one of them can retake.
        Guard = "guards",
        /// A hidden piece that has moved is about to be struck: the striker alone falls.
        Moved = "moved",
        /// A hidden piece that never moved is about to be struck: the striker alone falls.
        Unmoved = "unmoved",
        /// A hidden piece has just come nearer to a bomb beside the enemy's flag, and is within two steps: it is a miner.
        Miner = "miners",
    }
}

/// Parts of a game: before and from ply [`LATE`] on.
pub const PARTS: usize = 2;
/// The ply from which a game is late.
pub const LATE: u32 = PHASES[3];

/// Predictions of one kind of danger.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Predictions {
    /// By what was predicted.
    pub calibration: Calibration,
    /// Sum of the squared errors.
    pub squared: f64,
}

impl Predictions {
    fn add(&mut self, predicted: f64, came_true: bool) {
        let came_true = f64::from(u8::from(came_true));
        self.calibration.note(predicted, came_true);
        self.squared += (predicted - came_true).powi(2);
    }

    /// Adds others.
    pub fn merge(&mut self, other: &Predictions) {
        self.calibration.merge(&other.calibration);
        self.squared += other.squared;
    }

    /// All of them together.
    pub fn whole(&self) -> Bin {
        self.calibration.whole()
    }

    /// The mean squared error (Brier score); none without predictions.
    pub fn brier(&self) -> Option<f64> {
        let predictions = self.whole().predictions;
        (predictions > 0).then(|| self.squared / predictions as f64)
    }

    /// The Brier score of somebody who knew the share that came true and always said that.
    pub fn brier_of_constant(&self) -> Option<f64> {
        self.whole().share().map(|share| share * (1.0 - share))
    }
}

/// Predictions by [`Danger`] and part of the game.
pub type Dangers = [[Predictions; PARTS]; Danger::ALL.len()];

impl Sums for Dangers {
    fn merge(&mut self, other: &Dangers) {
        let both = self.iter_mut().flatten().zip(other.iter().flatten());
        both.for_each(|(predictions, other)| predictions.merge(other));
    }
}

/// What was predicted of one kind of danger in one part of the game.
#[derive(Clone, Debug, Serialize)]
pub struct DangerReport {
    /// Which danger, by its name.
    pub danger: &'static str,
    /// Which plies.
    pub plies: String,
    /// How often it was asked.
    pub predictions: u64,
    /// The mean of what was predicted.
    pub predicted: Option<f64>,
    /// The share that came true.
    pub came_true: Option<Estimate>,
    /// The Brier score.
    pub brier: Option<Estimate>,
    /// That of a constant which knew the share that came true.
    pub brier_of_constant: Option<f64>,
    /// Bin by bin; empty ones are left out.
    pub bins: Vec<BinReport>,
}

impl DangerReport {
    /// One for each kind of danger and part of the game.
    pub fn all(sample: &Sample<Dangers>) -> Vec<DangerReport> {
        let parts = |danger| (0..PARTS).map(move |part| (danger, part));
        let all = Danger::ALL.into_iter().flat_map(parts);
        all.map(|(danger, part)| DangerReport::new(sample, danger, part)).collect()
    }

    fn new(sample: &Sample<Dangers>, danger: Danger, part: usize) -> DangerReport {
        let of = |dangers: &Dangers| dangers[danger as usize][part];
        let whole = of(&sample.whole);
        DangerReport {
            danger: danger.name(),
            plies: if part == 0 { format!("0-{}", LATE - 1) } else { format!("{LATE}+") },
            predictions: whole.whole().predictions,
            predicted: whole.whole().mean(),
            came_true: sample.estimate(|dangers| of(dangers).whole().share()),
            brier: sample.estimate(|dangers| of(dangers).brier()),
            brier_of_constant: whole.brier_of_constant(),
            bins: BinReport::all(sample, |dangers| of(dangers).calibration),
        }
    }
}

/// A moment of a game, for dangers from one side's pieces as its enemy sees them.
#[derive(Copy, Clone)]
pub struct Moment<'a> {
    replay: &'a Replay,
    /// Whose pieces are the danger.
    side: Side,
    likelihoods: &'a [Likelihood],
}

impl<'a> Moment<'a> {
    /// Where `replay` stands, with dangers from the pieces of `side`, believed by these likelihoods.
    pub fn new(replay: &'a Replay, side: Side, likelihoods: &'a [Likelihood]) -> Moment<'a> {
        Moment { replay, side, likelihoods }
    }

    /// Notes whether the piece that has just moved is a chaser.
    pub fn note_chaser(&self, dangers: &mut Dangers) -> Option<()> {
        let position = self.position();
        let last = *position.history().last()?;
        let at = last.action.to;
        let chaser = position.piece_at(at).filter(|id| last.verdict.is_none() && self.is_hidden(*id))?;
        let victim = at.neighbours().filter_map(|square| self.known_victim(square)).max()?;
        let predicted = self.takes(&self.belief(), chaser, victim);
        let came_true = self.beats(self.replay.truth(chaser).ok()?, victim);
        dangers[Danger::Chaser as usize][self.part()].add(predicted, came_true);
        Some(())
    }

    /// Notes whether the piece that has just come near a bomb beside the flag is a miner.
    pub fn note_miner(&self, dangers: &mut Dangers) -> Option<()> {
        let position = self.position();
        let last = *position.history().last()?;
        let (from, to) = (last.action.from, last.action.to);
        let mover = position.piece_at(to).filter(|id| last.verdict.is_none() && self.is_hidden(*id))?;
        let bombs = self.bombs_beside_flag();
        bombs.iter().find(|bomb| to.distance(**bomb) <= 2 && to.distance(**bomb) < from.distance(**bomb))?;
        let predicted = f64::from(self.belief().probabilities(mover)?[Rank::Miner]);
        let came_true = self.replay.truth(mover).ok()? == Rank::Miner;
        dangers[Danger::Miner as usize][self.part()].add(predicted, came_true);
        Some(())
    }

    /// Where bombs stand beside the flag of the endangered player.
    fn bombs_beside_flag(&self) -> Vec<Square> {
        let position = self.position();
        let of = |rank| {
            let pieces = position.pieces(self.side.enemy());
            pieces.filter_map(move |(_, piece)| piece.square.filter(|_| piece.ranks.single() == Some(rank)))
        };
        let flag: Vec<Square> = of(Rank::Flag).collect();
        of(Rank::Bomb).filter(|bomb| flag.iter().any(|flag| bomb.distance(*flag) == 1)).collect()
    }

    /// Notes whether a known piece that the next action takes is guarded by one of its hidden neighbours.
    pub fn note_guards(&self, dangers: &mut Dangers) -> Option<()> {
        let position = self.position();
        let action = self.replay.next_action()?;
        let taker = position.piece_at(action.from).filter(|id| id.side() != self.side)?;
        let bait = position.piece_at(action.to)?;
        let victim = self.replay.truth(taker).ok()?;
        let rank = position.piece(bait).ranks.single().filter(|rank| rank.is_mobile())?;
        if victim < Rank::Captain || !self.beats(victim, rank) {
            return None;
        }
        let hidden = |square| position.piece_at(square).filter(|id| self.is_hidden(*id));
        let guards: Vec<PieceId> = action.to.neighbours().filter_map(hidden).collect();
        if guards.is_empty() {
            return None;
        }
        let belief = self.belief();
        let nobody: f64 = guards.iter().map(|id| 1.0 - self.takes(&belief, *id, victim)).product();
        let retakes = |id: &PieceId| self.replay.truth(*id).is_ok_and(|rank| self.beats(rank, victim));
        dangers[Danger::Guard as usize][self.part()].add(1.0 - nobody, guards.iter().any(retakes));
        Some(())
    }

    /// Notes whether a hidden piece that the next action strikes beats the striker.
    pub fn note_target(&self, dangers: &mut Dangers) -> Option<()> {
        let position = self.position();
        let action = self.replay.next_action()?;
        let striker = position.piece_at(action.from).filter(|id| id.side() != self.side)?;
        let target = position.piece_at(action.to).filter(|id| self.is_hidden(*id))?;
        let rank = self.replay.truth(striker).ok()?;
        let loses = |other: Rank| battle(rank, other, position.rules().strike_rules()) == Outcome::Loss;
        let probabilities = *self.belief().probabilities(target)?;
        let losing = Rank::ALL.into_iter().filter(|other| loses(*other));
        let predicted = losing.map(|other| f64::from(probabilities[other])).sum::<f64>().min(1.0);
        let kind = if position.piece(target).moved { Danger::Moved } else { Danger::Unmoved };
        let came_true = loses(self.replay.truth(target).ok()?);
        dangers[kind as usize][self.part()].add(predicted, came_true);
        Some(())
    }

    /// What the endangered player sees.
    pub(super) fn view(&self) -> &'a View {
        self.replay.view(self.side.enemy())
    }

    /// The position as the endangered player knows it.
    pub(super) fn position(&self) -> &'a Position {
        self.view().position()
    }

    /// What the endangered player believes.
    pub(super) fn belief(&self) -> Belief {
        Belief::of_enemies_weighing(self.replay.known(self.side.enemy()), self.likelihoods)
    }

    fn part(&self) -> usize {
        usize::from(self.position().ply() >= LATE)
    }

    /// Whether it is a piece of the side whose rank the other does not know.
    fn is_hidden(&self, id: PieceId) -> bool {
        id.side() == self.side && self.position().piece(id).ranks.len() > 1
    }

    /// The rank of the enemy's piece on a square, if the side knows it and it is worth a chase.
    fn known_victim(&self, square: Square) -> Option<Rank> {
        let position = self.replay.view(self.side).position();
        let id = position.piece_at(square).filter(|id| id.side() != self.side)?;
        let chased = [Rank::Major, Rank::Colonel, Rank::General, Rank::Marshal];
        position.piece(id).ranks.single().filter(|rank| chased.contains(rank))
    }

    /// Whether a rank that strikes takes a victim.
    fn beats(&self, rank: Rank, victim: Rank) -> bool {
        rank.is_mobile() && battle(rank, victim, self.position().rules().strike_rules()) == Outcome::Win
    }

    /// How likely a piece is to take a victim.
    fn takes(&self, belief: &Belief, id: PieceId, victim: Rank) -> f64 {
        let Some(probabilities) = belief.probabilities(id) else { return 0.0 };
        let takers = Rank::ALL.into_iter().filter(|rank| self.beats(*rank, victim));
        takers.map(|rank| f64::from(probabilities[rank])).sum::<f64>().min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_out_as_by_hand() {
        let mut predictions = Predictions::default();
        assert!(predictions.brier().is_none() && predictions.brier_of_constant().is_none());
        for (predicted, came_true) in [(0.25, false), (0.75, true), (0.5, false), (0.5, true)] {
            predictions.add(predicted, came_true);
        }
        // 0.0625 + 0.0625 + 0.25 + 0.25 over four; half came true.
        let close =
            |value: Option<f64>, expected: f64| value.is_some_and(|value| (value - expected).abs() < 1e-9);
        assert!(close(predictions.brier(), 0.625 / 4.0) && close(predictions.brier_of_constant(), 0.25));
        let mut twice = predictions;
        twice.merge(&predictions);
        assert_eq!(twice.whole().predictions, 8);
        assert!(close(twice.brier(), 0.625 / 4.0));
    }
}
