//! One game, replayed and scored.

use super::bands::{CELLS, cell_of_shown};
use super::guess::Guess;
use super::trust::TrustSums;
use crate::calibration::Calibration;
use crate::reading::replay;
use crate::sample;
use outflank::belief::score::{Marks, PHASES, phase};
use outflank::belief::{Belief, Likelihood};
use outflank::rules::{BySide, PieceId, Position, Rank, Side};
use outflank::view::View;
use outflank_record::{Record, Replay};

/// The most impossible truths that are listed one by one.
const TOLD: usize = 20;

/// What to look at.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Plies from one look to the next.
    pub every: u32,
    /// Players about whose pieces the guesses are; empty for everybody.
    pub about: Vec<String>,
    /// What the belief weighs.
    pub likelihoods: Vec<Likelihood>,
    /// Nodes of the search before which players think about the enemy's moves; too few, and they do not.
    pub inference_nodes: u64,
}

impl Plan {
    /// Everything that the engine weighs, about everybody's pieces.
    pub fn every(plies: u32) -> Plan {
        Plan { every: plies, about: Vec::new(), likelihoods: Likelihood::ALL.to_vec(), inference_nodes: 0 }
    }
}

/// Sums of one guess: marks by cell (see [`super::bands`]), predictions by phase.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Marks by cell.
    pub cells: [Marks; CELLS],
    /// Predictions by phase.
    pub calibration: [Calibration; PHASES.len()],
}

impl Sums {
    /// Adds other sums.
    pub fn merge(&mut self, other: &Sums) {
        self.cells.iter_mut().zip(&other.cells).for_each(|(sum, marks)| sum.merge(marks));
        self.calibration.iter_mut().zip(&other.calibration).for_each(|(sum, other)| sum.merge(other));
    }

    fn look(
        &mut self,
        at: [usize; 2],
        view: &View,
        belief: &Belief,
        truth: &dyn Fn(PieceId) -> Option<Rank>,
    ) {
        let mut marks = Marks::default();
        marks.look(view.position(), belief, truth);
        for cell in at {
            self.cells[cell].merge(&marks);
        }
        for (id, probabilities) in belief.pieces() {
            if let Some(rank) = truth(*id).filter(|_| view.position().piece(*id).ranks.len() > 1) {
                self.calibration[at[0]].add(probabilities, rank);
            }
        }
    }
}

/// What was seen in one game, or in several.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scored {
    /// Sums of each of [`Guess::ALL`].
    pub guesses: [Sums; Guess::ALL.len()],
    /// How far the experts were trusted, by phase.
    pub trust: [TrustSums; PHASES.len()],
    /// Armies that were guessed at.
    pub armies: u64,
    /// Views looked at.
    pub views: u64,
    /// How often a true rank was held impossible.
    pub impossible: u64,
    /// Where, the first few times.
    pub examples: Vec<String>,
}

impl Scored {
    /// Replays a game and scores what its players may think of each other's armies, one by one; that of a player who
    /// was not asked about is missing.
    ///
    /// # Errors
    /// If the record cannot be replayed.
    pub fn of(record: &Record, plan: &Plan) -> anyhow::Result<BySide<Option<Scored>>> {
        let mut armies = BySide::from_fn(|side| {
            let asked = plan.about.is_empty() || plan.about.contains(&record.players[side].name);
            asked.then(|| Scored { armies: 1, ..Scored::default() })
        });
        let Some(mut replay) = replay(record)? else { return Ok(armies) };
        loop {
            if replay.is_running() && replay.ply().is_multiple_of(plan.every.max(1)) {
                for (side, army) in armies.iter_mut() {
                    if let Some(army) = army {
                        army.look(&replay, side.enemy(), record.game, &plan.likelihoods);
                    }
                }
            }
            // Even where there is nothing to look at: a broken record is reported.
            let Some(mover) = replay.step()? else { return Ok(armies) };
            if plan.inference_nodes > 0 && replay.is_running() {
                replay.infer(mover.enemy(), plan.inference_nodes, record.game);
            }
        }
    }

    fn look(&mut self, replay: &Replay, viewer: Side, game: u64, likelihoods: &[Likelihood]) {
        let view = replay.view(viewer);
        let at = [phase(replay.ply()), shown(view.position(), viewer.enemy())];
        let truth = |id: PieceId| replay.truth(id).ok();
        let mut examples = Vec::new();
        for (guess, sums) in Guess::ALL.into_iter().zip(&mut self.guesses) {
            let belief = guess.about_enemies(replay.known(viewer), likelihoods);
            sums.look(at, view, &belief, &truth);
            if let Some(trust) = belief.trust().filter(|_| guess == Guess::Belief) {
                self.trust[at[0]].add(trust);
            }
            for (id, probabilities) in belief.pieces() {
                if let Some(rank) = truth(*id).filter(|rank| probabilities[*rank] <= 0.0) {
                    let (ply, name) = (replay.ply(), guess.name());
                    examples
                        .push(format!("game {game}, ply {ply}: {id:?} is {rank}, held impossible by {name}"));
                }
            }
        }
        self.views += 1;
        self.impossible += examples.len() as u64;
        self.tell(examples);
    }

    fn tell(&mut self, lines: impl IntoIterator<Item = String>) {
        let room = TOLD - self.examples.len();
        self.examples.extend(lines.into_iter().take(room));
    }
}

impl sample::Sums for Scored {
    fn merge(&mut self, other: &Scored) {
        self.guesses.iter_mut().zip(&other.guesses).for_each(|(sums, other)| sums.merge(other));
        self.trust.iter_mut().zip(&other.trust).for_each(|(sums, other)| sums.merge(other));
        self.armies += other.armies;
        self.views += other.views;
        self.impossible += other.impossible;
        self.tell(other.examples.iter().cloned());
    }
}

/// The cell of what is known of an army.
fn shown(position: &Position, side: Side) -> usize {
    let known = position.pieces(side).filter(|(_, piece)| piece.ranks.single().is_some()).count();
    cell_of_shown(known, position.pieces(side).count())
}
