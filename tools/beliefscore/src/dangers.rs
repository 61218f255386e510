//! Whether the belief sees danger where it is: pieces that come to take ours, and guards of what we take.

use crate::calibration::{Bin, Calibration};
use outflank::belief::{Belief, Likelihood};
use outflank::rules::{Outcome, PieceId, Position, Rank, Side, Square, battle};
use outflank_record::Replay;

/// A kind of danger.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Danger {
    /// A hidden piece has just come beside a piece that it knows, a major or better: it can take it.
    Chaser,
    /// A captain or better is about to take a known piece that stands beside hidden ones: one of them can retake.
    Guard,
}

impl Danger {
    /// Both, in the order of the report.
    pub const ALL: [Danger; 2] = [Danger::Chaser, Danger::Guard];

    /// Its name in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Danger::Chaser => "chasers",
            Danger::Guard => "guards",
        }
    }
}

/// Parts of a game: before and from ply [`LATE`] on.
pub const PARTS: usize = 2;
/// The ply from which a game is late.
pub const LATE: u32 = 200;

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
        self.calibration.note(predicted, came_true);
        self.squared += (predicted - f64::from(u8::from(came_true))).powi(2);
    }

    /// Adds others.
    pub fn merge(&mut self, other: &Predictions) {
        self.calibration.merge(&other.calibration);
        self.squared += other.squared;
    }

    /// All of them together.
    pub fn whole(&self) -> Bin {
        let mut whole = Bin::default();
        self.calibration.0.iter().for_each(|bin| whole.merge(bin));
        whole
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

/// Notes whether the piece of `side` that has just moved is a chaser, as its enemy sees it.
pub fn note_chaser(
    dangers: &mut Dangers,
    replay: &Replay,
    side: Side,
    likelihoods: &[Likelihood],
) -> Option<()> {
    let viewer = side.enemy();
    let position = replay.view(viewer).position();
    let last = *position.history().last()?;
    let at = last.action.to;
    let chaser = position.piece_at(at).filter(|id| last.verdict.is_none() && is_hidden(position, *id))?;
    let victim = at.neighbours().filter_map(|square| known_victim(replay, side, square)).max()?;
    let belief = Belief::of_enemies_weighing(replay.known(viewer), likelihoods);
    let predicted = takes(&belief, chaser, victim, position);
    let came_true = beats(replay.truth(chaser).ok()?, victim, position);
    dangers[Danger::Chaser as usize][part(position)].add(predicted, came_true);
    Some(())
}

/// Notes whether a known piece of `side` that is about to be taken is guarded by one of its hidden neighbours, as the
/// taker sees it.
pub fn note_guards(
    dangers: &mut Dangers,
    replay: &Replay,
    side: Side,
    likelihoods: &[Likelihood],
) -> Option<()> {
    let viewer = side.enemy();
    let position = replay.view(viewer).position();
    let action = replay.next_action()?;
    let taker = position.piece_at(action.from).filter(|id| id.side() == viewer)?;
    let bait = position.piece_at(action.to)?;
    let victim = replay.truth(taker).ok()?;
    let rank = position.piece(bait).ranks.single().filter(|rank| rank.is_mobile())?;
    if victim < Rank::Captain || !beats(victim, rank, position) {
        return None;
    }
    let hidden =
        |square| position.piece_at(square).filter(|id| id.side() == side && is_hidden(position, *id));
    let guards: Vec<PieceId> = action.to.neighbours().filter_map(hidden).collect();
    if guards.is_empty() {
        return None;
    }
    let belief = Belief::of_enemies_weighing(replay.known(viewer), likelihoods);
    let nobody: f64 = guards.iter().map(|id| 1.0 - takes(&belief, *id, victim, position)).product();
    let retakes = |id: &PieceId| replay.truth(*id).is_ok_and(|rank| beats(rank, victim, position));
    dangers[Danger::Guard as usize][part(position)].add(1.0 - nobody, guards.iter().any(retakes));
    Some(())
}

fn part(position: &Position) -> usize {
    usize::from(position.ply() >= LATE)
}

fn is_hidden(position: &Position, id: PieceId) -> bool {
    position.piece(id).ranks.len() > 1
}

/// The rank of the enemy of `side` on a square, if `side` knows it and it is worth a chase.
fn known_victim(replay: &Replay, side: Side, square: Square) -> Option<Rank> {
    let position = replay.view(side).position();
    let id = position.piece_at(square).filter(|id| id.side() != side)?;
    let chased = [Rank::Major, Rank::Colonel, Rank::General, Rank::Marshal];
    position.piece(id).ranks.single().filter(|rank| chased.contains(rank))
}

/// Whether a rank that strikes takes a victim.
fn beats(rank: Rank, victim: Rank, position: &Position) -> bool {
    rank.is_mobile() && battle(rank, victim, position.rules().aggressor) == Outcome::Win
}

/// How likely a piece is to take a victim.
fn takes(belief: &Belief, id: PieceId, victim: Rank, position: &Position) -> f64 {
    let Some(probabilities) = belief.probabilities(id) else { return 0.0 };
    let takers = Rank::ALL.into_iter().filter(|rank| beats(*rank, victim, position));
    takers.map(|rank| f64::from(probabilities[rank])).sum::<f64>().min(1.0)
}
